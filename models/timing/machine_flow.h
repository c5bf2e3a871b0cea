/* Execution counts of machine blocks (private to models/machine*.c). */
#ifndef WAVESIM_MACHINE_FLOW_H
#define WAVESIM_MACHINE_FLOW_H

#include "base/heap.h"
#include "models/timing/machine.h"

/* Edges have the numbers that MachineCode.edges gives them. */
typedef struct FlowEdge {
	u32 from, to;
	u64 count;
	bool known;
} FlowEdge;

/* What is known of the edges on one side of a block. */
typedef struct FlowSide {
	u64 sum;
	u32 unknown;
} FlowSide;

/* Which blocks a rule has to look at again. */
typedef struct RuleQueue {
	Heap due; /* sweep << 32 | block */
	bool *queued;
	u32 sweep, at; /* its number; the block it is at, NO_BLOCK: between two */
} RuleQueue;

typedef ARRAY(u32) BlockList;

typedef enum { RULE_CHAIN, RULE_EQUAL, RULE_BALANCE, RULES } Rule;
enum { OUT, IN, SIDES };

typedef struct MachineFlow {
	const MachineCode *c;
	MachineRun *r;
	Arena *arena;
	FlowEdge *e;
	u32 ne;
	u32 *in_first, *in; /* edges into block b: e[in[in_first[b]]] … up to in_first[b + 1] */
	bool *known;  /* per block */
	u64 *ir;      /* per block: the count of its IR block, … */
	bool *has_ir; /* … if there is one */
	u32 *before, *after; /* per block: the one before it in a chain, behind it, or NO_BLOCK */
	BlockList *same;     /* per block: the later ones that run as often (MachineBlock.same) */
	BlockList *copies;   /* per block: the blocks that are copies of it */
	BlockList *groups;   /* per block: the blocks of the IR of which it is one or a copy */
	u32 *group_unknown;  /* per block: of it and its copies */
	FlowSide *side[SIDES];
	RuleQueue work[RULES];
	/* Candidates of flow_decide: blocks by number; edges and blocks before these are done with. */
	Heap copies_due, pulled;
	u32 next_back_edge, next_chain, next_block;
} MachineFlow;

/* ---- machine_flow.c ---- */
/* Fills in execs and assumed; of driver what is known without them, else NO_BLOCK. */
void machine_flow(const MachineCode *c, const Program *p, const Profile *prof, MachineRun *r);
void flow_set_block(MachineFlow *f, u32 b, u64 n);
void flow_set_edge(MachineFlow *f, FlowEdge *e, u64 n);
static inline bool flow_is_copied(const MachineFlow *f, u32 b) { return f->copies[b].n; }

/* ---- machine_copies.c ---- */
/* Fills in copies. */
void flow_find_copies(MachineFlow *f);

/* ---- machine_divide.c ---- */
/* The counts of the paths of divisions, and with which Blocks these run. */
void flow_put_divisions(MachineFlow *f, const Program *p, const Profile *prof);

/* ---- machine_guess.c ---- */
/* One more count where nothing else follows from what is known; false: all blocks have one. */
bool flow_decide(MachineFlow *f);

#endif
