/* PoCL, the OpenCL compiler and the reference machine (private to frontend/). Everything it does happens
 * in forked children, so that no crash, hang or thread of it reaches the helper, which has no threads. */
#ifndef WAVESIM_POCL_H
#define WAVESIM_POCL_H

#include "frontend/native.h"
#include "frontend/source/pocl/pocl_needed.h"
#include "frontend/source/source.h"

/* ---- building ---- */
/* Code as clang writes it down for an optimiser (lifetimes, types of accesses, ranges), which then has not run: at
 * -cl-opt-disable, where none runs either, clang says less, and other code comes of it than of the device's own
 * compiler. PoCL has no word for that. But it looks at its options word by word at spaces only, and gives clang what
 * any white space parts, so that what follows a tab comes through. */
#define POCL_UNOPTIMISED "-DWAVESIM_IR\t-disable-llvm-passes"

/* At -cl-opt-disable clang marks every function noinline. A function that the source itself
 * marks so carries this attribute besides, which means nothing to us otherwise. */
#define POCL_NOINLINE_MARK "speculative_load_hardening"

/* Compile s->text, which is o->path's, or, when o->src is not NULL, all of that, into s->bitcode. Errors and
 * warnings of the compiler go to d with their place. False on errors. */
bool pocl_build(const FeOptions *o, Source *s, Diag *d);

/* ---- pocl_clang.c ---- */
/* Compile s->text by clang for o's device, because PoCL's compiler refused it with that message. False: clang is not
 * there, or refuses it, too. */
bool pocl_clang(const FeOptions *o, const char *refused, Source *s, Diag *d);
/* Was built made so, and for o's device? Then s says so, too, but for its bitcode. */
bool pocl_clang_has(const FeOptions *o, const FeBitcode *built, Source *s);

/* What PoCL says of its version, or why there is none. */
const char *pocl_about(Arena *a);

/* ---- pocl_binary.c ---- */
/* The bitcode in a binary of PoCL; NULL: it is none, or has none. */
const u8 *pocl_binary_bitcode(const u8 *binary, u64 n, u64 *size);

/* ---- running ---- */
typedef struct PoclWork PoclWork;
/* Start the native run in a child. l and what it points to need not outlive the call; the memory of buffers,
 * init and results, is shared with the child (mmap). needed: of PoCL's library, if that is known.
 * NULL: no child (error in d). */
PoclWork *pocl_work_start(const PoclLaunch *l, const FeNeeded *needed, Diag *d);
/* As pocl_run_wait. */
bool pocl_work_wait(PoclWork *w, double timeout_s, PoclOutcome *out);
/* Why the native run of a kernel is not confined, by running one of ours, once: a stranger's could say otherwise. NULL:
 * it is. */
const char *pocl_unconfined(void);

#endif
