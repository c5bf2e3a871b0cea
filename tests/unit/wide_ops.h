/* Operations on integers of more than 128 bits: as LLVM's assembly, and on arrays of bits. */
#ifndef WAVESIM_WIDE_OPS_H
#define WAVESIM_WIDE_OPS_H

#include "base/base.h"

enum { WIDE_MOST = 2048 }; /* bits */

typedef struct Bits {
	u8 b[2 * WIDE_MOST]; /* 0 or 1, the lowest first */
} Bits;

typedef struct WideIn {
	u32 n; /* width */
	Bits a, b;
	u32 s; /* an amount below n */
	u32 lane;
} WideIn;

/* text computes %r# of type $, # being a number of its own, from %a, %b, %s of type $,
 * i2000 %s2000 (like %s), i32 %bit (lane % 2), i1 %one (of it), i32 %three (lane % 3) and
 * the array @table = [-6, 9]; @N, @B, @W, @L are the numbers of bits, bytes, words of 32 and
 * of 64 bits. */
typedef struct WideOp {
	u32 unit; /* the width must be a multiple of it; 0: a power of two */
	const char *text;
	Bits (*value)(const WideIn *x);
} WideOp;

extern const WideOp wide_ops[];
extern const u32 wide_nops;
bool wide_op_fits(const WideOp *op, u32 n);

#endif
