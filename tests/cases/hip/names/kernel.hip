#include <hip/hip_runtime.h>

typedef float real;
constexpr int SIZE = 64;
namespace my {
struct T {
	int a;
};
}
using namespace my;

// Asked for with other words than the compiler's.
template <typename X, int N = 4> __global__ void fill(X *out) { out[threadIdx.x] = X(N); }
template <typename X> __global__ void put(X *out, int n) { out[threadIdx.x].a = n; }
template <int N, bool B> __global__ void choose(int *out) { out[threadIdx.x] = B ? N : 0; }
