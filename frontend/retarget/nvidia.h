/* What NVIDIA's library computes in other steps than AMD's, for devices that are NVIDIA's (private to frontend/). */
#ifndef WAVESIM_FRONTEND_NVIDIA_H
#define WAVESIM_FRONTEND_NVIDIA_H

#include "frontend/module/module.h"

typedef struct NvidiaText {
	const char *name, *text; /* LLVM IR: nvidia.ll */
} NvidiaText;
extern const NvidiaText nvidia_texts[];
extern const u32 nvidia_ntexts;

/* Is it OpenCL's function of floats by that name, of so many letters, which is computed as native_… with
 * -cl-fast-relaxed-math? */
bool nvidia_is_native(const FeModule *m, const char *name, size_t n);
/* Functions of the program itself that are called like OpenCL's, before opencl.bc is linked: HIP's length(f2). A bit
 * for each. */
u64 nvidia_own(const FeModule *m);
/* Functions of nvidia.ll take the place of those of AMD's library that are called, but not of the program's own. For
 * FeOptions.nvidia, when opencl.bc is linked and ocml.bc is not. */
bool nvidia_functions(FeModule *m, u64 own, Diag *d);

#endif
