/* Machine-code facts: what AMD's code generator in LLVM makes of the kernel (private to
 * frontend/; the result is public as isa/machine.h).
 *
 *   codegen_number   gives every IR instruction and block of the module a number
 *   codegen_start    a child process generates the code; the parent goes on
 *   codegen_finish   reads its assembly
 *   codegen_free     stops a child that was not waited for
 *
 * The child sets the debug line of each instruction to its number, so that the `.loc`
 * lines of the assembly name the IR instruction of every machine instruction, and names
 * block 12 "wavesim.12b", which the assembly repeats behind the label. The module of the
 * parent stays as it is. LLVM's code generator ends the process when it meets
 * something it cannot do: that is one more reason for the child. */
#ifndef WAVESIM_FRONTEND_CODEGEN_H
#define WAVESIM_FRONTEND_CODEGEN_H

#include "frontend/module/module.h"
#include "isa/machine.h"
#include "isa/r600.h"

#include <string.h>

/* Does the text, of an instruction mostly, begin with that? */
static inline bool starts(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

typedef struct Codegen Codegen;

/* requires the module as -O3 left it: from here on blocks may be added and joined, but
 * the numbers of the old ones stay known (codegen_block). */
void codegen_start(FeModule *m);
/* The number of a block, or NO_IR for one that came later. */
u32 codegen_block(const FeModule *m, LLVMBasicBlockRef b);
/* The number of an instruction that may touch memory or divides integers, + 1, or 0. */
u32 codegen_ins(const FeModule *m, LLVMValueRef v);
u32 codegen_nblocks(const FeModule *m);
/* Never NULL; MachineCode.missing says why when there is nothing to know. */
const MachineCode *codegen_finish(FeModule *m);
/* After it, of a VLIW chip: what the machine code is made of, or why there is none. Else NULL. */
const R600Code *codegen_r600(const FeModule *m);
void codegen_free(FeModule *m);

/* ---- codegen_calls.c ---- */
/* What the kernel calls that stays out of the machine code (printf …), or NULL. */
const char *codegen_leaves_out(const FeModule *m);
/* The name of a function that the code generator has no code for, or NULL. */
const char *codegen_cannot_call(const FeModule *m);
/* In the child: bodies for the calls that have none, after the numbers are set. */
bool codegen_replace_calls(FeModule *m);
/* ---- codegen_wave.c ---- */
/* Is it a function of what lanes pass each other (frontend/module/collective.h)? */
bool codegen_is_wave(const char *name);
/* Are there calls of them? */
bool codegen_calls_lanes(const FeModule *m);
/* In the child: bodies for them. */
bool codegen_wave_calls(FeModule *m);
/* In the child: LLVM's passes over the module. Whether they could be run. */
bool codegen_passes(const FeModule *m, const char *passes);

/* ---- codegen_parse.c ---- */
/* Read amdgcn assembly of a module whose kernel is called kernel. Strings go to a. False: the text
 * is not what LLVM prints. */
bool codegen_parse(MachineCode *c, const char *kernel, const char *text, Arena *a);
/* Class, bytes and pair of a mnemonic. */
void codegen_classify(const char *mnemonic, MachineIns *out);

/* ---- codegen_operands.c ---- */
/* Numbers of registers: vector, accumulation and scalar ones. */
enum { REGISTER_V0 = 0, REGISTER_A0 = 512, REGISTER_S0 = 768, REGISTER_VCC = 900, REGISTER_EXEC = 902,
	REGISTER_COUNT = 1024 };
typedef struct OperandRange {
	u32 first, n;
} OperandRange;
/* The register or range at *text, which goes behind it; n = 0: it is none. */
OperandRange codegen_register(const char **text);
/* Bytes from the first to the second address of a pair. */
u16 codegen_pair_distance(const MachineIns *x, const char *text);

/* Scalar registers that hold a constant. */
enum { MOST_SCALARS = 128 };
typedef struct KnownScalars {
	bool known[MOST_SCALARS];
	u32 value[MOST_SCALARS];
} KnownScalars;
/* Called for each instruction in order. An access to private memory gets its place there (MachineIns.frame); of other
 * instructions k remembers the constants that they put into scalar registers, which later accesses add. */
void codegen_frame(MachineIns *x, const char *text, KnownScalars *k);

/* Which instruction of the block wrote each register last. */
typedef struct Writers {
	u32 at[1024]; /* instruction + 1; older ones than first are of other blocks */
} Writers;
/* Read the operands of instruction number n (text: behind the mnemonic) of a block that
 * begins with `first`: fills in dep and the counts of a wait. */
void codegen_operands(MachineIns *x, const char *text, u32 n, u32 first, Writers *w);

/* ---- codegen_uses.c ---- */
/* What an instruction does with a register or a range of them. */
typedef struct RegisterUse {
	u16 first;
	u8 n;
	bool reads, writes;
	bool whole; /* all of it is written: what was there before is lost, in the lanes that are active */
} RegisterUse;
enum { MOST_USES = 24 };
/* text: behind the mnemonic. How many of out were filled in. */
u32 codegen_uses(const MachineIns *x, const char *text, RegisterUse out[MOST_USES]);

/* ---- codegen_live.c ---- */
/* Registers whose value is not defined from there on, so that nothing needs what they held. */
typedef struct UndefinedRegisters {
	u32 block, before; /* MachineCode.ins index */
	OperandRange r;
} UndefinedRegisters;
/* Fills in the live registers of c, whose instructions have their text and whose edges are known; of n undefined ones,
 * in the order of the code. */
void codegen_live(MachineCode *c, const UndefinedRegisters *undefined, u32 n);

#endif
