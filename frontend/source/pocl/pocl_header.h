/* The header in which PoCL declares OpenCL's functions, shorter (private to frontend/source/pocl). */
#ifndef WAVESIM_FRONTEND_POCL_HEADER_H
#define WAVESIM_FRONTEND_POCL_HEADER_H

#include "base/base.h"
#include "isa/source.h"

/* The header without functions that none of the texts (NULL ends them) names; free() it. NULL: they may have names that
 * they do not show. */
char *pocl_header_shorten(const char *header, const char *const *texts);

/* Files in the cache, and an option for them, so that clang reads such a header instead of PoCL's: for a text, or a
 * program; the other one is NULL. In a process that has PoCL loaded. False: clang reads PoCL's. */
bool pocl_header_replace(const char *cache, const char *text, const SrcProgram *src, Buf *options);

#endif
