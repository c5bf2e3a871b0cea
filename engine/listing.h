/* The machine code of a kernel, instruction by instruction, with what is known of each: the source line it came from,
 * the registers that are live, and of a run how often it was executed, by how many lanes, and the time it took.
 *
 * Executions and lanes are those of its block (models/timing/machine.h); cycles and time those of the estimate, in
 * which what is waited for is time of the instruction that makes it, wherever the wait is. */
#ifndef WAVESIM_ENGINE_LISTING_H
#define WAVESIM_ENGINE_LISTING_H

#include "models/timing/estimate.h"

typedef struct ListedIns {
	const char *text; /* as the assembler has it; of a VLIW bundle a line for each slot */
	MachineClass cls;
	const char *file; /* NULL: of no source line */
	u32 line;
	u32 block;        /* Listing.blocks index */
	u32 vgprs, agprs, sgprs; /* live */
	MachineSpill spill;
	u32 cycles;       /* that an execution holds the unit */
	double share;     /* of the time of wavefronts … */
	const double *part; /* … PART_COUNT of what it went to; NULL: not known */
} ListedIns;

typedef struct ListedBlock {
	const char *label; /* NULL: none */
	u32 first, n;      /* instructions */
	u64 executions;    /* of wavefronts */
	double lanes;      /* active, on average; negative: not known */
	bool assumed;      /* at least so many: nothing counts them (MachineRun.assumed) */
	bool function;     /* another function begins */
} ListedBlock;

typedef struct Listing {
	const char *cpu, *stands_for, *left_out; /* as in MachineCode */
	const ListedIns *ins;
	u32 nins;
	const ListedBlock *blocks;
	u32 nblocks;
	u32 vgprs, agprs, sgprs; /* that the code has */
	bool live;      /* the numbers of live registers are known */
	bool ran, timed; /* executions and lanes; cycles, share and part */
	u32 most;       /* of the instructions one with the most live vector registers */
} Listing;

/* All of it is the arena's. requires the text of the instructions (MachineCode.listing). The estimate may be
 * missing. */
const Listing *listing_run(const MachineCode *c, const Program *p, const Profile *prof, const MachineRun *run,
                           const Estimate *e, Arena *a);
/* The same without a run. */
const Listing *listing_code(const MachineCode *c, const Program *p, Arena *a);

#endif
