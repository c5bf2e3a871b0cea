/* From PoCL's module, or one that was made for amdgcn, to what the pipeline takes (private to frontend/): fe_retarget
 * and its steps, whose order retarget.c has. */
#ifndef WAVESIM_FRONTEND_RETARGET_H
#define WAVESIM_FRONTEND_RETARGET_H

#include "frontend/module/module.h"

/* PoCL's module -> one for amdgcn. requires a selected kernel; cpu is LLVM's name of the device ("gfx906");
 * native: it becomes a native run. */
bool fe_retarget(FeModule *m, const char *cpu, bool native, Diag *d);

/* ---- device.c: a module that was made for amdgcn ---- */
void device_begin(FeModule *m);
/* requires a target. sync() of HIP's thread_group has a branch for each kind of group. Those that no call takes, as the
 * kinds of all groups show once everything is inlined, lose what cannot be simulated (ABSENT_OF_GROUPS). */
bool device_drop_unreached(const FeModule *m, Diag *d);
/* requires that AMD's library is linked. For checks and native runs: where a tile waits its lanes meet. For checks the
 * fences of a library's barriers go, too: a kernel's own may order what its atomics do (sim/race_order.c), a barrier
 * orders by itself. */
void device_barriers(FeModule *m);
/* requires that AMD's library is linked. */
bool device_shared(FeModule *m, Diag *d);

/* ---- pipes.c ---- */
void pipes_drop_commits(FeModule *m);
/* requires that AMD's library is linked. For native runs. */
void pipes_reset_later(FeModule *m);

/* ---- retarget_check.c: what a kernel may not contain ---- */
bool retarget_check(const FeModule *m, Diag *d);

/* ---- workitem.c: launch values, barriers, run-time calls ---- */
/* requires the x86 module. PoCL's bodies of run-time functions become declarations. */
void workitem_drop_runtime(FeModule *m);
/* Is it a work-item function that workitem_lower has a body for? */
bool workitem_gets_body(const FeModule *m, const char *name);
/* Launch values and barriers become amdgcn intrinsics. */
bool workitem_lower(FeModule *m, Diag *d);
/* For checks: calls of OpenCL C's barriers become barriers that say what their flags order, where that is known. */
void workitem_mark_barriers(FeModule *m);
/* requires memory in its address spaces. printf gets a format in addrspace 4, sampler
 * literals become integers. */
void workitem_calls(FeModule *m);

/* ---- retarget_abi.c: the kernel's signature, arguments passed by value ---- */
void abi_kernel(FeModule *m);
void abi_byval(FeModule *m);
/* All of a function but its name goes to one whose type differs in the address spaces of pointers only; its parameters
 * are still used. */
void abi_take_body(const FeModule *m, LLVMValueRef from, LLVMValueRef to);

/* ---- retarget_spaces.c: pointers that are kept get their address spaces ---- */
/* requires that infer-address-spaces has run. */
void retarget_spaces(FeModule *m);

/* ---- retarget_align.c: alignment of arrays ---- */
/* requires the x86 module. */
void align_arrays(FeModule *m);

/* ---- retarget_mem.c: variables into their address spaces ---- */
bool mem_globals(FeModule *m, Diag *d);
void mem_allocas(FeModule *m);

#endif
