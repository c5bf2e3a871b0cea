// Functions that are named and never called through: of tables of virtual functions (whose destructors end in the device's
// heap), and of pointers that are compared.
#include <hip/hip_runtime.h>

struct Shape {
	int v;
	__host__ __device__ Shape(int a) : v(a) {}
	__host__ __device__ virtual ~Shape();
	__host__ __device__ virtual int area(int) const;
};
__host__ __device__ Shape::~Shape() {}
__host__ __device__ int Shape::area(int a) const { return v + a; }
struct Box : Shape {
	__host__ __device__ Box(int a) : Shape(a) {}
	__host__ __device__ ~Box() override;
	__host__ __device__ int area(int) const override;
};
__host__ __device__ Box::~Box() {}
__host__ __device__ int Box::area(int a) const { return v * a; }

__device__ int table[4] = {1, 2, 3, 4};

__global__ void objects(int *a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Box box(a[i]);
	Shape shape(i);
	a[i] = box.area(table[i & 3]) - shape.area(1);
}

__device__ int twice(int a) { return 2 * a; }
__device__ int thrice(int a) { return 3 * a; }
__device__ int (*one)(int) = twice;
__device__ int (*several[3])(int) = {thrice, twice, nullptr};

__global__ void pointers(int *a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	auto p = several[i % 3];
	a[i] = !p ? -1 : p == one ? twice(a[i]) : p == thrice ? thrice(a[i]) : 0;
}
