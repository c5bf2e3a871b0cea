/* The steps of fe_retarget (private to frontend/; retarget.c says in which order). */
#ifndef WAVESIM_FRONTEND_RETARGET_H
#define WAVESIM_FRONTEND_RETARGET_H

#include "frontend/module.h"

/* ---- small helpers over the C API (retarget.c) ---- */
#define ON_FUNCTION ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)
/* for_each_instruction(f, i) { … } ; the body may erase i. */
LLVMValueRef retarget_first(LLVMValueRef function);
LLVMValueRef retarget_next(LLVMValueRef instruction);
#define for_each_instruction(f, i) \
	for (LLVMValueRef i = retarget_first(f), i##_next = i ? retarget_next(i) : NULL; i; \
	     i = i##_next, i##_next = i ? retarget_next(i) : NULL)
/* The function that a call calls directly, or NULL. */
LLVMValueRef retarget_callee(LLVMValueRef call);
/* The first instruction of a function. */
LLVMValueRef retarget_entry(LLVMValueRef function);
u32 retarget_attr(const char *name); /* enum attribute kind */
void retarget_add_attr(const FeModule *m, LLVMValueRef f, u32 index, const char *name);
void retarget_add_string(const FeModule *m, LLVMValueRef f, const char *key, const char *value);
/* All functions are for that chip. */
void retarget_cpu(const FeModule *m, const char *cpu);
LLVMTypeRef retarget_ptr(const FeModule *m, Space space);

/* ---- retarget_check.c: what a kernel may not contain ---- */
bool retarget_check(const FeModule *m, Diag *d);

/* ---- workitem.c: launch values, barriers, run-time calls ---- */
/* requires the x86 module. PoCL's bodies of run-time functions become declarations. */
void workitem_drop_runtime(FeModule *m);
/* Launch values and barriers become amdgcn intrinsics. */
bool workitem_lower(FeModule *m, Diag *d);
/* requires memory in its address spaces. printf gets a format in addrspace 4, sampler
 * literals become integers. */
void workitem_calls(FeModule *m);

/* ---- retarget_abi.c: the kernel's signature, arguments passed by value ---- */
void abi_kernel(FeModule *m);
void abi_byval(FeModule *m);

/* ---- retarget_align.c: alignment of arrays ---- */
/* requires the x86 module. */
void align_arrays(FeModule *m);

/* ---- retarget_mem.c: variables into their address spaces ---- */
bool mem_globals(FeModule *m, Diag *d);
void mem_allocas(FeModule *m);

#endif
