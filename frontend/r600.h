/* Machine-code facts of VLIW chips (private to frontend/; the result is public as isa/r600.h).
 *
 * LLVM's r600 back end is no part of the library this program stands on, so the source goes
 * through clang, with libclc for the built-in functions, in a child process:
 *
 *   r600_start    looks for both and starts clang; the caller goes on
 *   r600_finish   waits and reads the assembly
 *
 * Both are optional: what is not there, or cannot compile the kernel, is said in
 * R600Code.missing. */
#ifndef WAVESIM_FRONTEND_R600_H
#define WAVESIM_FRONTEND_R600_H

#include "frontend/module.h"
#include "isa/r600.h"

typedef struct R600Options {
	const char *cpu;           /* LLVM's name: cypress, redwood, cayman */
	const char *path, *source; /* of the kernel; source NULL: it is bitcode */
	const char *kernel;
	const char *build_options; /* for OpenCL's compiler; may be NULL */
	const char *clang;         /* the program; NULL: clang-15 or clang on PATH */
	const char *libclc;        /* folder of its bitcode; NULL: where it usually is */
	u32 wave;                  /* 0, or the width that was asked for */
	double seconds;            /* that clang may take; 0: a minute */
} R600Options;

typedef struct R600Job R600Job;

/* The strings of o must live until r600_finish. */
R600Job *r600_start(const R600Options *o, Arena *a);
/* Never NULL. The result and its strings are the arena's. */
const R600Code *r600_finish(R600Job *job);

/* What LLVM says it cannot do, in words. Addresses differ from run to run and end it. */
const char *r600_reason(const char *message, Arena *a);

/* ---- r600_parse.c ---- */
/* Read the assembly of a file with that kernel (c->cpu must be set). Sets missing when the text
 * is not what LLVM prints. Debug lines are numbers of IR instructions + 1. */
void r600_parse(R600Code *c, const char *kernel, const char *text, Arena *a);

/* ---- r600_convert.c ---- */
/* LLVM's back end for m->r600_cpu, or NULL. The caller disposes of it. */
LLVMTargetMachineRef r600_target(const FeModule *m);
/* All functions are for m->r600_cpu, or for its stand-in again. */
void r600_set_cpu(const FeModule *m, bool own);
/* Make the module one for m->r600_cpu. False: it holds something that has no counterpart there. */
bool r600_convert(FeModule *m);

/* ---- r600_machine.c ---- */
/* Fills in blocks, edges, instructions and facts of c, whose places are known. block_of: the block of
 * each IR instruction. */
void r600_machine(MachineCode *c, const R600Code *r, const u32 *block_of);

#endif
