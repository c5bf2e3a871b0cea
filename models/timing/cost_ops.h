/* What operations of the Program become in the machine's instructions, where no code generator
 * says it: by the rules of a maker's compiler. For cost_ir.c; cost_edit.c asks for addresses. */
#ifndef WAVESIM_COST_OPS_H
#define WAVESIM_COST_OPS_H

#include "models/timing/cost.h"
#include "models/timing/predicate.h"

typedef struct OpCost {
	MachineClass cls;
	u16 n;      /* instructions of that class; 0: it is part of another, or of none */
	u16 trans;  /* transcendental ones before them */
	u16 logic;  /* comparisons and choices before these */
	u16 plain;  /* what else is issued, before these */
	u16 cycles; /* of each; 0: as its class */
	/* Cycles from the start of the first of all these but the plain ones to the result; 0: as the last has. The
	 * order of instructions (schedule.c) goes by this: neither the plain ones nor the slow path move it. */
	u16 latency;
	u16 slow_plain, slow_latency; /* more of both on the slow path of doubles (isa/counters.def, slow) */
	bool alone; /* with a branch: nothing of the wavefront starts before the result is there */
	bool integer;
	CostPipe pipe;
} OpCost;

/* What passes values between lanes: `steps` times an exchange of each dword (0: none) and then instructions, and more
 * at the end. */
typedef struct LaneCost {
	u32 steps, dwords;
	OpCost step, end;
} LaneCost;

/* What is known of a register's place in the Program. */
typedef struct RegUse {
	u32 def, ndefs; /* the instruction that writes it last; 0 defs: constant or argument */
	u32 use, nuses; /* the one that reads it last */
	bool leaves; /* it is read in other code than it is written in, or before it is written */
} RegUse;

typedef struct CostOps {
	const Device *dev;
	const Program *p;
	const Profile *prof;
	RegUse *reg;   /* per register */
	const u32 *head; /* Predicates.head */
	u32 *block_of; /* per instruction */
	/* Per instruction: one of its operands costs nothing because of it, or it costs nothing itself. */
	bool *absorbs;
	bool *multiplies; /* … that operand is a product: the multiplier adds, too */
	const u8 *zeros; /* low_zeros() */
	bool *sometimes; /* per block: of a loop, whose turns do not all come to it */
} CostOps;

/* Vector instructions of a new address where an index of 32 bits changes: its sum, its sign where registers are 32 bits
 * wide, and the base and the index times the element's size (IrRules.address). AMD's code by LLVM 15 for gfx906 has
 * these 5, and a sixth that copies the base. */
u32 cost_address_ins(const Device *dev);
CostOps *cost_ops_new(const Device *dev, const Program *p, const Profile *prof, const Predicates *x, Arena *a);
/* The only instruction that writes a register, or NULL. */
const Ins *cost_def(const CostOps *o, u32 reg);
/* Of an arithmetic operation. Each is asked for once, before those that read its result. */
OpCost cost_op(CostOps *o, u32 ins);
/* Cycles until the result of such an operation can be read: for an order of instructions, so those that join others
 * count as they are. */
u32 cost_latency(const Device *dev, const Program *p, const Ins *i);
/* Is a branch in its code (OpCost.alone)? */
bool cost_branches(const Device *dev, const Program *p, const Ins *i);
/* Of one that passes values between lanes, in wavefronts of so many. */
LaneCost cost_lanes(const CostOps *o, u32 ins, u32 wave);
/* Is it for the part of a vector unit that does logic? */
bool cost_is_logic(const Device *dev, const Ins *i);
/* Does it ask for figures of an image, such as its width? */
bool cost_queries_image(const Program *p, const Ins *i);
/* Does it read constant memory by the cache that constants have? (IrRules.constants_by_l1) */
bool cost_in_bank(const CostOps *o, const Ins *i);
/* Are fills of private memory stores? (IrRules.fills) */
bool cost_fills(const Device *dev);
/* Is there a unit for what is equal in all lanes? */
bool cost_has_scalars(const Device *dev);
/* Do ids, arguments and constants take instructions to get? (IrRules.inputs) */
bool cost_counts_inputs(const Device *dev);
/* Have quotients and roots of doubles a slow path, by the rules of its compiler? A run then counts how often lanes take
 * it (SimConfig.counts_slow). */
bool cost_has_slow_path(const Device *dev);

/* The order in which a compiler puts the n instructions of a block (list: of Program.ins, as they are and then as they
 * are put): each when its operands are there, those first that most has to wait for; the last stays the last. by:
 * Predicates.by. */
typedef struct Scheduler Scheduler;
Scheduler *scheduler_new(const CostOps *o, Arena *a); /* o stays */
void schedule_block(Scheduler *x, u32 *list, const u32 *by, u32 n);

#endif
