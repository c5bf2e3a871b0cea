/* OpenCL inside a worker process (private to frontend/source/pocl). */
#ifndef WAVESIM_FRONTEND_POCL_CL_H
#define WAVESIM_FRONTEND_POCL_CL_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "base/base.h"
#include "base/temp.h"
#include "frontend/made_of.h"
#include "isa/source.h"

typedef struct PoclCl {
	cl_device_id device;
	cl_context context;
	u32 llvm; /* the version that PoCL was built with; 0: it does not say */
} PoclCl;

/* ---- pocl_cl.c ---- */
/* PoCL's CPU device. False with the reason in why. */
bool pocl_cl_open(PoclCl *cl, char *why, size_t size);
/* Can programs of PoCL with that LLVM be built and read in a process with ours, from which its clang is apart or not?
 * If not, why, and what to do. theirs 0: PoCL does not say. */
bool pocl_goes_with(u32 theirs, u32 ours, bool apart, char *why, size_t size);

/* The compiler's log; release with free(). */
char *pocl_cl_log(const PoclCl *cl, cl_program program);

/* What comes before a text, so that its macros are those of the user's options, where our own options, first, keep
 * the compiler from optimising. */
const char *pocl_head(const char *first, const char *user);

/* The options with which path is built: `-I` of its folder, then the user's. Includes of a
 * folder with a blank in its name go through a link in the cache, because PoCL splits
 * its options at blanks. Release with free(). */
char *pocl_cache_options(const char *cache, const char *path, const char *first, const char *user);
/* Options with which the compiler writes what it reads into that cache, for pocl_cache_made_of. */
void pocl_cache_rule(const char *cache, Buf *options);
/* This process with PoCL, for the parent. */
void pocl_made_of(int fd);
/* What it has read for the program: all of it, or m is not complete. */
void pocl_cache_made_of(const char *cache, const SrcProgram *src, MadeOf *m);

/* ---- pocl_apart.c ---- */
/* Before the library pocl is loaded: its clang, kept apart from our LLVM where that is a later one. */
void pocl_load_apart(const char *pocl);
bool pocl_is_apart(void);
/* The clang that this library of PoCL needs, and its version. False: there is none, or it has clang inside. */
bool pocl_needs_clang(const char *pocl, char *name, size_t size, u32 *version);

/* ---- pocl_library.c ---- */
/* The file of PoCL's built-in functions for this processor, in a process that has PoCL loaded.
 * False: it is not where PoCL's packages put it. */
bool pocl_library_find(char *path, size_t size);
/* The folder of its headers, as clang knows it. */
bool pocl_headers_find(char *path, size_t size);

/* ---- pocl_declare.c ---- */
/* More options, for what device and options lack, to be put behind them. */
void pocl_declare(const PoclCl *cl, const char *options, Buf *more);
extern const char *const pocl_extensions[]; /* whose functions are declared; NULL is the last */
/* Is a warning of the compiler's about the pragma of an extension that is declared so? Kernels begin with one. */
bool pocl_declares(const char *warning);
/* What comes before a text that was built with them. */
const char *pocl_declare_head(void);

#endif
