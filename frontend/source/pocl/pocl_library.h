/* PoCL's library of built-in functions, which a program is linked with here (private to frontend/). */
#ifndef WAVESIM_FRONTEND_POCL_LIBRARY_H
#define WAVESIM_FRONTEND_POCL_LIBRARY_H

#include "frontend/module/module.h"

/* Link what the program calls of the library in that file, which m->needed then holds. False on errors. */
bool pocl_library_link(FeModule *m, const char *path, Diag *d);

#endif
