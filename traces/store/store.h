/* The store: what was measured, on which device, of which launch; what was estimated;
 * where imported figures come from. One SQLite file.
 *
 * First to open: store_schema.c (the tables), store_rows.c (adding rows), store_query.c (points of a
 * report), import.c (files of others, told apart by their contents).
 *
 * Every row that others refer to has a key made from what it is (a hash of its contents),
 * so that adding the same thing twice, or importing an export, changes nothing:
 *
 *   device <- attribute            device, launch <- run <- sample
 *   kernel <- launch <- expected   launch <- estimate      import <- run      sweep <- sweep_point
 *
 * A sample is committed when store_sample returns: a killed writer loses the one in flight.
 * Several writers wait for one another. store_schema.c says what the tables hold. */
#ifndef WAVESIM_STORE_H
#define WAVESIM_STORE_H

#include "base/diag.h"

typedef struct Store Store;
typedef enum { STORE_EXISTING, STORE_CREATE } StoreMode;

/* ---- store.c ---- */
const char *store_sqlite(void); /* the version of SQLite */
/* NULL: the reason is in d. A file that cannot be written is opened for reading. */
Store *store_open(const char *path, StoreMode mode, Diag *d);
void store_close(Store *s);
/* One transaction around many rows; they may not be nested. */
bool store_begin(Store *s, Diag *d);
bool store_commit(Store *s, Diag *d);
void store_rollback(Store *s);
/* Its end: commit when ok, else roll back. False when it is not committed. */
bool store_finish(Store *s, bool ok, Diag *d);
/* Does the file hold together? False: what does not is in d. */
bool store_check(Store *s, Diag *d);

/* ---- store_rows.c: each finds or adds a row, and gives its number ---- */
enum { STORE_KEY = 33 };
/* The key of a text: 128 bits of FNV-1a, in hexadecimal. */
void store_key(char out[STORE_KEY], const char *const *parts, u32 n);

typedef struct StoreAttribute {
	const char *name, *value;
} StoreAttribute;
typedef struct StoreDevice {
	const char *name, *vendor, *driver, *pci; /* NULL: not known */
	const char *model;                        /* the description of wavesim that fits, or NULL */
	const StoreAttribute *attributes;
	u32 nattributes;
} StoreDevice;
bool store_device(Store *s, const StoreDevice *v, i64 *id, Diag *d);

/* A source text; path is where it came from. source NULL: not available, known by key only. */
bool store_kernel(Store *s, const char *path, const char *source, const char *key, i64 *id, Diag *d);

typedef struct StoreLaunch {
	i64 kernel;
	const char *name;    /* of the kernel function */
	const char *options; /* all of the launch, as launch_print_options writes it */
	const char *family;  /* what it is a point of: "lds-read-32", or NULL */
	bool has_x;
	double x;            /* where in the family: stride, lanes … */
} StoreLaunch;
bool store_launch(Store *s, const StoreLaunch *v, i64 *id, Diag *d);

typedef struct StoreRun {
	i64 device, launch, import; /* import 0: measured here */
	const char *started; /* ISO 8601, UTC */
	const char *program; /* that measured, with version and commit */
	const char *key;     /* of an exported run, or NULL: a new one */
} StoreRun;
bool store_run(Store *s, const StoreRun *v, i64 *id, Diag *d);

typedef struct StoreSample {
	i64 run;
	u32 n;
	double device_ns, wall_ns; /* negative: not known */
} StoreSample;
bool store_sample(Store *s, const StoreSample *v, Diag *d);

typedef struct StoreEnd {
	double clock_mhz;    /* 0: the platform does not tell */
	const char *checked; /* "equal", "different", NULL: outputs were not compared */
	u64 mismatches;
	double max_ulp;
} StoreEnd;
bool store_run_end(Store *s, i64 run, const StoreEnd *v, Diag *d);

/* What a buffer must hold after the launch. */
bool store_expect(Store *s, i64 launch, const char *arg, const void *bytes, u64 size, Diag *d);
/* *bytes NULL: nothing is known of it; else they are the arena's. */
bool store_expected(Store *s, i64 launch, const char *arg, Arena *a, const u8 **bytes, u64 *size, Diag *d);

typedef struct StoreEstimate {
	i64 launch;
	const char *model, *program; /* device description; version that estimated */
	double cycles, time_us, low_us, high_us;
	const char *bound_by;
	const char *problem; /* why there is none, or NULL */
} StoreEstimate;
/* Replaces an older one of the same launch and model. */
bool store_estimate(Store *s, const StoreEstimate *v, Diag *d);

typedef struct StoreImport {
	const char *path, *format, *source, *licence;
	const char *text; /* its contents decide whether it is another import */
	u64 size;
} StoreImport;
/* fresh: it was not there before. */
bool store_import_row(Store *s, const StoreImport *v, i64 *id, bool *fresh, Diag *d);

/* ---- store_query.c ---- */
/* One launch on one device, all its samples together. Strings are the arena's; "" where
 * nothing is known. */
typedef struct StorePoint {
	i64 launch_id;
	const char *device, *driver, *model;
	const char *kernel, *path, *source; /* source "": not stored */
	const char *options, *family, *started, *program, *origin; /* origin: of an import */
	const char *checked;
	bool has_x;
	double x, clock_mhz;
	u32 samples;
	double min_ns, median_ns, low_ns, high_ns; /* low and high: 10th and 90th percentile */
	double floor_ns; /* of each, what the host and the driver of its import took; 0: not known */
} StorePoint;
typedef struct StorePoints {
	StorePoint *v;
	u32 n;
} StorePoints;
/* Those of device and family (NULL: all), in a fixed order: device, family, x. */
bool store_points(Store *s, const char *device, const char *family, Arena *a, StorePoints *out,
                  Diag *d);
/* Name and number of rows of each table, and the size of the file, as text. */
bool store_summary(Store *s, Buf *out, Diag *d);

/* ---- store_sweep.c ---- */
typedef struct StoreSweep {
	i64 id;
	const char *key, *spec; /* spec: JSON */
} StoreSweep;
typedef struct StoreSweeps {
	StoreSweep *v;
	u32 n;
} StoreSweeps;
typedef struct StoreSwept {
	u32 n;                /* of the product */
	const char *settings; /* JSON */
	const char *status;   /* "done", "stopped", "skipped" */
	/* NULL or "" where there is none */
	const char *note;     /* why it is not done */
	const char *report;   /* JSON */
	const char *results;  /* a checksum: points that agree in it have the same ones */
} StoreSwept;
typedef struct StoreSweptPoints {
	StoreSwept *v;
	u32 n;
} StoreSweptPoints;
/* Finds or adds. */
bool store_sweep(Store *s, const char *key, const char *spec, i64 *id, Diag *d);
/* All of them, by key; the points of one, by number. Strings are the arena's. */
bool store_sweeps(Store *s, Arena *a, StoreSweeps *out, Diag *d);
bool store_swept(Store *s, i64 sweep, Arena *a, StoreSweptPoints *out, Diag *d);
/* An error when the point is there with another result. */
bool store_swept_add(Store *s, i64 sweep, const StoreSwept *v, Diag *d);
/* All of a store into a new file, rows in a fixed order: equal contents give equal files. */
bool store_write_copy(Store *s, const char *path, Diag *d);

/* ---- store_text.c, store_csv.c ---- */
/* Everything, as one JSON document; each run as a line of CSV. */
bool store_export_json(Store *s, Buf *out, Diag *d);
bool store_export_csv(Store *s, Buf *out, Diag *d);
/* What those wrote. Nothing is changed when any of it is wrong. */
bool store_import_json(Store *s, const char *path, const char *text, Diag *d);
bool store_import_csv(Store *s, const char *path, const char *text, Diag *d);

#endif
