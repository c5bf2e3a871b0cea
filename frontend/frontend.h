/* From OpenCL C (or LLVM bitcode) to a Program.
 *
 *   FeOptions o = {.helper = h, .path = "kernel.cl", .cpu = "gfx906"};
 *   Fe *fe = fe_compile(&o, &d);
 *   Program *p = fe_program(fe);
 *   fe_close(fe);
 *
 * The compilers run in the helper (helper.h). */
#ifndef WAVESIM_FRONTEND_H
#define WAVESIM_FRONTEND_H

#include "frontend/helper.h"
#include "isa/abi.h"
#include "isa/isa.h"
#include "isa/machine.h"
#include "isa/r600.h"
#include "isa/source.h"

/* Whose library of OpenCL's built-in functions the kernel calls. AMD's is what its compiler
 * links; PoCL's gives PoCL's results bit for bit. EXACT: so does AMD's with PoCL's functions in place of those that
 * have a row in ulp.def; DEFINED: in place of those that OpenCL leaves open. SHAKEN, SHAKEN_2 and SHAKEN_3 are EXACT
 * with each of their results as far off as it may be, UNDEFINED with other results where they are open, and with
 * other addresses and components of vectors that have no value (shake.h). */
typedef enum {
	BUILTINS_AMD,
	BUILTINS_POCL,
	BUILTINS_EXACT,
	BUILTINS_DEFINED,
	BUILTINS_SHAKEN,
	BUILTINS_SHAKEN_2,
	BUILTINS_SHAKEN_3,
	BUILTINS_UNDEFINED,
} Builtins;

/* Is the program to be debugged? Then it has symbols (isa/symbols.h), and is what the device's compiler makes, or the
 * source: variables stay in memory and functions are called. */
typedef enum { FE_DEBUG_NO, FE_DEBUG_DEVICE, FE_DEBUG_SOURCE, FE_DEBUG_COUNT } FeDebug;

typedef struct FeOptions {
	Helper *helper;            /* where it is compiled; NULL: in one for this alone */
	const char *path;          /* kernel.cl, or bitcode when it ends in .bc */
	const char *source;        /* its text; NULL: read path */
	const struct Fe *like;     /* compiled from the same source and build_options: OpenCL's compiler does
	                            * not run again; or NULL */
	const char *kernel;        /* NULL: the only one */
	const char *build_options; /* for OpenCL's compiler; may be NULL */
	const char
	    *dropped; /* options that build_options lack: UNDEFINED takes what they leave open for open; or NULL */
	const SrcProgram *src;     /* all that the program is built from, instead of source; or NULL */
	const char *cpu;           /* LLVM's names of the device: the first that it knows, "gfx942@17 gfx940" (the
	                            * version that knows it first is for messages); NULL: gfx906 */
	u32 max_local;             /* largest work-group to expect; 0: 256, as AMD's compiler */
	bool launches;             /* fe_launched() is wanted; a larger group there is to be expected, too */
	bool partial_groups;       /* the last work-group may be smaller: as the source's language says */
	u32 unroll;                /* iterations of a small loop that the device's compiler puts into one;
	                            * 0, 1: as LLVM does */
	bool nvidia;     /* as NVIDIA's compiler: neighbouring accesses on a boundary of 8 or 16 bytes are one,
	                  * and private arrays with an index stay in memory */
	bool try_native; /* see first that native code can be confined: where that is required and it will run */
	bool check;                /* for checks: the program's accesses are the source's (compile/pipeline.c) */
	FeDebug debug;
	bool keep_ir;              /* fe_ir() is wanted */
	bool machine;              /* fe_machine() is wanted … */
	bool listing;              /* … with the text of each instruction and its live registers */
	bool images;               /* it has units that read and write images */
	u32 wave;                  /* of the machine that runs it; 0: the chip's own width */
	Builtins builtins;
	const char *amd_library;   /* folder of AMD's device library; NULL: where it usually is */
	const char *r600_cpu;      /* a VLIW chip that cpu stands in for; NULL: none */
} FeOptions;

typedef struct Fe Fe;

/* NULL on errors. */
Fe *fe_compile(const FeOptions *o, Diag *d);
void fe_close(Fe *fe);
/* Verified, and from now on the caller's to free; once. */
Program *fe_program(Fe *fe);
/* Elements of the widest vloadN or vstoreN that the source calls; 0: none. */
u32 fe_widest_vload(const Fe *fe);
/* How the host's part of the source (HIP) launches the kernel, with launches, and where the compiler knows it. */
typedef struct FeLaunched {
	u32 block[3]; /* zeros: not known */
	u64 shared;   /* bytes of dynamic shared memory; 0: none, or not known */
} FeLaunched;
FeLaunched fe_launched(const Fe *fe);
/* The largest work-group that it was compiled for: max_local, or that of the source's own launch. */
u32 fe_max_local(const Fe *fe);
/* The optimised LLVM IR as text, with keep_ir; else NULL. */
const char *fe_ir(const Fe *fe);

/* What the device's compiler makes of it, with machine; else NULL. Lives as long as fe. */
const MachineCode *fe_machine(const Fe *fe);

/* Of a chip of LLVM's r600 back end (r600_cpu), what that is made of; else NULL. */
const R600Code *fe_r600(const Fe *fe);

/* How far a floating-point result may lie from PoCL's, in ulp: what the OpenCL C
 * specification allows the built-in functions that the kernel calls, their limits added.
 * Zeros with PoCL's own library. */
typedef struct FeLimits {
	double f32, f64;
	bool open;      /* it calls functions of which some arguments leave the result open (ulp.def) */
	bool flush_f32; /* the device takes subnormal floats as zero */
	bool addresses; /* the source makes numbers of addresses */
	bool unset;     /* it uses components of vectors that have no value */
} FeLimits;
FeLimits fe_limits(const Fe *fe);

/* Whose library runs, and why it is not AMD's although that was wanted. */
Builtins fe_builtins(const Fe *fe);
const char *fe_builtins_missing(const Fe *fe);
/* Why PoCL cannot run this kernel, or not as it runs here, so that the helper does (native.h); or NULL. */
const char *fe_not_pocl(const Fe *fe);
/* No compiler ran: it was kept (helper_cache). */
bool fe_kept(const Fe *fe);

/* What compiles here: LLVM's version; what PoCL says of its own, or why there is none; the folder of AMD's device
 * library, or NULL. Strings live as long as a. False: there is no answer. */
typedef struct FeAbout {
	const char *llvm, *pocl, *amd_library;
} FeAbout;
bool fe_about(Helper *h, FeAbout *out, Arena *a, Diag *d);

#endif
