/* What LLVM's r600 back end made of a kernel: registers and instructions for a VLIW chip
 * (Evergreen, Northern Islands). frontend/codegen/r600*.c fill it in; models/timing/r600.c works out rates.
 *
 * The machine runs a control-flow program. Some of its instructions start a clause: a run of
 * arithmetic, in bundles of up to five operations (four on Northern Islands) that issue
 * together, or a run of memory fetches. */
#ifndef WAVESIM_R600_H
#define WAVESIM_R600_H

#include "isa/machine.h"

#define NO_STEP UINT32_MAX

/* One control-flow instruction, with the clause that it starts. */
typedef struct R600Step {
	u32 bundles, fetches;
	u32 stores;  /* atomics included */
	u32 to;      /* where it goes on when no lane needs what follows, or NO_STEP */
	u32 back;    /* of a loop's end: where the next iteration begins; else NO_STEP */
	bool is_else; /* a wavefront that jumps here has no lane in the first half, so the other half runs */
	bool is_break; /* lanes leave the loop that ends at step `to`; without any left, the wavefront does */
	bool is_continue; /* lanes go to the end of the loop's iteration */
	bool is_end;
	u32 ir;      /* the IR instruction it came from, or NO_IR */
	u32 first, n; /* R600Code.ins: what it does */
	const char *text; /* with R600Code.listing: as the assembler has it */
} R600Step;

typedef struct R600Code {
	const char *missing; /* why there is nothing to know, or NULL: all below is valid */
	const char *cpu;
	bool listing;        /* as MachineCode.listing */
	u32 gprs;            /* of 4 x 32 bits a lane */
	u32 stack;           /* entries for masks of diverged lanes */
	u32 bundles, slots;  /* of arithmetic: what AMD calls ALU, and operations in them */
	u32 trans;           /* of the slots: in the fifth one, for transcendental functions and 32-bit
	                      * multiplication; where there are four, what such operations take */
	u32 literals;        /* 64-bit words of constants between the bundles */
	u32 alu_clauses, fetch_clauses, loops;
	u32 fetches, stores, atomics;
	u32 lds, barriers;   /* LDS operations are slots too */
	const R600Step *steps;
	u32 nsteps;          /* control-flow instructions */
	const MachineIns *ins; /* of all steps: bundles, LDS operations behind theirs, fetches, stores */
} R600Code;

#endif
