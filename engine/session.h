/* One launch from the command line to the report. */
#ifndef WAVESIM_SESSION_H
#define WAVESIM_SESSION_H

#include "cli/options.h"
#include "frontend/frontend.h"
#include "frontend/native.h"
#include "models/device/device.h"
#include "report/report.h"
#include "sim/sim.h"
#include "traces/launch/launch.h"
#include "traces/store/store.h"

enum { EXIT_FINE = 0, EXIT_DIFFERENT = 1, EXIT_BAD_INPUT = 2 };

/* Read, build, run, compare, report. The exit status; messages about the input are in d. */
int session_run(Options *o, Diag *d);

/* What a kernel takes of a device, without running it. Strings are the arena's. */
typedef struct SessionResources {
	Device device;
	const char *kernel, *source; /* "ir": registers as they live in the IR; NULL: given */
	OccInput use;
	const R600Result *r600; /* NULL: not a chip of LLVM's r600 back end */
} SessionResources;
bool session_resources(Options *o, Arena *a, SessionResources *out, Diag *d);

/* Where the outputs of a launch go. */
typedef struct KeepPlace {
	Store *store;
	i64 launch;
} KeepPlace;
/* Programs that were built; the next launch may be of the same one. */
typedef struct SessionCode {
	char *source; /* what the OpenCL compiler gets: file, options, text */
	char *target; /* what else decides the program: kernel, chip, width … */
	Fe *fe;
	Program *program;
} SessionCode;
typedef struct SessionBuild {
	ARRAY(SessionCode) codes;
	bool all; /* keep every program, not only the last */
	u32 compiled, lowered; /* how often the OpenCL compiler ran, and LLVM after it */
} SessionBuild;
void session_build_free(SessionBuild *b);
/* What is estimated: the text of a program, called o->input; or a recorded launch. */
typedef struct SessionInput {
	const char *text;
	const struct CapFile *file;
	const struct CapLaunch *recorded;
	Helper *helper; /* where it is compiled; NULL: in one for this alone */
} SessionInput;
/* The estimate of a launch that the options or a launch file give completely. out->problem says why there is
 * none. keep: where its outputs go, or NULL. */
bool session_estimate(Options *o, const SessionInput *in, SessionBuild *cache, const KeepPlace *keep, Arena *a,
                      StoreEstimate *out, const char **bound_doc, Diag *d);

/* ---- cmd_occupancy.c: wavesim occupancy ---- */
int cmd_occupancy(int argc, char *const *argv, Diag *d);
void occupancy_help(Buf *out);

/* ---- cmd_sweep.c: wavesim sweep; cmd_merge.c: wavesim merge ---- */
int cmd_sweep(int argc, char *const *argv, Diag *d);
void sweep_help(Buf *out);
int cmd_merge(int argc, char *const *argv, Diag *d);
void merge_help(Buf *out);

/* ---- cmd_crosscheck.c: wavesim crosscheck ---- */
int cmd_crosscheck(int argc, char *const *argv, Diag *d);
void crosscheck_help(Buf *out);

/* ---- cmd_compare.c: wavesim compare ---- */
int cmd_compare(int argc, char *const *argv, Diag *d);
void compare_help(Buf *out);

/* ---- cmd_lesson.c: wavesim lesson ---- */
int cmd_lesson(int argc, char *const *argv, Diag *d);
void lesson_help(Buf *out);

/* ---- cmd_watch.c: wavesim watch ---- */
int cmd_watch(int argc, char *const *argv, Diag *d);
void watch_help(Buf *out);

/* ---- arguments.c: a Launch as the machine and PoCL want it ---- */

/* What the machine's results shall be compared with. */
typedef enum {
	RESULT_NONE,
	RESULT_POCL,     /* what PoCL's run leaves */
	RESULT_RECORDED, /* of a recorded launch: what the host program's run left */
} ResultFrom;

/* Memory of a recorded launch, which several arguments may share. */
typedef struct ArgObject {
	u8 *data, *result; /* as in Arguments */
	u32 buffer, pocl_buffer; /* index + 1 of those that stand for it; 0: none yet */
} ArgObject;

/* The memory of a launch. Index: the kernel's argument. */
typedef struct Arguments {
	Arena *arena;
	ResultFrom from;
	ArgObject *objects; /* one per object of the launch: arguments' data and result point into these */
	u64 *object_size;
	u32 nobjects;
	u32 n;
	void **data;    /* what each buffer or image holds; NULL for other arguments */
	void **result;  /* PoCL's version of it; NULL: not compared */
	u8 **before;    /* of a sample: what they held before; NULL: all of the launch ran */
	u64 *size;
	u32 *buffer_of; /* index in buffers */
	SimArg *sim_args;
	SimBuffer *buffers; /* one or, for an image, two per argument that has data */
	u32 nbuffers;
	PoclArg *pocl_args;
	PoclBuffer *pocl_buffers;
	u32 npocl_buffers;
} Arguments;

/* Allocate and fill; also what the comparison needs. False: errors in d. */
bool arguments_build(Arguments *a, const Launch *l, const Program *p, const LaunchLimits *limits,
                     ResultFrom from, Diag *d);
void arguments_free(Arguments *a);
/* Keep a copy of what the buffers hold now (Arguments.before). */
void arguments_keep(Arguments *a);

/* ---- image.c ---- */
enum { DEV_IMAGE_BYTES = 56 };
/* PoCL's description of an image in memory, which the kernel's code reads. address: of its pixels. */
void image_describe(const LaunchArg *arg, const KernelArg *k, u64 address, u8 out[DEV_IMAGE_BYTES]);
void image_for_pocl(const LaunchArg *arg, const KernelArg *k, PoclImage *out);
/* The value that OpenCL's built-in functions take for a sampler. */
u64 image_sampler(const LaunchArg *arg);

/* ---- compare.c ---- */
/* Fill ref (status must be set) from the buffers of the machine and of PoCL. outcome may be NULL. */
void compare_results(Reference *ref, const Launch *l, const Arguments *a, const PoclOutcome *outcome,
                     const Profile *profile, const FeLimits *limits, Arena *arena);

/* ---- keep.c: results into the store ---- */
/* The launch, its outputs and its estimate into the store of that name. */
bool keep_results(const char *db, Launch *l, const Arguments *a, const char *text, const Result *r, Diag *d);
bool keep_outputs(const KeepPlace *at, const Launch *l, const Arguments *a, Diag *d);
void keep_estimate(const Result *r, Arena *a, StoreEstimate *out, const char **bound_doc);

/* ---- reference.c: PoCL's own run of the launch ---- */
typedef struct RefRun {
	const char *path, *text, *options; /* of the source */
	const SrcProgram *src; /* all of it, for a recorded launch; or NULL */
	Helper *helper; /* where it runs */
	const Program *program;
	const Launch *launch;
	const LaunchLimits *limits;
	FeLimits ulp; /* how far results may lie from PoCL's */
	const Arguments *args;
	bool timing;     /* --timing: PoCL's kernel time is wanted */
	double patience; /* seconds */
	Arena *arena;    /* of what ref will hold */
} RefRun;

/* Start it in a child. NULL: it cannot be; ref says why. */
PoclRun *reference_start(const RefRun *r, Reference *ref);
/* After the machine's run: wait for PoCL's, compare, and ask again when they differ. */
void reference_finish(const RefRun *r, PoclRun *run, const Profile *profile, Reference *ref);
/* The same with what the recorded run left; PoCL runs it again when that differs. */
void reference_recorded(const RefRun *r, const Profile *profile, Reference *ref);
/* Its results are not needed any more. run may be NULL. */
void reference_drop(PoclRun *run);

/* ---- output.c ---- */
/* Write all of text to path; the old file stays when that fails. "-" is standard output. */
bool output_file(const char *path, Loc at, const Buf *text, Diag *d);
bool output_stdout(const char *text, size_t n, Diag *d);
/* The text of --help, broken at the terminal's width. */
bool output_help(const Buf *text, Diag *d);
/* Colours and width of the terminal behind fd. */
SinkStyle output_style(int fd);
/* A clock for measuring, in seconds. */
double seconds_now(void);
/* A progress line on standard error while the machine runs; nothing when it is no terminal. */
typedef struct Progress {
	bool on, shown;
	double start, last;
} Progress;
void progress_start(Progress *p, bool wanted);
void progress_step(void *progress, u64 done, u64 all);
void progress_end(Progress *p);

#endif
