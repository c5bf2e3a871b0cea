/* How the device's part of a HIP file is compiled: the same for `wavesim kernel.hip` (source/hip/) and for programs
 * (`wavesim hipcc`, cli/). The code is written down for an optimiser that does not run yet. */
#ifndef WAVESIM_FRONTEND_HIP_WORDS_H
#define WAVESIM_FRONTEND_HIP_WORDS_H

#include "base/diag.h"

#define HIP_DEVICE_WORDS \
	"--cuda-device-only", "-nogpulib", "-emit-llvm", "-c", "-O3", "-g", "-std=c++17", "-Xclang", \
	    "-disable-llvm-passes", "-fno-discard-value-names", /* of arguments */ \
	    "-fno-builtin-printf",                              /* a call, not AMD's run time */ \
	    "-ffp-contract=on" /* as in OpenCL C: said in the code, not left to the code generator */

/* Folders below which HIP's headers may be. */
#define HIP_ROOTS "/usr", "/opt/rocm"
#define HIP_VERSION_FILE "include/hip/hip_version.h"
/* "5.2.0" from the text of that file, in the arena; NULL: it does not say. */
const char *hip_version_in(const char *text, Arena *a);

/* Clang's words, in the arena, NULL behind the last: where HIP is installed, which version it is, and the folder of
 * headers that it may lack, if that is beside this program: searched last, so that HIP's own are found first. */
const char *const *hip_header_words(const char *root, const char *version, Arena *a);

/* The clang that compiles them; NULL, which d says: it is not installed. */
const char *hip_clang(Diag *d);
/* Says it; false. */
bool hip_lacks_headers(Diag *d);

#endif
