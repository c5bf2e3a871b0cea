/* A Launch as the machine and PoCL want it: memory, argument values, buffers; and what became of them. */
#ifndef WAVESIM_ENGINE_ARGUMENTS_H
#define WAVESIM_ENGINE_ARGUMENTS_H

#include "engine/element.h"
#include "engine/result.h"
#include "frontend/frontend.h"
#include "frontend/native.h"
#include "sim/sim.h"
#include "traces/launch/launch.h"

/* What the machine's results shall be compared with. */
typedef enum {
	RESULT_NONE,
	RESULT_POCL,     /* what PoCL's run leaves in shared memory */
	RESULT_RECORDED, /* of a recorded launch: what the host program's run left */
} ResultFrom;

/* Memory of a recorded launch, which several arguments may share. */
typedef struct ArgObject {
	u8 *data, *result; /* as in Arguments */
	u32 buffer, pocl_buffer; /* index + 1 of its native buffers; 0: none yet */
	u64 address; /* LaunchObject.address */
	bool reached; /* no argument points to it, but memory does: it is compared as a whole, under this … */
	const char *name;
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
	void **result;  /* shared memory for PoCL's version of it; NULL: not compared */
	u8 **before;    /* of a sample: what they held before; NULL: all of the launch ran */
	u64 *size;
	u8 **packets; /* of a pipe: room for those that it holds; else NULL */
	u32 *buffer_of; /* index in buffers */
	SimArg *sim_args;
	SimBuffer *buffers; /* one or, for an image, two per argument that has data */
	u32 nbuffers;
	u64 *addresses; /* SimLaunch's */
	PoclArg *pocl_args;
	PoclBuffer *pocl_buffers;
	u32 npocl_buffers;
} Arguments;

/* Allocate and fill; also what the comparison needs. False: errors in d. */
bool arguments_build(Arguments *a, const Launch *l, const Program *p, const LaunchLimits *limits,
                     ResultFrom from, Diag *d);
void arguments_free(Arguments *a);
/* Bytes of an argument's memory that are no elements: what is in front of a pipe's packets. */
static inline u32 arguments_front(const LaunchArg *a) { return a->pipe ? PIPE_HEADER : 0; }
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
void compare_results(Reference *ref, const Program *p, const Launch *l, const Arguments *a, const PoclOutcome *outcome,
                     const Profile *profile, const FeLimits *limits, Arena *arena);

/* Where the machine has the memory that pointers may point into. */
typedef struct Pointees {
	ElementPointee *v;
	u32 n;
} Pointees;
Pointees compare_pointees(const Program *p, const Arguments *a, Arena *arena);
/* What argument i, which has a result, is compared as: bit for bit, but for pointers. */
ElementCompare compare_of(const Program *p, const Launch *l, const Arguments *a, u32 i, Pointees into);

#endif
