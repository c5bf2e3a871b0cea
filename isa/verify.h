/* The verifier's state, shared by verify.c (registers, tables, blocks) and
 * verify_ins.c (single instructions). Private to isa/. */
#ifndef WAVESIM_VERIFY_H
#define WAVESIM_VERIFY_H

#include "isa/isa.h"

typedef struct Verifier {
	const Program *p;
	Diag *d;
	const char *file; /* with lines: where instruction i is in a text */
	const u32 *lines;
	u32 failures;
	u32 *seen, round;     /* of verify_distinct: the round that last met each register */
	u32 func, block, ins; /* what is being looked at; NO_BLOCK where none */
} Verifier;

/* Report; returns false so that a check can `return verify_fail(…)`. */
bool verify_fail(Verifier *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Are n valid registers all different? If not, one that is there twice. */
bool verify_distinct(Verifier *v, const u32 *r, u32 n, u32 *twice);
/* One message at most for each instruction. */
bool verify_ins(Verifier *v, const Ins *i);

#endif
