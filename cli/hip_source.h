/* What `wavesim hipcc` makes of a source. */
#ifndef WAVESIM_CLI_HIP_SOURCE_H
#define WAVESIM_CLI_HIP_SOURCE_H

#include "cli/hip.h"

typedef struct HipHow {
	HipWords options; /* for compilers and the linker */
	HipWords chips;
	bool rdc; /* -fgpu-rdc */
} HipHow;

/* `number` tells apart the files of sources in the tools' folder. */
bool hip_compile_object(const HipTools *t, const HipHow *how, const char *source, u32 number, const char *object,
                        Diag *d);
/* The device's part alone, a fat binary. */
bool hip_compile_module(const HipTools *t, const HipHow *how, const char *source, u32 number, const char *out, Diag *d);
/* That of several sources, which may use each other's functions. */
bool hip_compile_joined(const HipTools *t, const HipHow *how, const HipWords *sources, const char *out, Diag *d);

#endif
