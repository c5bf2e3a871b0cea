/* What AMD's instructions give, one lane at a time, written from the pseudocode of the ISA
 * documents and sharing nothing with frontend/ or sim/. */
#ifndef WAVESIM_AMDGCN_WANT_H
#define WAVESIM_AMDGCN_WANT_H

#include "base/base.h"

#define UNTOUCHED 0xdeadbeefdeadbeefu

/* A lane, and what all lanes of its wavefront hold. */
typedef struct Seen {
	const u32 *x, *y, *z; /* by lane */
	u32 lane, wave, n;
	u64 on;               /* active lanes */
	u32 detail;           /* of the case */
} Seen;

u64 want_exp(const Seen *s), want_log(const Seen *s), want_log10(const Seen *s);
u64 want_sin(const Seen *s), want_cos(const Seen *s);
u64 want_ldexp(const Seen *s), want_ldexp_d(const Seen *s);
u64 want_frexp_exp(const Seen *s), want_frexp_exp_d(const Seen *s);
u64 want_trig_preop(const Seen *s);
u64 want_div_fmas(const Seen *s), want_div_fmas_d(const Seen *s);
u64 want_div(const Seen *s), want_div_d(const Seen *s);
/* detail: is the width 0? */
u64 want_ubfe(const Seen *s), want_sbfe(const Seen *s);
u64 want_mul_u24(const Seen *s), want_mul_i24(const Seen *s);
u64 want_perm(const Seen *s); /* detail: mask of z */
u64 want_alignbyte(const Seen *s);
/* y of msad and mqsad with a byte that is 0; of the 64-bit ones x is x:y, z is y:z */
u64 want_sad(const Seen *s), want_sad_hi(const Seen *s), want_sad_u16(const Seen *s), want_msad(const Seen *s);
u64 want_qsad(const Seen *s), want_mqsad(const Seen *s);
u64 want_lerp(const Seen *s), want_put_byte(const Seen *s); /* of put_byte the float is (x >> 20) / 8 - 100 */
u64 want_mbcnt(const Seen *s); /* detail: of the upper lanes */
u64 want_lane(const Seen *s), want_odd(const Seen *s);
u64 want_readfirst(const Seen *s);
u64 want_readlane(const Seen *s); /* detail: of lane 0, not n */
u64 want_ballot(const Seen *s);   /* detail: of true, not of odd x */
/* detail: LLVM's predicate; want_icmp of the low three bits */
u64 want_icmp(const Seen *s), want_icmp_wide(const Seen *s), want_fcmp(const Seen *s);
u64 want_bpermute(const Seen *s);
enum { DOT_A_SIGNED = 1, DOT_B_SIGNED = 2, DOT_SIGNED = 3, DOT_SATURATES = 4 };
u64 want_dot4(const Seen *s); /* detail: DOT_… */
/* detail: bound, one of two patterns << 1, 16 << 2: of the other half */
u64 want_permlane(const Seen *s);
u64 want_swizzle(const Seen *s); /* detail: the offset field */
#define DPP_DETAIL(ctrl, rows, banks, bound) ((ctrl) | (rows) << 12 | (banks) << 16 | (u32)(bound) << 20)
u64 want_dpp(const Seen *s);
/* detail: the mask, 0: z */
u64 want_class(const Seen *s), want_class_d(const Seen *s);

/* Is q the quotient of the float or double at n and that at d? */
bool want_quotient(const void *n, const void *d, const void *q);
bool want_quotient_d(const void *n, const void *d, const void *q);

#endif
