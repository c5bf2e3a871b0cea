/* Building a program that is more than one text (private to frontend/pocl*.c). */
#ifndef WAVESIM_FRONTEND_POCL_PARTS_H
#define WAVESIM_FRONTEND_POCL_PARTS_H

#include "frontend/source/pocl/pocl_cl.h"
#include "isa/source.h"

/* As its host program built it: one source, several that are linked, or a binary. Files that are
 * included are laid into the cache. first: options before its own. compile: a
 * single source is compiled only, not linked with PoCL's library. NULL: *e says why, and *failed,
 * when not NULL, has the log. */
cl_program pocl_parts_build(const PoclCl *cl, const SrcProgram *src, const char *path, const char *cache,
                            const char *first, bool compile, cl_program *failed, cl_int *e);

#endif
