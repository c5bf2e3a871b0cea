/* Kernel arguments from the metadata that clang leaves (private to frontend/). */
#ifndef WAVESIM_FRONTEND_KERNEL_ARGS_H
#define WAVESIM_FRONTEND_KERNEL_ARGS_H

#include "frontend/module/module.h"

bool kernel_args_has_metadata(LLVMValueRef function);
/* Fill m->args and m->reqd_local for m->kernel. */
bool kernel_args_read(FeModule *m, Diag *d);

#endif
