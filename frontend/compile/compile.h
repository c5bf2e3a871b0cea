/* From OpenCL C (or LLVM bitcode) to a Program, in this process: what the helper does for fe_compile()
 * (private to frontend/; tests use it too).
 *
 *   Compile *c = compile_open(&o, NULL, d);    builds; compile_kernels(c, &n) says which kernels there are
 *   compile_select(c, NULL, d);                the only kernel
 *   Program *p = compile_lower(c, d);
 *   compile_close(c);
 *
 * PoCL runs in a child process (source/pocl/pocl.h), and so do LLVM's code generator and whatever reads bitcode of
 * unknown origin. The rest runs in this process, without threads. */
#ifndef WAVESIM_FRONTEND_COMPILE_H
#define WAVESIM_FRONTEND_COMPILE_H

#include "frontend/excerpt.h"
#include "frontend/module/module.h"
#include "frontend/source/source.h"

typedef struct Compile Compile;

/* Build and list the kernels; built, when not NULL and with bytes, is used in place of PoCL. o->src is used until
 * compile_close(). NULL on errors. */
Compile *compile_open(const FeOptions *o, const FeBitcode *built, Diag *d);
void compile_close(Compile *c);
/* Names of all kernels; *n of them. */
const char *const *compile_kernels(const Compile *c, u32 *n);
/* What was opened, which is c's. */
FeModule *compile_module(Compile *c);
/* Choose a kernel (NULL: FeOptions.kernel, or the only one). Once. */
bool compile_select(Compile *c, const char *kernel, Diag *d);
/* Retarget, optimise, lower. The Program outlives c. NULL on errors. */
Program *compile_lower(Compile *c, Diag *d);

/* Retarget only: what the native run is made of (native/). It is c's. NULL on errors. */
FeModule *compile_retarget(Compile *c, Diag *d);

/* What fe_*() of the same name say of it, after compile_lower. Lives as long as c. */
typedef struct FeFacts {
	FeBitcode built;
	u32 widest_vload;
	FeLaunched launched;
	u32 max_local;
	Builtins builtins;
	const char *builtins_missing, *not_pocl;
	FeLimits limits;
	const char *ir;
	const MachineCode *machine;
	const R600Code *r600;
	const char *made_of; /* names of files (made_of.h); NULL: not known */
	FeNeeded needed;   /* by PoCL's native runs of it */
} FeFacts;
FeFacts compile_facts(Compile *c);

/* fe_about() */
FeAbout compile_about(Arena *a);

#endif
