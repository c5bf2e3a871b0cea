/* The part of PoCL's library of built-in functions that a program calls (private to frontend/). */
#ifndef WAVESIM_FRONTEND_POCL_NEEDED_H
#define WAVESIM_FRONTEND_POCL_NEEDED_H

#include "frontend/module/module.h"

/* m->needed: what m declares, and what that calls in turn, of the library in that file. False: the whole has to do. */
bool pocl_needed_make(FeModule *m, const char *library);

/* In a worker with one program: from now on PoCL gets that when it opens the library. NULL: the library itself. */
void pocl_needed_offer(const FeNeeded *n);
/* Has it got that? */
bool pocl_needed_taken(void);

#endif
