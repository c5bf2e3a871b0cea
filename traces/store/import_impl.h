/* What the importers share: one measured launch to add. */
#ifndef WAVESIM_IMPORT_IMPL_H
#define WAVESIM_IMPORT_IMPL_H

#include "traces/store/import.h"

/* One file while it is imported. */
typedef struct Import {
	Store *s;
	const char *path, *text;
	const ImportOptions *o;
	i64 import, device, kernel; /* rows */
	const char *name;           /* of the kernel function */
	u32 added, invalid;
	double smallest;            /* of the times, ms; 0: none yet */
	bool floors;                /* the smallest of this set is a launch with hardly any work */
	Arena *arena;
	Diag *d;
} Import;

/* Rows for where it comes from, the device and the kernel. source: of the kernel, or NULL.
 * False: an error, or (without one) the file was imported before. */
bool import_begin(Import *in, const char *format, const char *origin, const char *licence,
                  const char *device, const char *model, const char *kernel_path, const char *source);
/* A launch and its times in milliseconds. */
bool import_point(Import *in, const char *options, const char *family, const double *ms, u32 n);

/* Behind the last point: the import's floor. */
bool import_floor(Import *in);

/* A parameter of a tuned kernel: a macro of its source. */
typedef struct TuneParam {
	const char *name, *value;
} TuneParam;
/* Sizes and macros of a tuned launch as options; rest: appended. NULL: the reason is in d. */
const char *import_tuned_options(Import *in, const TuneParam *p, u32 n, const u64 problem[3],
                                 const char *rest);
bool import_problem(Import *in, const char *text, u64 out[3]);

/* ---- import_recorded.c: launch files; text is NULL ---- */
bool import_recorded(Import *in);
/* ---- import_tuner.c: caches and results (T4) of Kernel Tuner ---- */
bool import_tuner(Import *in);
/* ---- import_sets.c: the measured AMD sets ---- */
bool import_is_set(const char *text);
bool import_set(Import *in);

/* The kernels of traces/sets, put into the program by the Makefile. */
typedef struct SetText {
	const char *name, *text;
} SetText;
extern const SetText set_texts[];
extern const u32 set_ntexts;

#endif
