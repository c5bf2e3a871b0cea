/* Inline assembly of AMD's chips (HIP): arithmetic, comparisons and carries, loads and stores, matrix products,
 * branches to a line below, and what shows in no value. The optimiser and the code generator see the assembly itself,
 * so that it is priced as it is written; the machine and the native run get LLVM's operations in its place. */
#ifndef WAVESIM_FRONTEND_ASSEMBLY_H
#define WAVESIM_FRONTEND_ASSEMBLY_H

#include "frontend/module/module.h"

/* What in it cannot be run, as the source has it, in the module's arena; NULL: all can. *unwritten: a result that is
 * read before it is written, which has no value then (0 here); UINT32_MAX: none. */
const char *assembly_unknown(const FeModule *m, LLVMValueRef call, u32 *unwritten);
/* LLVM's operations in place of all of a module that its check has passed. */
void assembly_expand(FeModule *m);

#endif
