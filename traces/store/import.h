/* Timings that others measured, into the store. */
#ifndef WAVESIM_IMPORT_H
#define WAVESIM_IMPORT_H

#include "traces/store/store.h"

typedef struct ImportOptions {
	const char *kernel_path; /* of a tuning result: the source that was tuned, or NULL */
	const char *kernel;      /* the kernel's name there, or NULL: the file's */
	const char *problem;     /* "4096,4096": what the block sizes divide, or NULL: the file's */
	const char *divisor[3];  /* "block_size_x,tile_size_x", or NULL: the block size */
	const char *args;        /* options for the rest of the launch, or NULL */
	const char *device, *model, *family, *source, *licence; /* NULL: the file's, or unknown */
	const char *floor; /* what each time holds beside the kernel's work, in us, or "smallest": as much as the
	                    * smallest of them; NULL: not known, or as the set says */
} ImportOptions;

/* Any file that is known by its contents: wavesim's own JSON and CSV, Kernel Tuner's caches
 * and results (T4), the measured AMD sets, launch files. */
bool store_import(Store *s, const char *path, const ImportOptions *o, Diag *d);

#endif
