/* What a wavefront has to issue each time it enters a Block of the Program, on a device.
 *
 * Two sources, one form: the machine code of the device's compiler (cost_machine.c) or, where
 * there is none, the Program's own instructions, each taken for one of the machine's (cost_ir.c).
 * The timing model (timing.h) plays recorded wavefronts (isa/event.h) against this. */
#ifndef WAVESIM_COST_H
#define WAVESIM_COST_H

#include "base/hash.h"
#include "isa/matrix.h"
#include "models/device/device.h"
#include "models/timing/machine.h"

/* Where a vector unit has a part of its own for logic, shifts and comparisons (Device.cycles_logic). */
typedef enum { PIPE_MAIN, PIPE_LOGIC, PIPE_EITHER } CostPipe;

typedef struct CostIns {
	u8 cls;          /* MachineClass */
	u8 dep, vm, lgkm, vs; /* as MachineIns; mind NO_WAIT, for 0 waits for all */
	u8 guard;        /* as dep, of the condition that it branches on or is under (Device.guard_latency); 0: none */
	LdsIns lds;      /* of an LDS access; .bytes 0: as its access says. Of scratch .bytes */
	bool write;      /* of scratch */
	u64 frame;       /* of scratch: its place in a wavefront's, in bytes of all lanes; NO_FRAME: not known */
	bool separate;   /* counted with the stores that vs waits for, not in vm */
	bool divides;    /* a branch that lanes may take differently */
	bool constant;   /* a load through the constant cache */
	bool joined;     /* an atomic that one lane does for all */
	u8 part, parts;  /* it does this part of its accesses; several instructions share them */
	bool image;      /* an access by a texture unit: each of its elements is a texel of the lanes */
	bool fetch;      /* … of texels at integer coordinates: IMAGE_FETCH */
	u8 queries;      /* a texture unit is asked for so many figures of an image */
	u8 moves;        /* not 0: it does an access that a copy or a fill makes of many elements, and is issued so
	                  * often for each of the elements that are its part */
	u16 cycles;      /* its unit is held */
	u8 pipe;         /* CostPipe, of vector arithmetic */
	u16 latency; /* not 0: its result comes no sooner than so many cycles after the start of the instruction … */
	u8 behind;       /* … that is so many before it */
	bool alone;      /* the wavefront's next instruction waits for its result */
	u16 stall;       /* the wavefront's next instruction comes so many cycles later; 0: as usual */
	u32 line;        /* Costs.lines index */
	u32 first_access, naccess; /* Costs.access_of[…]: accesses of the Program that it does */
} CostIns;

/* Machine code that runs `rate` times (on average) when its block is entered. */
typedef struct CostBlock {
	u32 first, n; /* Costs.ins */
	double rate;
	bool loops;   /* it is the loop of a copy: each time it runs as often as the copy's elements need it */
} CostBlock;

typedef struct CostLine {
	u32 file, line; /* Program.files index; line 0: none known */
} CostLine;

typedef struct Costs {
	const char *source; /* "amdgpu", "r600", "ir" */
	u64 frame; /* private memory of a wavefront, in bytes of all lanes */
	ARRAY(CostIns) ins;
	ARRAY(CostBlock) blocks;
	u32 *first_block; /* per Block, and one more: its code, Costs.blocks */
	u32 *head; /* per Block: the one whose code its own is part of, without branches between; itself: its own */
	ARRAY(u32) access_of; /* access numbers */
	u32 *access;      /* per instruction of the Program: the access number of what it reads; what it writes has
	                   * the next one; or NO_ACCESS */
	u32 naccesses;
	const u8 *way;    /* per instruction of the Program: AccessWay of what it accesses (memory.h) */
	const u32 *apart; /* per Block, with Device.lanes_apart: of loops behind which lanes run apart (atomic_loops) */
	ARRAY(CostLine) lines; /* [0]: no line known */
	Map *line_of;     /* their indices, + 1 */
	u32 wave;         /* lanes of the wavefronts that ran */
} Costs;
#define NO_ACCESS UINT32_MAX

/* code and run may be NULL or missing: then the Program itself is costed. */
Costs *costs_new(const Device *dev, const Program *p, const Profile *prof, const MachineCode *code,
                 const MachineRun *run, Arena *a);

/* ---- for the two sources ---- */
/* The Space that an instruction reads from, or writes to; SPACE_COUNT: none. */
u32 cost_space(const Ins *i, bool write);
/* Does it access memory there that is recorded? */
bool cost_accesses(const Ins *i, bool write);
/* Of a work-item's private variables, as they are recorded. */
u64 cost_private_bytes(const Program *p);
void cost_machine(Costs *x, const Device *dev, const Program *p, const Profile *prof,
                   const MachineCode *code, const MachineRun *run);
void cost_ir(Costs *x, const Device *dev, const Program *p, const Profile *prof);
/* Cycles that an instruction of a class holds its unit, for x->wave lanes. */
u32 cost_cycles(const Device *dev, MachineClass cls, u32 wave);
/* … that a matrix instruction holds it: from the device's rate, where it has one. */
u32 cost_matrix(const Device *dev, const MatrixShape *s);
/* Operations of a compute unit in a cycle by matrix instructions that multiply such numbers; 0: it has none. A shape
 * does so many halves of it (MatrixShape.rate). */
u32 cost_matrix_rate(const Device *dev, MatrixType in);
/* Does it have a counter of its own for vector memory accesses that return nothing? */
bool cost_stores_separate(const Device *dev);
u32 cost_line(Costs *x, u32 file, u32 line);

/* Costs.lines index of a line, or UINT32_MAX. Line 0: none known, of any file. */
u32 cost_find_line(const Costs *x, u32 file, u32 line);

#endif
