/* What a wavefront has to issue each time it enters a Block of the Program, on a device.
 *
 * Two sources, one form: the machine code of the device's compiler (price_machine.c) or, where
 * there is none, the Program's own instructions, each taken for one of the machine's (price_ir.c).
 * The timing model (timing.h) plays recorded wavefronts (isa/event.h) against this. */
#ifndef WAVESIM_PRICE_H
#define WAVESIM_PRICE_H

#include "base/map.h"
#include "models/device/device.h"
#include "models/timing/machine.h"

/* Where a vector unit has a part of its own for logic, shifts and comparisons (Device.cycles_logic). */
typedef enum { PIPE_MAIN, PIPE_LOGIC, PIPE_EITHER } PricePipe;

typedef struct PriceIns {
	u8 cls;          /* MachineClass */
	u8 dep, vm, lgkm, vs; /* as MachineIns; mind NO_WAIT, for 0 waits for all */
	LdsIns lds;      /* of an LDS access; .bytes 0: as its access says. Of scratch .bytes */
	bool write;      /* of scratch */
	bool apart;      /* counted with the stores that vs waits for, not in vm */
	bool divides;    /* a branch that lanes may take differently */
	bool constant;   /* a load through the constant cache */
	u8 part, parts;  /* it does this part of its accesses; several instructions share them */
	u8 moves;        /* not 0: it does an access that a copy or a fill makes of many elements, and is issued so
	                  * often for each of the elements that are its part */
	u16 cycles;      /* its unit is held */
	u8 pipe;         /* PricePipe, of vector arithmetic */
	u16 stands;      /* the wavefront's next instruction comes so many cycles later; 0: as usual */
	u32 line;        /* Price.lines index */
	u32 first_access, naccess; /* Price.access_of[…]: accesses of the Program that it does */
} PriceIns;

/* Machine code that runs `rate` times (on average) when its block is entered. */
typedef struct PricePiece {
	u32 first, n; /* Price.ins */
	double rate;
} PricePiece;

typedef struct PriceLine {
	u32 file, line; /* Program.files index; line 0: none known */
} PriceLine;

typedef struct Price {
	const char *source; /* "amdgpu", "r600", "ir" */
	ARRAY(PriceIns) ins;
	ARRAY(PricePiece) pieces;
	u32 *first_piece; /* per Block, and one more: its pieces */
	ARRAY(u32) access_of; /* access numbers */
	u32 *access;      /* per instruction of the Program: the access number of what it reads; what it writes has
	                   * the next one; or NO_ACCESS */
	u32 naccesses;
	ARRAY(PriceLine) lines; /* [0]: no line known */
	Map *line_of;     /* their indices, + 1 */
	u32 wave;         /* lanes of the wavefronts that ran */
} Price;
#define NO_ACCESS UINT32_MAX

/* code and run may be NULL or missing: then the Program itself is priced. */
Price *price_new(const Device *dev, const Program *p, const Profile *prof, const MachineCode *code,
                 const MachineRun *run, Arena *a);

/* ---- for the two sources ---- */
/* The Space that an instruction reads from, or writes to; SPACE_COUNT: none. */
u32 price_space(const Ins *i, bool write);
/* Does it access memory there that is recorded? */
bool price_accesses(const Ins *i, bool write);
void price_machine(Price *x, const Device *dev, const Program *p, const Profile *prof,
                   const MachineCode *code, const MachineRun *run);
void price_ir(Price *x, const Device *dev, const Program *p);
/* Cycles that an instruction of a class holds its unit, for x->wave lanes. */
u32 price_cycles(const Device *dev, MachineClass cls, u32 wave);
/* Does it count apart those vector memory accesses that bring nothing back? */
bool price_stores_apart(const Device *dev);
u32 price_line(Price *x, u32 file, u32 line);

/* Price.lines index of a line, or UINT32_MAX. Line 0: none known, of any file. */
u32 price_find_line(const Price *x, u32 file, u32 line);

#endif
