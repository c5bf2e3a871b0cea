/* OpenCL C's functions of sub-groups and work-groups, and its dot products of bytes, which have our bodies: which one a
 * mangled name is
 * (collective.def), and the calls that these bodies are made of.
 *
 * A sub-group is a wavefront. What its lanes pass each other stays a call of a function without a body, so that the
 * optimiser leaves it where it is: wavesim.wave. and
 *
 *   ballot              i128 (i1)          query.NAME   i32 ()    a query of isa.h
 *   first.T             T (T)              whole        void ()
 *   read.T              T (T, i32 lane)    barrier      void ()
 *   permute.T           T (i32 lane, T)
 *   reduce.FOLD.T       T (T, i32 lanes, a constant; 0: all)
 *   scan.FOLD.T         T (T, i32 1: without the own value, a constant)
 *
 * T: i1 i8 i16 i32 i64 half float double. frontend/lower makes operations of isa/ops.def of them, frontend/codegen what
 * AMD's compiler makes. */
#ifndef WAVESIM_FRONTEND_COLLECTIVE_H
#define WAVESIM_FRONTEND_COLLECTIVE_H

#include "isa/isa.h"

#define FE_WAVE "wavesim.wave."
/* What calls of these functions are called until they have a body: this, and the mangled name. */
#define FE_COLLECTIVE "collective."

typedef enum {
	WAVE_ITEMS, MAX_SIZE, GROUP_WAVES, FULL_WAVES, WAVE_ID, LANE_ID, WAVE_BARRIER, ALL, ANY, ALL_EQUAL, ELECT,
	BROADCAST, BROADCAST_FIRST, BALLOT, INVERSE_BALLOT, BIT_EXTRACT, BIT_COUNT, BITS_INCLUSIVE, BITS_EXCLUSIVE,
	LOWEST_BIT, HIGHEST_BIT, MASK_EQ, MASK_GE, MASK_GT, MASK_LE, MASK_LT, REDUCE, SCAN_EXCLUSIVE, SCAN_INCLUSIVE,
	CLUSTERED_REDUCE, SHUFFLE, SHUFFLE_XOR, SHUFFLE_UP, SHUFFLE_DOWN, ROTATE, CLUSTERED_ROTATE, PAIR_UP, PAIR_DOWN,
	BLOCK_READ, BLOCK_WRITE, GROUP_ALL, GROUP_ANY, GROUP_BROADCAST, GROUP_REDUCE, GROUP_EXCLUSIVE, GROUP_INCLUSIVE,
	DOT
} CollectiveKind;

typedef struct CollectiveType {
	const char *name; /* of one component, as LLVM writes it */
	u8 n;             /* components */
	bool is_unsigned, is_float;
	bool pointer;     /* to it */
} CollectiveType;

enum { MOST_PARAMS = 4 };
typedef struct Collective {
	const char *name; /* n bytes */
	u32 n;
	CollectiveKind kind;
	bool whole;   /* all of the sub-group have to come */
	bool logical; /* values are truth values */
	u32 fold;     /* Fold, of those that have an operation */
	u32 nparams;
	CollectiveType param[MOST_PARAMS];
} Collective;

/* What joins two values in IR: an instruction, or else the name of an intrinsic, between llvm. and the type. */
extern const char *const fe_fold_plain[FOLD_COUNT], *const fe_fold_called[FOLD_COUNT];

/* Parts of the names above: "add.i32" is behind "reduce" in "reduce.add.i32", or NULL; which of names a name begins
 * with, or count; the type that is called so (half: f32). */
const char *fe_wave_behind(const char *name, const char *word);
u32 fe_wave_named(const char *const *names, u32 count, const char *name);
Type fe_wave_type(const char *name);

/* Is a symbol one of them? */
bool fe_collective(const char *symbol, Collective *out);

#endif
