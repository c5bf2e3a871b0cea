/* PoCL, the OpenCL compiler and the reference machine. Everything it does happens
 * in forked children, so that no crash, hang or thread of it reaches us. Fork
 * before starting threads: pocl_build and pocl_run_start from the main thread. */
#ifndef WAVESIM_POCL_H
#define WAVESIM_POCL_H

#include "base/base.h"
#include "base/diag.h"
#include "isa/source.h"

/* ---- building ---- */
/* At -cl-opt-disable clang marks every function noinline. A function that the source itself
 * marks so carries this attribute besides, which means nothing to us otherwise. */
#define POCL_NOINLINE_MARK "speculative_load_hardening"

typedef struct PoclBuild {
	char *bitcode; /* program.bc: unoptimised, with debug lines */
	size_t size;
	char *pocl_library; /* PoCL's built-in functions, which are still to be linked; NULL: they are */
	char *log; /* the compiler's, with the user's file names */
} PoclBuild;

/* Compile source (the text of path), or, when src is not NULL, all of that. Errors and warnings of
 * the compiler go to d with their place. False on errors. */
bool pocl_build(const char *path, const char *source, const char *options, const SrcProgram *src,
                PoclBuild *out, Diag *d);
void pocl_build_free(PoclBuild *b);

/* ---- pocl_binary.c ---- */
/* The bitcode in a binary of PoCL; NULL: it is none, or has none. */
const u8 *pocl_binary_bitcode(const u8 *binary, u64 n, u64 *size);

/* ---- running ---- */

/* Memory that a child's writes are seen in. Zeroed; NULL only for size 0. */
void *pocl_shared_alloc(size_t size);
void pocl_shared_free(void *p, size_t size);

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
	void *result;     /* size bytes of pocl_shared_alloc, or NULL: contents not wanted */
	size_t size;
	const PoclImage *image; /* NULL: a plain buffer */
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
	const char *path, *source, *options; /* as for pocl_build; source is what is built */
	const SrcProgram *src; /* built instead, with options before its own; or NULL */
	const char *kernel;
	u32 dims;
	size_t offset[3], global[3], local[3]; /* local[0] = 0: PoCL chooses */
	const PoclArg *args;
	u32 nargs;
	const PoclBuffer *buffers;
	u32 nbuffers;
	u32 repeats; /* timed runs after the first; 0 for a plain reference run */
	u32 threads; /* 0: as many as PoCL likes */
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
	double seconds;     /* kernel time: the best of 1 + repeats runs */
	double first_seconds;
} PoclOutcome;

typedef struct PoclRun PoclRun;
/* Start the native run in a child; it works while the caller simulates. l and what it
 * points to need not outlive the call, except buffers' results. NULL: no child (error in d). */
PoclRun *pocl_run_start(const PoclLaunch *l, Diag *d);
/* Wait for the end at most timeout_s seconds (0: for ever), then kill. Frees r.
 * True when status is POCL_OK. */
bool pocl_run_wait(PoclRun *r, double timeout_s, PoclOutcome *out);
void pocl_outcome_free(PoclOutcome *o);

/* The reason why a reference run for this file is impossible, or NULL. */
const char *pocl_run_unavailable(const char *path);

#endif
