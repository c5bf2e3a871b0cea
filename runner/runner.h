/* wavesim-runner: measures kernels on a real OpenCL device.
 *
 *   Options -> device (chosen, described, in the store) -> Job (one launch: built, run, checked,
 *   stored) -> samples in the store
 *
 * First to open: main.c (commands), job.c (one launch), measure.c (samples), probe.c with probes.def.
 * It shares the launch description and the store with wavesim, and needs no LLVM. */
#ifndef WAVESIM_RUNNER_H
#define WAVESIM_RUNNER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include "base/diag.h"
#include "isa/source.h"
#include "traces/capture/capture.h"
#include "traces/launch/completion.h"
#include "traces/store/import.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

enum { EXIT_FINE = 0, EXIT_WRONG = 1, EXIT_BAD_INPUT = 2 };

/* ---- options.c ---- */
typedef struct RunnerOptions {
#define FLAG(member, name, help) bool member;
#define WHOLE(member, name, arg, min, max, def, help) u64 member;
#define NUMBER(member, name, arg, min, max, def, help) double member;
#define TEXT(member, name, arg, help) const char *member;
#define TEXTS(member, name, arg, help) OptTexts member;
#include "runner/options.def"
	Arena *arena;
	LaunchWords launch;
	OptTexts files;
	const char *command_line;
} RunnerOptions;
void runner_options_init(RunnerOptions *o);
void runner_options_free(RunnerOptions *o);
bool runner_options_parse(RunnerOptions *o, int argc, char *const *argv, Diag *d);
CompletionRows runner_options_completes(void);
void runner_options_help(Buf *out);

/* ---- cldev.c ---- */
typedef struct ClDev {
	cl_platform_id platform;
	cl_device_id id;
	cl_context context;
	cl_command_queue queue;
	const char *name, *vendor, *driver, *pci, *board, *platform_name;
	const char *model; /* the device description that fits, or NULL */
	cl_device_type type;
	u64 max_group, memory_bytes;
	StoreAttribute *attributes;
	u32 nattributes;
} ClDev;
typedef struct ClDevList {
	ClDev *v;
	u32 n;
} ClDevList;
/* Every device of every platform, described; strings are the arena's. False: there is none. */
bool cldev_list(ClDevList *out, Arena *a, Diag *d);
/* By number or part of its name; NULL: the first GPU, else the first device. */
ClDev *cldev_choose(const ClDevList *list, const char *which, Diag *d);
bool cldev_open(ClDev *dev, Diag *d);
void cldev_close(ClDev *dev);
void cldev_print(const ClDev *dev, u32 number, bool all, Buf *out);
/* An error in d unless e is CL_SUCCESS. */
bool cl_good(cl_int e, const char *call, Diag *d);

/* ---- clock.c ---- */
/* What clock the device runs at now, in MHz; 0 when it is not known. */
typedef struct Clock Clock;
Clock *clock_open(const ClDev *dev);
double clock_mhz(Clock *c);
void clock_close(Clock *c);

/* ---- program.c ---- */
/* Text to put behind a translation unit of a program. */
typedef struct ProgramMore {
	u32 unit;
	const char *text;
} ProgramMore;
/* Build sources; more, d: may be NULL. */
cl_program program_build(const ClDev *dev, const char *path, const SrcProgram *src, const ProgramMore *more,
                         Diag *d);

/* ---- kernel.c ---- */
typedef struct DeviceKernel {
	cl_program program;
	cl_kernel kernel;
	KernelArg *args;
	u32 nargs;
	LaunchHints hints;
} DeviceKernel;
/* Build src, which is called path; name NULL: the only kernel of the file. */
bool kernel_build(DeviceKernel *k, const ClDev *dev, const char *path, const SrcProgram *src, const char *name,
                  Arena *a, Diag *d);
const char *kernel_name(const DeviceKernel *k, Arena *a);
void kernel_free(DeviceKernel *k);

/* ---- memory.c ---- */
typedef struct MemoryObject {
	u64 size;
	bool written;      /* the kernel may */
	cl_mem now, first; /* what the kernel sees; what it holds at the start (NULL: read only) */
	const LaunchArg *image; /* whose sizes and format it has; NULL: a buffer */
	const KernelArg *image_arg;
} MemoryObject;
typedef struct DeviceMemory {
	Arena *arena;
	const ClDev *dev;
	MemoryObject *objects;
	u32 n, nargs;
	cl_mem *arg;  /* what each argument gets; NULL: a null pointer, or no buffer */
	cl_mem *part; /* of those that see a part of a object: a buffer of its own */
	cl_sampler *sampler;
	const Launch *launch;
} DeviceMemory;
bool memory_open(DeviceMemory *m, const Launch *l, const DeviceKernel *k, const ClDev *dev, Diag *d);
void memory_close(DeviceMemory *m);
/* Everything that the kernel may have written is as it was. */
bool memory_restore(const DeviceMemory *m, Diag *d);
/* What the kernel left in the buffer or image of an argument. */
bool memory_read(const DeviceMemory *m, u32 arg, u8 *out, u64 size, Diag *d);

/* ---- image.c ---- */
/* With these pixels. */
cl_mem image_create(const ClDev *dev, const LaunchArg *a, const KernelArg *k, const void *data, Diag *d);
cl_int image_copy(const ClDev *dev, const LaunchArg *a, cl_mem from, cl_mem to);
cl_int image_read(const ClDev *dev, const LaunchArg *a, cl_mem m, void *out);
cl_sampler sampler_create(const ClDev *dev, const LaunchArg *a, Diag *d);

/* ---- check.c ---- */
typedef struct Check {
	bool done;
	u64 elements, mismatches;
	double max_ulp;
} Check;
/* Compare a buffer with what it should hold; floats may be max_ulp away. */
void check_buffer(Check *c, const ElemShape *s, const u8 *have, const u8 *want, u64 bytes, double max_ulp);

/* ---- measure.c ---- */
typedef struct Measured {
	u32 samples;
	double median_ns, spread; /* spread: middle half of the samples, over the median */
	double clock_mhz;
	Check check;
} Measured;
typedef struct Measuring {
	const RunnerOptions *o;
	const ClDev *dev;
	Clock *clock;
	const Launch *launch;
	const DeviceKernel *kernel;
	Store *store;
	i64 launch_id, run;
} Measuring;
bool measure(const Measuring *m, Measured *out, Diag *d);

/* ---- job.c ---- */
typedef struct Runner {
	const RunnerOptions *o;
	const ClDev *dev;
	Clock *clock;
	Store *store;
	i64 device_id;
	u32 different; /* launches whose outputs were wrong */
	u32 done, all; /* for the progress line */
} Runner;
/* Kernels of a launch file that were built: programs launch few of them many times. */
typedef struct KeptKernel {
	u32 program; /* number of its record */
	const char *name;
	DeviceKernel kernel;
} KeptKernel;
typedef struct KeptKernels {
	Arena *arena;
	KeptKernel v[64];
	u32 n;
} KeptKernels;
typedef struct RunnerJob {
	const char *path, *text;     /* text NULL: read path */
	const char *options;         /* of the launch, stronger than the file's own; or NULL */
	const char *family;
	bool has_x;
	double x;
	const CapFile *file; /* of a recorded launch, which says all of it; else NULL */
	const CapLaunch *recorded;
	KeptKernels *kept; /* where its kernel stays for the launches to come; or NULL */
} RunnerJob;
void kept_free(KeptKernels *all);

/* Build, run, check and store one launch. */
bool job_run(Runner *r, const RunnerJob *job, Diag *d);

/* ---- recorded.c ---- */
/* Run the launches of a launch file that are wanted; each that cannot run is an error. */
bool recorded_run(Runner *r, const char *path, Diag *d);

/* ---- probe.c ---- */
/* Run the probes (of one family, or all); each that cannot run is a warning. */
bool probe_run(Runner *r, Diag *d);
void probe_list(Buf *out);
/* The kernels of runner/probes and lessons, put into the program by the Makefile; name: the path
 * without .cl. */
typedef struct ProbeText {
	const char *name, *text;
} ProbeText;
extern const ProbeText probe_texts[];
extern const u32 probe_ntexts;

#endif
