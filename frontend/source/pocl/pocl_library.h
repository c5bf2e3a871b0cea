/* PoCL's library of built-in functions, which a program is linked with here (private to frontend/). */
#ifndef WAVESIM_FRONTEND_POCL_LIBRARY_H
#define WAVESIM_FRONTEND_POCL_LIBRARY_H

#include "frontend/module/module.h"
#include "frontend/source/pocl/pocl_needed.h"

/* Link what the program calls of the library in that file; needed: that part, to be freed. False on errors. */
bool pocl_library_link(FeModule *m, const char *path, PoclNeeded *needed, Diag *d);

#endif
