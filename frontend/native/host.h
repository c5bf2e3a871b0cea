/* What the files that make a module one for this processor share:
 *
 *   host.c         the module: its functions, memory and entry
 *   host_calls.c   its instructions: what asks the GPU calls a function of ours
 *   host_guards.c  those that would end the run on this processor, and not on a GPU
 *   host_code.c    machine code of it */
#ifndef WAVESIM_FRONTEND_NATIVE_HOST_H
#define WAVESIM_FRONTEND_NATIVE_HOST_H

#include "frontend/native/native.h"

typedef struct Host {
	FeModule *m;
	LLVMBuilderRef b;
	NativeRun *run;
	u32 site; /* the last number */
	Diag *d;
} Host;

/* Something of this process, as the module's code has it. */
LLVMValueRef host_address(const Host *h, const void *p);

/* ---- host_calls.c ---- */
/* Is it a place where lanes meet? */
bool host_meets(LLVMValueRef i);
/* Do work-items wait for others anywhere? */
bool host_waits(const FeModule *m);
/* Every instruction as this processor has it. requires h->run, and that places where lanes meet are in the kernel. */
void host_replace_calls(Host *h);

/* ---- host_guards.c ---- */
/* The instruction does on this processor what the machine does, and does not end the run. False: it is none that
 * would. */
bool host_guard(Host *h, LLVMValueRef i);

/* ---- host_code.c ---- */
/* Of the module, whose NATIVE_ENTRY is that. NULL: an error in h->d. */
NativeEntry *host_generate(Host *h);

#endif
