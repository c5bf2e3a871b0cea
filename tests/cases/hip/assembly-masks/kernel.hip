// Inline assembly of comparisons, carries, loads, stores, matrix products and branches that lead on, beside the same in
// C++ or clang's functions.
//
// wavesim: --kernel gfx9 --grid 2 --block 64 --arg in=random(-100,100):136

#include <hip/hip_runtime.h>

#define SAME(a, b) assert((a) == (b))
#define COMPARE(name, type, a, b, c) \
	{ \
		type x = a, y = b; \
		int by_vcc, by_mask; \
		unsigned long long mask; \
		asm volatile(name " vcc, %1, %2\n\tv_cndmask_b32 %0, 10, %3, vcc" : "=v"(by_vcc) : "v"(x), "v"(y), "v"(20) : "vcc"); \
		SAME(by_vcc, (c) ? 20 : 10); \
		asm volatile(name "_e64 %0, %1, %2" : "=s"(mask) : "v"(x), "v"(y)); \
		SAME(mask, __ballot(c)); \
		asm volatile("v_cndmask_b32_e64 %0, %1, %2, %3" : "=v"(by_mask) : "v"(1), "v"(2), "s"(mask)); \
		SAME(by_mask, (c) ? 2 : 1); \
	}
#define SCALAR(name, a, b, c) \
	{ \
		int r; \
		asm volatile(name " %1, %2\n\ts_cselect_b32 %0, 7, %1" : "=s"(r) : "s"(a), "s"(b) : "scc"); \
		SAME(r, (c) ? 7 : (int)(a)); \
	}
#define CARRY(first, then, op) \
	{ \
		unsigned l, h; \
		asm volatile(first " %0, vcc, %2, %3\n\t" then " %1, vcc, %4, %5, vcc" : "=&v"(l), "=v"(h) \
		             : "v"((unsigned)x), "v"((unsigned)y), "v"((unsigned)(x >> 32)), "v"((unsigned)(y >> 32)) : "vcc"); \
		SAME((unsigned long long)h << 32 | l, op); \
	}

__device__ void compare(int a, int b, float f, float g)
{
	unsigned u = a, v = b;
	long long p = (long long)a << 33 | b, q = (long long)b << 33 | a;
	COMPARE("v_cmp_lt_i32", int, a, b, a < b)
	COMPARE("v_cmp_le_u32", unsigned, u, v, u <= v)
	COMPARE("v_cmp_eq_u32", unsigned, u, v, u == v)
	COMPARE("v_cmp_ne_i32", int, a, b, a != b)
	COMPARE("v_cmp_gt_i64", long long, p, q, p > q)
	COMPARE("v_cmp_ge_u64", unsigned long long, p, q, (unsigned long long)p >= (unsigned long long)q)
	COMPARE("v_cmp_lt_f32", float, f, g, f < g)
	COMPARE("v_cmp_neq_f32", float, f, f, !(f == f))
	COMPARE("v_cmp_lg_f32", float, f, g, f < g || f > g)
	COMPARE("v_cmp_u_f32", float, f, g, f != f || g != g)
	COMPARE("v_cmp_nlt_f64", double, f, g, !(f < g))
}

__device__ void carry(unsigned long long x, unsigned long long y)
{
	CARRY("v_add_co_u32", "v_addc_co_u32", x + y)
	CARRY("v_sub_co_u32", "v_subb_co_u32", x - y)
	CARRY("v_subrev_co_u32", "v_subbrev_co_u32", y - x)
}

__device__ void scalars(int n)
{
	unsigned long long x = 0xfffffff0u + (unsigned long long)n, y = 0x7fffffff00000010u;
	unsigned l, h;
	asm volatile("s_add_u32 %0, %2, %3\n\ts_addc_u32 %1, %4, %5" : "=&s"(l), "=s"(h)
	             : "s"((unsigned)x), "s"((unsigned)y), "s"((unsigned)(x >> 32)), "s"((unsigned)(y >> 32)) : "scc");
	SAME((unsigned long long)h << 32 | l, x + y);
	SCALAR("s_cmp_lt_i32", n, 5, n < 5)
	SCALAR("s_cmp_eq_u32", n, 3, n == 3)
	SCALAR("s_cmp_lg_u32", n, 3, n != 3)
}

__device__ void memory(const int *in, int *out, int i)
{
	typedef int Four __attribute__((ext_vector_type(4)));
	typedef int Two __attribute__((ext_vector_type(2)));
	__shared__ int tile[256];
	unsigned base = (unsigned)(unsigned long long)tile, at = base + threadIdx.x * 16;
	Four v = {in[i], in[i ^ 1], i, ~i}, w;
	Two half;
	int r, s;
	asm volatile("ds_write_b128 %0, %1\n\ts_waitcnt lgkmcnt(0)" : : "v"(at), "v"(v) : "memory");
	asm volatile("ds_read_b64 %0, %1 offset:8\n\ts_waitcnt lgkmcnt(0)" : "=v"(half) : "v"(at) : "memory");
	SAME(half.x, i);
	asm volatile("ds_write_b8 %0, %1 offset:12\n\tds_write_b16 %0, %1 offset:14" : : "v"(at), "v"(-2 - i) : "memory");
	asm volatile("ds_read_i8 %0, %2 offset:12\n\tds_read_u16 %1, %2 offset:14\n\ts_waitcnt lgkmcnt(0)"
	             : "=&v"(r), "=v"(s) : "v"(at) : "memory");
	SAME(r, (signed char)(-2 - i));
	SAME(s, (-2 - i) & 0xffff);
	asm volatile("s_barrier" : : : "memory");
	asm volatile("ds_read_b32 %0, %1\n\ts_waitcnt lgkmcnt(0)" : "=v"(r) : "v"(base + (threadIdx.x ^ 1) * 16) : "memory");
	SAME(r, in[i ^ 1]);
	const int *from = in + (i & ~3);
	asm volatile("global_load_dwordx4 %0, %1, off glc\n\ts_waitcnt vmcnt(0)" : "=v"(w) : "v"(from) : "memory");
	SAME(w.w, from[3]);
	asm volatile("global_load_dword %0, %1, %2 offset:4\n\ts_waitcnt vmcnt(0)" : "=v"(r) : "v"((i & ~3) * 4), "s"(in)
	             : "memory");
	SAME(r, from[1]);
	asm volatile("flat_load_sbyte %0, %1\n\tglobal_load_ushort %2, %1, off offset:-2\n\ts_waitcnt vmcnt(0) lgkmcnt(0)"
	             : "=&v"(r), "+v"(from), "=v"(s) : : "memory");
	SAME(r, *(const signed char *)from);
	asm volatile("global_store_dword %0, %1, off\n\ts_waitcnt vmcnt(0)" : : "v"(out + i), "v"(w.x + v.y) : "memory");
	asm volatile("s_branch over\n\tv_mov_b32 %0, 7\nover:\n\tv_mov_b32 %0, 8" : "=v"(r));
	SAME(r, 8);
}

__global__ void gfx9(const int *in, int *out)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x, a = in[i], b = in[i ^ 1];
	compare(a, b, a % 7 ? a * 0.5f : __builtin_nanf(""), b * 0.25f);
	carry((unsigned long long)a << 32 | (unsigned)b, (unsigned long long)b << 31 | (unsigned)a);
	scalars(blockIdx.x + 3);
	memory(in + 4, out, i);
	asm volatile("s_endpgm");
}

// One scalar register is a mask of 32 lanes.
__global__ void rdna(const int *in, int *out)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x, a = in[i], b = in[i ^ 1], r;
	unsigned mask;
	asm volatile("v_cmp_lt_i32 %0, %1, %2" : "=s"(mask) : "v"(a), "v"(b));
	SAME(mask, (unsigned)__ballot(a < b));
	asm volatile("v_cmp_lt_i32 vcc_lo, %1, %2\n\tv_cndmask_b32 %0, %1, %2, vcc_lo" : "=v"(r) : "v"(a), "v"(b) : "vcc");
	out[i] = r;
}

#ifdef __gfx90a__
__global__ void cdna(const float *in, float *out)
{
	typedef float Four __attribute__((ext_vector_type(4)));
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	float a = in[i], b = in[127 - i];
	Four c = {1, 2, a, b}, d, e;
	asm volatile("v_mfma_f32_16x16x4f32 %0, %1, %2, %3" : "=&v"(d) : "v"(a), "v"(b), "v"(c));
	asm volatile("v_mfma_f32_16x16x4f32 %0 %1 %2 1.0" : "=&v"(e) : "v"(a), "v"(b));
	c = __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0);
	Four one = __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, Four{1, 1, 1, 1}, 0, 0, 0);
	for (int k = 0; k < 4; k++) {
		SAME(d[k], c[k]);
		SAME(e[k], one[k]);
	}
	out[i] = d.x + e.y;
}
#endif

/* What lies between a comparison and a choice and changes no SCC; labels of their own for each expansion, and numbers. */
__global__ void flow(const int *in, int *out)
{
	int i = threadIdx.x, chosen, a, b, first = __builtin_amdgcn_readfirstlane(in[0]);
	asm volatile("s_cmp_lt_i32 %1, 3\n\ts_nop 0\n\ts_waitcnt lgkmcnt(0)\n\ts_mov_b32 s9, 5\n\ts_cselect_b32 %0, 7, 9"
	             : "=s"(chosen) : "s"(first) : "s9", "scc");
	asm volatile("v_mov_b32 %0, 1\n\ts_branch L%=\n\tv_mov_b32 %0, 2\nL%=:\n\tv_add_u32 %0, %0, %1"
	             : "=&v"(a) : "v"(in[i]));
	asm volatile("v_mov_b32 %0, 3\n\ts_branch 1f\n\tv_mov_b32 %0, 4\n1:\n\tv_add_u32 %0, %0, %1"
	             : "=&v"(b) : "v"(in[i]));
	out[3 * i] = chosen;
	out[3 * i + 1] = a;
	out[3 * i + 2] = b;
}
