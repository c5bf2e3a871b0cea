/* Machine code of VLIW chips, by LLVM's r600 back end (private to frontend/; the results are public
 * as isa/r600.h and isa/machine.h).
 *
 * The IR that the machine runs is compiled, as for any other chip (codegen.h): the child makes it one
 * for that back end (r600_convert.c), the parent reads the assembly (r600_parse.c), tells its
 * blocks apart (r600_machine.c) and finds the registers that are live (r600_live.c). How it differs
 * from the other back end is said in backend.c. */
#ifndef WAVESIM_FRONTEND_R600_H
#define WAVESIM_FRONTEND_R600_H

#include "frontend/module/module.h"
#include "isa/r600.h"

/* ---- r600_convert.c ---- */
/* Make the module one for m->chip. NULL, or why that cannot be. */
const char *r600_convert(FeModule *m);

/* ---- r600_parse.c ---- */
/* Read the assembly of a file with that kernel (c->cpu must be set). False: the text is not what
 * LLVM prints. Debug lines are numbers of IR instructions + 1. */
bool r600_parse(R600Code *c, const char *kernel, const char *text, Arena *a);

/* ---- r600_machine.c ---- */
/* Fills in blocks, edges, instructions and facts of c, whose places are known. block_of: the block
 * of each IR instruction. */
void r600_machine(MachineCode *c, const R600Code *r, const u32 *block_of);

/* ---- r600_live.c ---- */
/* Fills in the live GPRs of c, whose instructions r600_machine made and have their text (R600Code.listing). */
void r600_live(MachineCode *c, const R600Code *r);

#endif
