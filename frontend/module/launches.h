/* With which sizes the host's part of a HIP file launches its kernels, where the compiler knows them: what a launch
 * that is guessed takes over. */
#ifndef WAVESIM_FRONTEND_LAUNCHES_H
#define WAVESIM_FRONTEND_LAUNCHES_H

#include "frontend/frontend.h"

/* Of the host's optimised bitcode, by clang: a line for each launch, in the order of the file. Never NULL; free(). */
char *launches_list(const void *bitcode, size_t n);
/* The first of that kernel; zeros: there is none. list may be NULL. */
FeLaunched launches_find(const char *list, const char *symbol);

#endif
