/* AMD's device library in place of PoCL's (private to frontend/).
 *
 * AMD's compiler links opencl.bc (OpenCL C's names), ocml.bc (mathematics) and ockl.bc from
 * the package rocm-device-libs. A kernel that PoCL has built calls PoCL's library, whose
 * names are the same but for `_cl_` in front and the spelling of address spaces:
 *
 *   _Z7_cl_sinf                              _Z3sinf
 *   _Z14_cl_atomic_addPU8CLglobalVii         _Z10atomic_addPU3AS1Vii
 *
 * Each function that AMD's library has too becomes an adapter that calls it; vectors, which
 * x86 passes in registers of other types or by address, are reinterpreted. What AMD's
 * library lacks (shuffle, …) keeps PoCL's body. */
#ifndef WAVESIM_FRONTEND_AMDLIB_H
#define WAVESIM_FRONTEND_AMDLIB_H

#include "frontend/module/mangled.h"
#include "frontend/module/module.h"

/* Where the library usually is; NULL: nowhere. tried: gets where it was looked for; or NULL. */
const char *amdlib_folder(Arena *a, MadeOf *tried);
/* requires PoCL's x86 module. Does nothing with BUILTINS_POCL. Without the library, sets
 * FeModule.builtins_missing and keeps PoCL's. */
void amdlib_adapt(FeModule *m);
/* The same for the functions of images (images.h), in a module that went through fe_pipeline. False without the
 * library. */
bool amdlib_adapt_images(FeModule *m);
/* Between amdlib_adapt and amdlib_link: has it this function of PoCL's library, which reads or writes an image? */
bool amdlib_has_image(FeModule *m, const char *symbol);
/* Where the library is, for a module that was made for amdgcn and cannot do without. */
bool amdlib_find(FeModule *m, Diag *d);
/* The same of a module that was made for amdgcn, before the library is linked: by the functions that it calls. */
void amdlib_device_limits(FeModule *m);
/* A function in pocl's place that calls amd, with the arguments as x86 passes them; pocl loses its uses. False: amd
 * takes others. */
bool amdlib_adapter(FeModule *m, LLVMValueRef pocl, LLVMValueRef amd);
/* requires the amdgcn target, after amdlib_adapt or amdlib_adapt_images. */
bool amdlib_link(FeModule *m, Diag *d);
/* How far, in ulp, may results of a function of PoCL's library be off? False: they are exact. */
bool amdlib_inexact(const Mangled *name, double *f32, double *f64);
/* Are they off as far as what may cancel within them? */
bool amdlib_cancels(const Mangled *name);
/* Does OpenCL leave them open for some arguments? */
bool amdlib_open(const Mangled *name);
/* Does a shuffle pick a component that has no value, as the second of .hi of three? lane: of its result; or -1: any. */
bool amdlib_picks_unset(LLVMValueRef shuffle, int lane);
/* Fills FeModule.limits, from the adapters that are still used. */
void amdlib_limits(FeModule *m);

#endif
