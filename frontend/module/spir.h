/* Modules for SPIR, which is what SPIR-V is as LLVM IR (private to frontend/). */
#ifndef WAVESIM_FRONTEND_SPIR_H
#define WAVESIM_FRONTEND_SPIR_H

#include "frontend/module/llvm.h"

/* The same module with the address spaces and names of amdgcn; its variables of functions and its kernels' arguments
 * stay where they were, and the target is the old one. Disposes of spir. NULL: LLVM cannot read what it becomes;
 * *why is its message, to dispose of. */
LLVMModuleRef spir_module(LLVMModuleRef spir, char **why);

#endif
