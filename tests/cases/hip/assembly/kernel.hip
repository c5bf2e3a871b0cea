// Inline assembly: each instruction of frontend/module/assembly.def beside the same in C++.
//
// wavesim: --kernel vega --grid 2 --block 64 --arg in=random(-100,100):128

#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>

template <typename T> __device__ unsigned long long bits(T x)
{
	unsigned long long out = 0;
	__builtin_memcpy(&out, &x, sizeof x);
	return out;
}

#define SAME(a, b) assert(bits(a) == bits(b))
#define ONE(name, to, x, c) { to r; asm volatile(name " %0, %1" : "=v"(r) : "v"(x)); SAME(r, (to)(c)); }
#define TWO(name, to, x, y, c) \
	{ to r; asm volatile(name " %0, %1, %2" : "=v"(r) : "v"(x), "v"(y)); SAME(r, (to)(c)); }
#define THREE(name, to, x, y, z, c) \
	{ to r; asm volatile(name " %0, %1, %2, %3" : "=v"(r) : "v"(x), "v"(y), "v"(z)); SAME(r, (to)(c)); }
#define SUM(name, to, x, y, c) { to r = x; asm volatile(name " %0, %1, %2" : "+v"(r) : "v"(x), "v"(y)); SAME(r, (to)(c)); }
#define SCALAR(name, x, y, c) { int r; asm volatile(name " %0, %1, %2" : "=s"(r) : "s"(x), "s"(y) : "scc"); SAME(r, (int)(c)); }

__device__ void floats(float a, float b, float c)
{
	TWO("v_add_f32", float, a, b, a + b)
	TWO("v_sub_f32", float, a, b, a - b)
	TWO("v_subrev_f32", float, a, b, b - a)
	TWO("v_mul_f32_e32", float, a, b, a * b)
	TWO("v_min_f32", float, a, b, fminf(a, b))
	TWO("v_max_f32", float, a, b, fmaxf(a, b))
	THREE("v_med3_f32", float, a, b, c, fmaxf(fminf(a, b), fminf(fmaxf(a, b), c)))
	THREE("v_fma_f32", float, a, b, c, fmaf(a, b, c))
	SUM("v_fmac_f32", float, a, b, fmaf(a, b, a))
	ONE("v_floor_f32", float, a, floorf(a))
	ONE("v_ceil_f32", float, a, ceilf(a))
	ONE("v_trunc_f32", float, a, truncf(a))
	ONE("v_rndne_f32", float, a, rintf(a))
	ONE("v_fract_f32", float, a, a - floorf(a))
	ONE("v_rcp_f32", float, a, __builtin_amdgcn_rcpf(a))
	ONE("v_rsq_f32", float, fabsf(a), __builtin_amdgcn_rsqf(fabsf(a)))
	ONE("v_exp_f32", float, a / 16, __builtin_exp2f(a / 16))
	ONE("v_log_f32", float, fabsf(a), __builtin_log2f(fabsf(a)))
	ONE("v_sin_f32", float, a, __builtin_amdgcn_sinf(a))
	ONE("v_cos_f32", float, a, __builtin_amdgcn_cosf(a))
	ONE("v_sqrt_f32", float, fabsf(a), __builtin_sqrtf(fabsf(a)))
	ONE("v_cvt_i32_f32", int, a, (int)a)
	ONE("v_cvt_u32_f32", unsigned, fabsf(a), (unsigned)fabsf(a))
	ONE("v_cvt_f64_f32", double, a, a)
	ONE("v_cvt_f16_f32", _Float16, a, a)
	float r, s;
	asm volatile("v_mul_f32 %0, -%2, |%3|\n\tv_add_f32 %1, 0.5, %0 ; two results" : "=&v"(r), "=v"(s) : "v"(a), "v"(b));
	SAME(r, -a * fabsf(b));
	SAME(s, -a * fabsf(b) + 0.5f);
}

__device__ void unfused(float a, float b, float c)
{
#pragma clang fp contract(off)
	float product = a * b;
	THREE("v_mad_f32", float, a, b, c, product + c)
	SUM("v_mac_f32", float, a, b, product + a)
}

__device__ void doubles(double a, double b, double c)
{
	TWO("v_add_f64", double, a, b, a + b)
	TWO("v_mul_f64", double, a, b, a * b)
	TWO("v_min_f64", double, a, b, fmin(a, b))
	TWO("v_max_f64", double, a, b, fmax(a, b))
	THREE("v_fma_f64", double, a, b, c, fma(a, b, c))
	TWO("v_mul_f64", double, a, 2.0, a * 2)
	double half;
	asm volatile("v_mul_f64 %0, %1, 0.5" : "=v"(half) : "v"(a));
	SAME(half, a / 2);
	asm volatile("v_add_f64 %0, %1, 0x40080000" : "=v"(half) : "v"(a));
	SAME(half, a + 3);
	ONE("v_rcp_f64", double, a, __builtin_amdgcn_rcp(a))
	ONE("v_rsq_f64", double, fabs(a), __builtin_amdgcn_rsq(fabs(a)))
	ONE("v_sqrt_f64", double, fabs(a), __builtin_sqrt(fabs(a)))
	ONE("v_cvt_f32_f64", float, a, a)
	ONE("v_cvt_i32_f64", int, a, (int)a)
	ONE("v_cvt_u32_f64", unsigned, fabs(a), (unsigned)fabs(a))
}

__device__ void halves(_Float16 a, _Float16 b, _Float16 c)
{
	TWO("v_add_f16", _Float16, a, b, a + b)
	TWO("v_sub_f16", _Float16, a, b, a - b)
	TWO("v_mul_f16", _Float16, a, b, a * b)
	TWO("v_min_f16", _Float16, a, b, a < b ? a : b)
	TWO("v_max_f16", _Float16, a, b, a > b ? a : b)
	THREE("v_fma_f16", _Float16, a, b, c, __builtin_fmaf16(a, b, c))
	_Float16 size = a < 0 ? -a : a;
	ONE("v_rcp_f16", _Float16, a, __builtin_amdgcn_rcph(a))
	ONE("v_rsq_f16", _Float16, size, __builtin_amdgcn_rsqh(size))
	ONE("v_sqrt_f16", _Float16, size, (_Float16)__builtin_sqrtf(size))
	ONE("v_cvt_f32_f16", float, a, a)
	typedef _Float16 Pair __attribute__((ext_vector_type(2)));
	Pair x = {a, b}, y = {b, c}, z = {c, a};
	TWO("v_pk_add_f16", Pair, x, y, x + y)
	TWO("v_pk_mul_f16", Pair, x, y, x * y)
	TWO("v_pk_min_f16", Pair, x, y, (Pair{a < b ? a : b, b < c ? b : c}))
	TWO("v_pk_max_f16", Pair, x, y, (Pair{a > b ? a : b, b > c ? b : c}))
	THREE("v_pk_fma_f16", Pair, x, y, z, (Pair{(_Float16)__builtin_fmaf16(a, b, c), (_Float16)__builtin_fmaf16(b, c, a)}))
}

__device__ void integers(int a, int b, int c)
{
	unsigned u = a, v = b;
	unsigned long long wide = (unsigned long long)u << 20 ^ v;
	TWO("v_add_u32", int, a, b, a + b)
	TWO("v_sub_u32", int, a, b, a - b)
	TWO("v_subrev_u32", int, a, b, b - a)
	TWO("v_mul_lo_u32", int, a, b, a * b)
	TWO("v_add_i32", int, a, b, a + b)
	TWO("v_mul_lo_i32", int, a, b, a * b)
	TWO("v_mul_hi_u32", unsigned, u, v, (unsigned long long)u * v >> 32)
	TWO("v_mul_hi_i32", int, a, b, (long long)a * b >> 32)
	TWO("v_mul_u32_u24", unsigned, u, v, (u & 0xffffff) * (v & 0xffffff))
	TWO("v_mul_i32_i24", int, a, b, (a << 8 >> 8) * (b << 8 >> 8))
	TWO("v_min_u32", unsigned, u, v, u < v ? u : v)
	TWO("v_max_u32", unsigned, u, v, u > v ? u : v)
	TWO("v_min_i32", int, a, b, a < b ? a : b)
	TWO("v_max_i32", int, a, b, a > b ? a : b)
	TWO("v_and_b32", int, a, b, a & b)
	TWO("v_or_b32", int, a, b, a | b)
	TWO("v_xor_b32", int, a, b, a ^ b)
	ONE("v_not_b32", int, a, ~a)
	TWO("v_lshlrev_b32", unsigned, b, u, u << (b & 31))
	TWO("v_lshrrev_b32", unsigned, b, u, u >> (b & 31))
	TWO("v_ashrrev_i32", int, b, a, a >> (b & 31))
	TWO("v_lshlrev_b64", unsigned long long, b, wide, wide << (b & 63))
	TWO("v_lshrrev_b64", unsigned long long, b, wide, wide >> (b & 63))
	TWO("v_ashrrev_i64", long long, b, wide, (long long)wide >> (b & 63))
	ONE("v_bfrev_b32", unsigned, u, __builtin_bitreverse32(u))
	THREE("v_bfe_u32", unsigned, u, 3, 9, u >> 3 & 511)
	THREE("v_bfe_i32", int, a, 3, 9, a << 20 >> 23)
	THREE("v_perm_b32", unsigned, u, v, 0x04010602, __builtin_amdgcn_perm(u, v, 0x04010602))
	THREE("v_alignbit_b32", unsigned, u, v, c, ((unsigned long long)u << 32 | v) >> (c & 31))
	THREE("v_alignbyte_b32", unsigned, u, v, c, ((unsigned long long)u << 32 | v) >> 8 * (c & 3))
	TWO("v_bcnt_u32_b32", unsigned, u, v, __builtin_popcount(u) + v)
	THREE("v_add3_u32", int, a, b, c, a + b + c)
	THREE("v_xad_u32", int, a, b, c, (a ^ b) + c)
	THREE("v_mad_u32_u24", unsigned, u, v, c, (u & 0xffffff) * (v & 0xffffff) + c)
	THREE("v_mad_i32_i24", int, a, b, c, (a << 8 >> 8) * (b << 8 >> 8) + c)
	THREE("v_lshl_add_u32", unsigned, u, b, c, (u << (b & 31)) + c)
	THREE("v_lshl_or_b32", unsigned, u, b, c, u << (b & 31) | c)
	THREE("v_and_or_b32", int, a, b, c, a & b | c)
	THREE("v_or3_b32", int, a, b, c, a | b | c)
	ONE("v_cvt_f32_i32", float, a, a)
	ONE("v_cvt_f32_u32", float, u, u)
	ONE("v_cvt_f64_i32", double, a, a)
	ONE("v_cvt_f64_u32", double, u, u)
	ONE("v_mov_b32", int, a, a)
}

__device__ void scalars(int a, int b)
{
	SCALAR("s_add_u32", a, b, a + b)
	SCALAR("s_sub_i32", a, b, a - b)
	SCALAR("s_sub_u32", a, b, a - b)
	SCALAR("s_mul_i32", a, b, a * b)
	SCALAR("s_and_b32", a, b, a & b)
	SCALAR("s_or_b32", a, b, a | b)
	SCALAR("s_xor_b32", a, b, a ^ b)
	SCALAR("s_lshl_b32", a, b, a << (b & 31))
	SCALAR("s_lshr_b32", a, b, (unsigned)a >> (b & 31))
	SCALAR("s_ashr_i32", a, b, a >> (b & 31))
	int r;
	unsigned long long w;
	asm volatile("s_mov_b32 %0, 0x80000001" : "=s"(r));
	SAME(r, (int)0x80000001);
	asm volatile("s_mov_b64 %0, 0xffffffffffffffff" : "=s"(w));
	SAME(w, ~0ull);
	asm volatile("s_mov_b64 %0, -17" : "=s"(w));
	SAME(w, 0xffffffefull);
	asm volatile("s_add_i32 %0, %1, %1" : "=s"(r) : "0"(a) : "scc");
	SAME(r, a + a);
	asm volatile("; a\\b\n\ts_mov_b32 %0, 5\n\ts_add_i32 %0, %1, %1" : "=s"(r) : "0"(a) : "scc");
	SAME(r, 10);
	asm volatile("s_memtime %0\n\ts_waitcnt lgkmcnt(0)" : "=s"(w));
	asm volatile("s_memrealtime %0\n\ts_waitcnt lgkmcnt(0)" : "=s"(w));
	asm volatile("v_nop\n\ts_sleep 1\n\ts_setprio 0\n\ts_dcache_wb\n\ts_dcache_inv\n\ts_icache_inv\n\tbuffer_wbinvl1\n\t"
	             "buffer_wbinvl1_vol\n\ts_barrier");
}

__global__ void vega(const float *in, int *out)
{
	__shared__ int seen[64];
	int gid = blockIdx.x * blockDim.x + threadIdx.x, lane, first;
	float a = in[gid], b = in[gid ^ 1], c = in[gid ^ 2];
	seen[threadIdx.x] = gid;
	asm volatile("s_waitcnt vmcnt(0) lgkmcnt(0)\n\ts_barrier" ::: "memory");
	int other = seen[threadIdx.x ^ 63];
	floats(a, b, c);
	unfused(a, b, c);
	doubles(a * 1.1, b * 1.1, c * 1.1);
	halves(a, b, c);
	integers(__float_as_int(a), __float_as_int(b), __float_as_int(c));
	scalars(blockIdx.x * 77 + 5, 3 - blockIdx.x);
	asm volatile("v_mul_f32 v40, v41, v42\n\ts_add_i32 s40 s41 s42" : : : "v40", "s40", "scc");
	asm volatile("v_mbcnt_lo_u32_b32 %0, -1, 0\n\tv_mbcnt_hi_u32_b32 %0, -1, %0\ns_nop 1" : "=v"(lane));
	assert(lane == threadIdx.x);
	asm("v_readfirstlane_b32 %0, %1" : "=s"(first) : "v"(gid + 7));
	assert(first == blockIdx.x * 64 + 7);
	out[gid] = other + first;
}

__global__ void cdna(const float *in, int *out)
{
	typedef float Two __attribute__((ext_vector_type(2)));
	int gid = blockIdx.x * blockDim.x + threadIdx.x;
	Two x = {in[gid], in[gid ^ 1]}, y = {in[gid ^ 2], in[gid ^ 3]};
	double a = in[gid], b = in[gid ^ 1] * 1.1;
	TWO("v_pk_add_f32", Two, x, y, x + y)
	TWO("v_pk_mul_f32", Two, x, y, x * y)
	THREE("v_pk_fma_f32", Two, x, y, x, (Two{fmaf(x.x, y.x, x.x), fmaf(x.y, y.y, x.y)}))
	SUM("v_fmac_f64", double, a, b, fma(a, b, a))
	out[gid] = gid;
}

__global__ void rdna(const float *in, int *out)
{
	int gid = blockIdx.x * blockDim.x + threadIdx.x;
	int a = __float_as_int(in[gid]), b = __float_as_int(in[gid ^ 1]), c = __float_as_int(in[gid ^ 2]);
	TWO("v_add_nc_u32", int, a, b, a + b)
	TWO("v_sub_nc_u32", int, a, b, a - b)
	TWO("v_subrev_nc_u32", int, a, b, b - a)
	THREE("v_xor3_b32", int, a, b, c, a ^ b ^ c)
	asm volatile("s_waitcnt_vscnt null, 0x0\n\ts_inst_prefetch 0x1\n\tbuffer_gl0_inv" ::: "memory");
	out[gid] = gid;
}
