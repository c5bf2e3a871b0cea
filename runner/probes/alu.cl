// Arithmetic: CHAINS independent chains of one operation. Few chains of one wavefront show its
// latency, many of a full group its rate.
#ifndef T
#define T float
#endif
#ifndef OP
#define OP do_fma
#endif
#ifndef CHAINS
#define CHAINS 8
#endif
#define do_fadd(v) v = v + b
#define do_fmul(v) v = v * b
#define do_fma(v) v = fma(v, b, c)
#define do_iadd(v) v = (v + b) ^ c
#define do_imul(v) v = v * b ^ c
#define do_shift(v) v = (v << 3 | v >> 5) + b
#define do_popcount(v) v = popcount(v) + b
#define do_mulhi(v) v = mul_hi(v, b) + c
#define do_idiv(v) v = v / b + c
#define do_fdiv(v) v = v / b + c
#define do_quotient(v) v = b / v + c
#define do_sqrt(v) v = sqrt(v) + c
#define do_sin(v) v = native_sin(v) + c
#define do_exp(v) v = native_exp2(v) - c
#define do_exp_exact(v) v = exp(v) - c
#define do_log(v) v = log(v) + c
#define do_pow(v) v = pow(v, b) + c
#define do_rcp(v) v = native_recip(v) + c
#define do_convert(v) v = (float)((int)v + 1) * b
#define do_convert_double(v) v = (float)fma((double)v, 0.9, 0.1)
#define do_convert_long(v) v = (float)((long)v + 1) * b
#define do_select(v) v = v > c ? v - b : v + b

kernel void alu(global T *out, T b, T c, uint rounds)
{
	T v[CHAINS], sum = (T)(0);
	for (uint k = 0; k < CHAINS; k++)
		v[k] = (T)(get_local_id(0) + k + 1);
	for (uint r = 0; r < rounds; r++) {
#pragma unroll
		for (uint i = 0; i < 16 / CHAINS; i++) {
#pragma unroll
			for (uint k = 0; k < CHAINS; k++)
				OP(v[k]);
		}
	}
	for (uint k = 0; k < CHAINS; k++)
		sum += v[k];
	out[get_global_id(0)] = sum;
}
