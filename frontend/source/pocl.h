/* PoCL, the OpenCL compiler and the reference machine (private to frontend/). Everything it does happens
 * in forked children, so that no crash, hang or thread of it reaches the helper, which has no threads. */
#ifndef WAVESIM_POCL_H
#define WAVESIM_POCL_H

#include "base/base.h"
#include "frontend/native.h"

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
typedef struct PoclWork PoclWork;
/* Start the native run in a child. l and what it points to need not outlive the call; the memory of buffers,
 * init and results, is shared with the child (mmap). NULL: no child (error in d). */
PoclWork *pocl_work_start(const PoclLaunch *l, Diag *d);
/* As pocl_run_wait. */
bool pocl_work_wait(PoclWork *w, double timeout_s, PoclOutcome *out);

#endif
