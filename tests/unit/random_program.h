/* Random verified Programs for tests: every lane operation, branches, loops with
 * several exits, switches, irreducible regions, calls, memory in every space. They
 * end, their lanes do not talk to each other, and they make no NaN (whose bits
 * depend on the order of operands), so that any correct machine leaves the same
 * memory behind. */
#ifndef WAVESIM_RANDOM_PROGRAM_H
#define WAVESIM_RANDOM_PROGRAM_H

#include "isa/isa.h"

enum {
	RANDOM_LOCAL = 64,      /* work-items of a work-group at most (LDS has room for them) */
	RANDOM_OUT_BYTES = 512, /* of argument 0, for each work-item: its variables */
	RANDOM_IN_BYTES = 1024, /* of argument 1: read only */
	RANDOM_SUMS_BYTES = 64, /* of argument 3: atomics */
};

typedef struct RandomShape {
	u32 statements; /* of a function, roughly */
	u32 depth;      /* of nesting */
	u32 functions;  /* besides the kernel */
	bool irreducible;
	bool barriers;
} RandomShape;
extern const RandomShape random_shape;

/* Arguments: 0 out (global buffer, RANDOM_OUT_BYTES times work-items in all), 1 in
 * (global buffer), 2 n (uint), 3 sums (global buffer). Parameters in the same order,
 * registers i64, i64, i32, i64. One dimension, work-groups of RANDOM_LOCAL. Finished,
 * not yet verified. */
Program *random_program(u64 seed, const RandomShape *shape);

/* The next of a sequence of random numbers; any state but 0 will do. */
u64 random_next(u64 *state);

#endif
