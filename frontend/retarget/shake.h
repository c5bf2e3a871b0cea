/* What a kernel makes of the errors of OpenCL's built-in functions (private to frontend/).
 *
 * A program with PoCL's functions, whose results are moved: by twice the error that OpenCL allows them, up or down as
 * their bits say (each of BUILTINS_SHAKEN and its likes says so otherwise); or, with BUILTINS_UNDEFINED, to something
 * else where OpenCL leaves the result open. How far the launch's results move then is how far AMD's functions may
 * carry them (engine/repeat.c). What a program's own code leaves open is changed with BUILTINS_UNDEFINED, too:
 * addresses as numbers, and components of vectors that have no value. */
#ifndef WAVESIM_FRONTEND_SHAKE_H
#define WAVESIM_FRONTEND_SHAKE_H

#include "frontend/module/module.h"

/* requires PoCL's x86 module, after amdlib_adapt. Does nothing with other builtins. */
void shake_calls(FeModule *m);
/* ---- shake_own.c ---- */
/* Changes what a function's own code leaves open. addresses: as numbers, too. */
void shake_own(FeModule *m, LLVMBuilderRef b, LLVMValueRef f, bool addresses);
/* Must its addresses stay the numbers that they are? */
bool shake_keeps_addresses(LLVMValueRef f);

#endif
