/* Dynamic machine-instruction counts: a run of the wave machine (isa/profile.h) costed
 * with the machine code of the device (isa/machine.h).
 *
 * A machine instruction ran as often as its machine basic block. A block that begins
 * with an IR block ran as often as that; the others follow from conservation of flow.
 * A division of 64-bit integers has two paths that no IR block begins with: the run counts how often each was taken
 * (isa/counters.def, DIVISION).
 * Two things differ from the IR's count:
 *   - a block with one way in, from a block with one way out, ran as often as that one:
 *     the compiler lets short masked code run with no lane active instead of jumping;
 *   - loops that only the machine has (a compare-and-swap loop around an atomic, a loop
 *     over the different values of an index) are taken as run once an entry: nothing in
 *     the IR counts their iterations. Where branches exist only in the machine's code, the
 *     least flow is taken that the rest needs. Such blocks are `assumed`: a lower bound. */
#ifndef WAVESIM_MACHINE_COUNT_H
#define WAVESIM_MACHINE_COUNT_H

#include "isa/machine.h"
#include "isa/profile.h"

typedef struct MachineLine {
	u32 file, line; /* Program.files index; line 0: from IR without a source line */
	u64 count[MC_COUNT];
} MachineLine;

typedef struct MachineRun {
	u64 *execs;    /* per machine block */
	bool *assumed; /* per machine block: not certain */
	u32 *driver;   /* per machine block: the Block of the Program with whose entries it runs, or
	                * NO_BLOCK: none of those before it ran */
	u32 nassumed;  /* executed blocks of that kind */
	u64 total[MC_COUNT];
	u64 unmapped;  /* of these, from no IR instruction */
	MachineLine *lines; /* sorted by file, line; line 0 last; machine code of no IR instruction
	                     * is in none */
	u32 nlines;
} MachineRun;

/* requires that nothing is missing. The result is the arena's. */
MachineRun *machine_run(const MachineCode *c, const Program *p, const Profile *prof, Arena *a);
/* Source lines of machine instructions, without counts; line 0: not known. */
typedef struct MachinePlaces {
	const MachineCode *c;
	const Program *p;
	const MachineRun *run; /* or NULL: it did not run */
	u32 *parted; /* per Block of the Program: the last before it whose lanes meet there again, or NO_BLOCK */
} MachinePlaces;
MachinePlaces machine_places(const MachineCode *c, const Program *p, const MachineRun *run, Arena *a);
/* Of instruction m in machine block b: of the IR instruction that it comes from. What moves masks of lanes comes from
 * none: it belongs to the branch at whose block's end it stands, or whose lanes it brings together. */
MachineLine machine_place(const MachinePlaces *x, u32 b, u32 m);
/* The row of a line, or NULL: it has no machine code. */
const MachineLine *machine_line(const MachineRun *r, u32 file, u32 line);
/* Of all classes. */
u64 machine_sum(const u64 count[MC_COUNT]);

#endif
