/* The part of PoCL's library of built-in functions that a program calls (private to frontend/). */
#ifndef WAVESIM_FRONTEND_POCL_NEEDED_H
#define WAVESIM_FRONTEND_POCL_NEEDED_H

#include "base/base.h"

#include <llvm-c/Types.h>

/* Bitcode for PoCL's own LLVM, if that is ours; bytes NULL: none. */
typedef struct PoclNeeded {
	char *path; /* of the whole library */
	u8 *bytes;
	size_t size;
} PoclNeeded;

/* What mod declares, and what that calls in turn, of the library in the file path. False: the whole has to do. */
bool pocl_needed_make(LLVMModuleRef mod, const char *path, PoclNeeded *out);
void pocl_needed_free(PoclNeeded *n);

/* In a worker with one program: from now on PoCL gets that when it opens the library. NULL: the library itself. */
void pocl_needed_offer(const PoclNeeded *n);
/* Has it got that? */
bool pocl_needed_taken(void);

#endif
