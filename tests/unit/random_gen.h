/* The state of the random program builder and what its two files share: random_leaf.c
 * (straight-line code) and random_program.c (control flow, the whole program). */
#ifndef WAVESIM_RANDOM_GEN_H
#define WAVESIM_RANDOM_GEN_H

#include "tests/unit/random_program.h"

enum { VARS = 2, TEMPS = 24, MAX_FUNCS = 4, LOOP_ROUNDS = 3, TABLE_BYTES = 64 };

typedef struct Gen {
	Program *p;
	const RandomShape *shape;
	u64 rng;
	u32 func;
	u32 budget; /* statements left */
	u32 depth, loop_depth;
	bool uniform; /* all lanes of the wavefront are here */
	bool ended;   /* some lanes may have returned */
	bool masked;  /* straight-line code of an irreducible region */
	u32 line;
	u32 var[TYPE_COUNT][VARS];
	u32 scalar[TYPE_COUNT]; /* one scalar variable of each type */
	u32 temp[TYPE_COUNT][TEMPS], ntemp[TYPE_COUNT];
	u32 lid, gid;            /* kernel only */
	u32 lane_lds, lane_priv; /* the lane's 16 bytes of LDS, of private memory */
	struct {
		u32 vector[2], scalar, result[2]; /* i32 and f32; i32; i32 and f32 */
	} sig[MAX_FUNCS];
} Gen;

/* ---- random_leaf.c ---- */
u32 rp_below(Gen *g, u32 n); /* 0 … n - 1 */
bool rp_chance(Gen *g, u32 percent);

Ins *rp_emit(Gen *g, Op op, const u32 *dst, u32 ndst, const u32 *src, u32 nsrc, u32 ntgt);
u32 rp_temp(Gen *g, Type t, bool scalar);
void rp_keep(Gen *g, u32 r); /* r may be read in the rest of the block */
u32 rp_block(Gen *g, const char *name);
/* End the block; rp_set_target fills the targets in once they exist. The instruction. */
u32 rp_jump(Gen *g);
u32 rp_branch(Gen *g, u32 cond);
void rp_set_target(Gen *g, u32 ins, u32 k, u32 b);
void rp_mov(Gen *g, u32 d, u32 a);
bool rp_is_vector(const Gen *g, u32 r);
u32 rp_lane2(Gen *g, Op op, u32 a, u32 b, i64 k);
u32 rp_constant_i32(Gen *g, u32 v);
u32 rp_constant(Gen *g, Type t);
u32 rp_operand(Gen *g, Type t);        /* something of type t to read */
u32 rp_compute(Gen *g, u32 op);        /* a lane operation on whatever there is; its result */
u32 rp_small_index(Gen *g, u32 limit); /* 0 … limit - 1, a power of two, from some i32 */
void rp_load(Gen *g, u32 space, u32 address, i64 offset, Type t, u32 n);

/* Statements. */
void rp_assign(Gen *g);
void rp_choose(Gen *g);
void rp_load_in(Gen *g);
void rp_load_table(Gen *g);
void rp_own_memory(Gen *g);
void rp_atomic(Gen *g);
void rp_block_memory(Gen *g);

#endif
