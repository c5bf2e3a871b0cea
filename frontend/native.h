/* A launch run natively, in the helper (helper.h), while the caller simulates it: the same kernel on PoCL's CPU device,
 * or, where PoCL has no compiler for it, by the helper itself (frontend/native/). */
#ifndef WAVESIM_NATIVE_H
#define WAVESIM_NATIVE_H

#include "frontend/helper.h"
#include "isa/source.h"

/* Numbers of OpenCL's own headers: CL_RGBA, CL_FLOAT, CL_ADDRESS_CLAMP, … */
typedef struct PoclImage {
	u8 dims;      /* 1, 2, 3 */
	bool array;   /* 1D or 2D array: depth holds the layers */
	bool buffer;  /* image1d_buffer_t */
	u32 channel_order, channel_type;
	size_t width, height, depth;
	size_t row_pitch, slice_pitch; /* 0: tight */
} PoclImage;

typedef struct PoclBuffer {
	const void *init; /* size bytes, or NULL for zeros */
	void *result;     /* size bytes, or NULL: contents not wanted */
	size_t size;
	const PoclImage *image; /* NULL: a plain buffer */
	u64 address;      /* where the helper's own run has to have it; 0: anywhere */
} PoclBuffer;

typedef enum { POCL_VALUE, POCL_BUFFER, POCL_NULL, POCL_LOCAL, POCL_SAMPLER } PoclArgKind;
typedef struct PoclArg {
	PoclArgKind kind;
	const void *value; /* VALUE: its bytes */
	size_t size;       /* VALUE, LOCAL: bytes; BUFFER: of a part of it, or 0 for all */
	size_t at;         /* BUFFER: where the part begins */
	u32 buffer;        /* BUFFER (also images): PoclLaunch.buffers index */
	bool normalized;   /* SAMPLER */
	u32 addressing, filter;
} PoclArg;

typedef struct PoclLaunch {
	const char *path, *source, *options; /* source, the text of path, is what is built */
	const char *first; /* options before those */
	const SrcProgram *src; /* built instead, with options of its own; or NULL */
	const struct Fe *compiled; /* what it was compiled to, or NULL; used before pocl_run_start returns */
	bool own;          /* the helper runs that itself, in place of PoCL … */
	bool same_library; /* … with AMD's mathematics, not the C library's */
	const char *kernel;
	u32 dims;
	size_t offset[3], global[3], local[3]; /* local[0] = 0: PoCL chooses */
	const PoclArg *args;
	u32 nargs;
	const PoclBuffer *buffers;
	u32 nbuffers;
	u32 repeats; /* timed runs after the first; 0 for a plain reference run */
	u32 seconds; /* of processor time that the kernel may use, of all threads together; 0: for ever */
	u32 threads; /* 0: as many as PoCL likes */
	bool fresh; /* what an earlier run left will not do: it is run (helper_cache) */
	const char *method; /* POCL_WORK_GROUP_METHOD; NULL: plain loops, PoCL's own choice if timed */
} PoclLaunch;

typedef enum {
	POCL_OK,
	POCL_NO_PLATFORM, /* no PoCL, or it has no CPU device */
	POCL_BUILD_FAILED,
	POCL_CL_ERROR, /* a call failed: error_call, error_code */
	POCL_CRASHED,  /* signal */
	POCL_TIMEOUT,  /* killed */
} PoclStatus;

typedef struct PoclOutcome {
	PoclStatus status;
	char *why;          /* one sentence for people; NULL when status is POCL_OK */
	i32 error_code;     /* of OpenCL */
	int signal;
	char *output;       /* what the kernel printed; never NULL */
	size_t output_size;
	char *unconfined;   /* why the run could not be confined, or not all of it; or NULL */
	char *made_of;      /* names of files (made_of.h); NULL: not known */
	double seconds;     /* kernel time: the best of 1 + repeats runs */
	double first_seconds;
	bool part; /* PoCL read a part of its library, in place of all */
	bool kept; /* it did not run: an equal launch was kept */
	struct PoclKept *keep; /* for pocl_outcome_keep; or NULL */
} PoclOutcome;

/* With helper_cache: launches that are equal in all, their data too, get this outcome from now on. Of a run whose
 * results were found to be right: those of work-items that race may be others the next time. */
void pocl_outcome_keep(PoclOutcome *o);
void pocl_outcome_free(PoclOutcome *o);

typedef struct PoclRun PoclRun;
/* Start it; it works while the caller does. l and what it points to may change after the call, except that buffers'
 * results, which pocl_run_wait fills in, and h must stay. NULL: it cannot be (error in d). */
PoclRun *pocl_run_start(Helper *h, const PoclLaunch *l, Diag *d);
/* Wait for the end at most timeout_s seconds (0: for ever), then kill. Frees r.
 * True when status is POCL_OK. */
bool pocl_run_wait(PoclRun *r, double timeout_s, PoclOutcome *out);

#endif
