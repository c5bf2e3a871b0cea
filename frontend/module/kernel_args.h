/* Kernel arguments from the metadata that clang leaves (private to frontend/). */
#ifndef WAVESIM_FRONTEND_KERNEL_ARGS_H
#define WAVESIM_FRONTEND_KERNEL_ARGS_H

#include "frontend/module/module.h"

bool kernel_args_has_metadata(LLVMValueRef function);
/* Fill m->args and m->reqd_local for m->kernel. */
bool kernel_args_read(FeModule *m, Diag *d);
/* The kernel_arg_addr_space of argument i, in OpenCL's SPIR numbering:
 * private 0, global 1, constant 2, local 3. */
u32 kernel_arg_space(LLVMValueRef function, u32 i);

#endif
