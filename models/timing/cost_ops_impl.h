/* The table of what is known of each maker's compiler, and what else cost_ops.c and cost_divide.c share. */
#ifndef WAVESIM_COST_OPS_IMPL_H
#define WAVESIM_COST_OPS_IMPL_H

#include "models/timing/cost_ops.h"

/* So many instructions of a class. */
#define FLOAT(class, count) {.cls = class, .n = count}
#define INTEGER(class, count) {.cls = class, .n = count, .integer = true}

/* Divisions of integers of 64 bits: AMD's, and NVIDIA's for want of its own: what LLVM 15 makes for gfx906,
 * gfx90a and gfx1030 of a signed quotient when a lane's operands need more than 32 bits (remainder 102, unsigned 89
 * and 88); lanes of smaller ones branch to what IrRules.div_short says. */
enum { DIV_I64 = 104 };

/* How the addresses of a block's loads are made. */
typedef enum {
	ADDRESSES_shared,   /* of most loads they differ by constants from that before */
	ADDRESSES_own,
	ADDRESSES_unsigned, /* by sums that may wrap, so none is made of another */
	ADDRESS_KINDS
} AddressKind;

/* Registers of a lane that loads may fill ahead of what reads them (schedule.c). */
typedef struct LoadRoom {
	u32 step;  /* a kernel that needs more than let the most wavefronts fit has a multiple of it; 0: no limit is
	            * known */
	u32 least; /* for loads, whatever else there is */
	struct {
		u32 needed; /* beside the most that are live in the kernel */
		u32 beside; /* in the block, beside those live and what loads bring */
	} of[ADDRESS_KINDS];
} LoadRoom;

typedef struct IrRules {
	OpCost div, div_again;   /* 32-bit integers; by what the loop does not change */
	OpCost div_short;        /* 64-bit ones that fit 32 bits, as the code finds out */
	OpCost div_const, div_const_64; /* by a constant: a product, and shifts */
	u16 rem_const, rem_const_64; /* instructions more: a product and a difference */
	OpCost fdiv, fdiv_again, fdiv_const; /* f32 */
	OpCost root;             /* of f32, or its reciprocal */
	OpCost div_f64, reciprocal_f64, root_f64, inverse_root_f64, rem_f64, trans_f64;
	OpCost wide_product;     /* 64 bits of two values of 32 */
	OpCost address;          /* 64 bits: base + 32-bit index * k */
	OpCost bit_count, trailing_zeros;
	OpCost max_i64;          /* or the smaller, of 64 bits */
	OpCost add_sat_signed, add_sat; /* sums and differences kept within the type's range */
	OpCost max_f64;          /* or the smaller */
	OpCost round, round_f64; /* to an integer, as a float */
	OpCost to_integer, to_float, to_float_narrow; /* narrow: from 8 or 16 bits */
	OpCost wide_convert;     /* from or to 64 bits */
	/* Steps of reduce and scan: AMD's vector instructions read their operand from another lane; of 64 bits and of
	 * what has no such form a move does, one for each dword. */
	bool reads_lanes;
	bool inputs;  /* ids, arguments, constants carried into a join and the place of an image take instructions to get */
	bool scalars; /* what is equal in all lanes is a scalar unit's */
	bool joins;   /* three inputs: additions, logic, product and addition, shift and addition */
	bool joins_root; /* 1 / sqrt(x) is one function */
	bool halves;  /* registers are 32 bits wide: parts of 64 bits cost nothing */
	bool counts;  /* the number of work-groups is read as their size is; AMD's library divides */
	bool predicates; /* short sides of branches are instructions under a condition (predicate.c) */
	/* Arguments in constant memory are read as global memory is, by L1, and where a kernel of the source has one,
	 * all tables of the program as well. */
	bool constants_by_l1;
	bool fills; /* arrays in private memory that begin as zeros are stored to */
	LoadRoom loads;
} IrRules;

extern const IrRules cost_rules[]; /* by DeviceIrRules */

/* The block whose code an instruction is in. */
static inline u32 cost_code_of(const CostOps *o, u32 ins) { return o->head[o->block_of[ins]]; }

/* The only instruction that writes operand k, or NULL. */
const Ins *cost_source(const CostOps *o, const Ins *i, u32 k);
bool cost_is_const(const CostOps *o, const Ins *i, u32 k);
bool cost_is_one(const Program *p, u32 reg); /* the constant 1, of 32 or 64 bits */

/* ---- cost_divide.c ---- */
OpCost cost_divide_integers(const IrRules *r, const CostOps *o, u32 ins, u8 type);
OpCost cost_divide_floats(const IrRules *r, const CostOps *o, u32 ins); /* of 32 bits */
/* Of doubles: with the slow path as often as the run's wavefronts took it. */
OpCost cost_divide_slow(const CostOps *o, u32 ins, OpCost x);
/* Is it a root whose only reader divides 1 by it, where both are one function? Then it costs nothing itself. */
bool cost_divide_inverts(const IrRules *r, const CostOps *o, const Ins *root);

#endif
