/* Kernel arguments from the metadata that clang leaves (private to frontend/). */
#ifndef WAVESIM_FRONTEND_KERNEL_ARGS_H
#define WAVESIM_FRONTEND_KERNEL_ARGS_H

#include "frontend/module/module.h"

bool kernel_args_has_metadata(LLVMValueRef function);
/* Work-items of a work-group at most, as the source of a kernel for amdgcn says (__launch_bounds__); 0: it does not. */
u32 kernel_max_group(LLVMValueRef f);
/* Fill m->args, m->reqd_local and m->max_group for m->kernel. */
bool kernel_args_read(FeModule *m, Diag *d);

/* Local memory of the launch's size, as an argument: what it points to, by its name in OpenCL C, and of how many
 * bytes. */
void kernel_args_local(KernelArg *a, const char *type, u32 bytes);

#endif
