/* How the device's part of a HIP file is compiled: the same for `wavesim kernel.hip` (source/hip/) and for programs
 * (`wavesim hipcc`, cli/). The code is written down for an optimiser that does not run yet. */
#ifndef WAVESIM_FRONTEND_HIP_WORDS_H
#define WAVESIM_FRONTEND_HIP_WORDS_H

#include "base/diag.h"

#define HIP_DEVICE_WORDS \
	"--cuda-device-only", "-nogpulib", "-emit-llvm", "-c", "-O3", "-g", "-std=c++17", "-Xclang", "-disable-llvm-passes", \
		"-fno-discard-value-names", /* of arguments */ \
		"-fno-builtin-printf",      /* a call, not AMD's run time */ \
		"-ffp-contract=on"          /* as in OpenCL C: said in the code, not left to the code generator */

/* Folders below which HIP's headers may be. */
#define HIP_ROOTS "/usr", "/opt/rocm"
#define HIP_VERSION_FILE "include/hip/hip_version.h"
/* "5.2.0" from the text of that file, in the arena; NULL: it does not say. */
static inline const char *hip_version_in(const char *text, Arena *a)
{
	const char *major = text ? strstr(text, "HIP_VERSION_MAJOR ") : NULL;
	const char *minor = text ? strstr(text, "HIP_VERSION_MINOR ") : NULL;
	return major && minor ? arena_printf(a, "%d.%d.0", atoi(strchr(major, ' ')), atoi(strchr(minor, ' '))) : NULL;
}

/* What is missing to compile them. */
static inline bool hip_lacks_clang(u32 version, Diag *d)
{
	diag_error(d, NO_LOC, "HIP is compiled by clang %u, which is not installed", version);
	return diag_hint(d, "apt-get install clang-%u", version);
}
static inline bool hip_lacks_headers(Diag *d)
{
	diag_error(d, NO_LOC, "HIP's headers are not installed");
	return diag_hint(d, "apt-get install libamdhip64-dev");
}

#endif
