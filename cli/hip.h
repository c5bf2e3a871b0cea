/* HIP programs: building them (cmd_hipcc.c), and what `wavesim run` gives their run time. */
#ifndef WAVESIM_CLI_HIP_H
#define WAVESIM_CLI_HIP_H

#include "base/child.h"
#include "base/temp.h"
#include "models/device/device.h"

typedef ARRAY(const char *) HipWords;

/* The compiler, HIP's headers, wavesim's run time, and a folder for what lies between. */
typedef struct HipTools {
	Arena *arena;
	const char *clang, *root, *version, *library;
	char folder[TEMP_PATH];
	ChildSignals signals; /* blocked between opening and closing: the folder must go first */
} HipTools;
bool hip_tools_open(HipTools *t, Arena *a, Diag *d);
void hip_tools_close(HipTools *t);

/* Words up to a NULL; of a list, without those that are not for the device. */
void hip_words(HipWords *to, const char *const *words);
void hip_words_of(HipWords *to, const HipWords *from, bool device);
/* clang, where HIP is, and for which chip. */
void hip_words_begin(const HipTools *t, HipWords *to, const char *chip);
/* Run it. False: its status was not 0; what it said, it has said, or it is in the log. */
bool hip_tool(const HipTools *t, HipWords *words, Diag *d);
bool hip_tool_logged(const HipTools *t, HipWords *words, const char *log, Diag *d);
/* A file's name in assembly, where its bytes become data. */
void hip_include_bytes(Buf *assembly, const char *file);
bool hip_write(const char *file, const void *bytes, size_t n, Diag *d);
/* The kernels of a source as bitcode. */
bool hip_compile_device(const HipTools *t, const char *source, const char *chip, const HipWords *options,
                        const char *out, Diag *d);

/* Bitcode to LLVM's text (how: "-S"), or back ("-c"). */
bool hip_convert(const HipTools *t, const char *from, const char *how, const char *to, Diag *d);

/* A fat binary: bitcode for several chips. */
typedef struct HipBundle {
	ARRAY(struct HipEntry {
		const char *chip;
		char *bytes;
		size_t n;
	}) entries;
} HipBundle;
bool hip_bundle_add(HipBundle *b, const char *chip, const char *file, Diag *d);
bool hip_bundle_write(const HipBundle *b, const char *file, Diag *d);
void hip_bundle_free(HipBundle *b);

/* ---- for wavesim run ---- */
/* wavesim's HIP run time, and the folder that it is in, for LD_LIBRARY_PATH; false: there is none. out: PATH_MAX */
bool hip_library(char *out);
/* The value of WAVESIM_HIP_DEVICE (traces/capture/hip/device.c). */
const char *hip_device_text(const Device *dev, u32 wave, Arena *a);
/* --hip-source: its kernels as bitcode in `out`. */
bool hip_compile_source(const char *source, const Device *dev, const char *out, Arena *a, Diag *d);

#endif
