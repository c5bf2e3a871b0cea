/* The capture layer: what its files share. traces/capture/capture.h has the whole path.
 *
 *   layer.def   the functions that are intercepted
 *   layer.c     what the loader asks for; when recording begins and ends
 *   things.c    what handles mean; memory, samplers, user events
 *   queues.c    queues, whose events shall have times
 *   programs.c  programs and kernels, and the arguments that are set
 *   il.c        programs in SPIR-V
 *   includes.c  files that a source includes
 *   reach.c     the memory that a launch can reach, and its contents
 *   launch.c    a launch: memory before, the kernel, memory after
 *   later.c     the same without waiting, for launches that the program holds back
 *   failed.c    calls that the driver refused
 *   present.c   a CPU device shown to a program that asks for GPUs
 *   api.h       what the program does wrong with OpenCL: files of their own, in front of these
 *
 * Rules that keep the program's run what it was:
 *   - whatever fails here, the call goes on to the driver; a launch that cannot be kept is passed on
 *     and counted, with the reason
 *   - two locks. `state` guards what is known of handles and is never held while the driver is called.
 *     `capture` is held by the one launch that is being kept; the program's own commands and events
 *     are never waited for while it is held. Where both are held, `capture` was taken first
 *   - a call from inside an event callback is never made to wait
 *   - memory is read in blocks of LAYER_BLOCK bytes
 * There is one Layer, because OpenCL's functions have no other place to keep it. */
#ifndef WAVESIM_LAYER_H
#define WAVESIM_LAYER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_layer.h>

#include "traces/capture/recorder.h"

#include <pthread.h>

enum { LAYER_BLOCK = 4 << 20 };

typedef enum {
	THING_CONTEXT,
	THING_QUEUE,
	THING_DEVICE,
	THING_MEMORY,
	THING_SAMPLER,
	THING_PROGRAM,
	THING_KERNEL,
	THING_EVENT, /* a user event that the program has not completed */
	THING_COUNT
} ThingKind;

/* What is known of a handle. refs: the program's references, and those of other things. */
typedef struct Thing {
	ThingKind kind;
	void *handle;
	u32 refs;
	u32 number; /* from 1, among those of its kind */
	struct Thing *next; /* with an equal hash */
} Thing;

typedef struct LayerMemory {
	Thing thing;
	CapObject object; /* kind, size, flags, what an image is like */
	struct LayerMemory *parent; /* of a sub-buffer */
	u64 origin;            /* in it */
	const char *missing;   /* why it cannot be read, or NULL */
} LayerMemory;

typedef struct LayerSampler {
	Thing thing;
	cl_addressing_mode addressing;
	cl_filter_mode filter;
	cl_bool normalized;
} LayerSampler;

enum { QUEUE_PROPERTIES = 32 };
typedef struct LayerQueue {
	Thing thing;
	bool forced; /* events have times because recording asked for them, not the program */
	cl_queue_properties asked[QUEUE_PROPERTIES + 1]; /* what that asked for, if forced: pairs, and a 0 … */
	u32 nasked;                                      /* … if any */
} LayerQueue;

typedef struct LayerDevice {
	Thing thing;
	u32 record; /* its DEVICE record, or 0 */
} LayerDevice;

/* Strings of a program live in its arena. */
typedef struct LayerProgram {
	Thing thing;
	Arena *arena;
	SrcProgram program;
	u32 record; /* its PROGRAM record, or 0 */
	bool translated; /* the binary is SPIR-V, which the driver got as bitcode */
} LayerProgram;

typedef struct LayerArgument {
	CapArgKind kind;
	bool svm; /* bytes are a pointer into shared virtual memory */
	u64 size;
	u8 *bytes;
} LayerArgument;

typedef struct LayerKernel {
	Thing thing;
	LayerProgram *program;
	char *name;
	LayerArgument *args;
	u32 nargs;
	void **svm; /* what it reaches besides its arguments (clSetKernelExecInfo) */
	u32 nsvm;
} LayerKernel;

typedef struct SvmBlock {
	u8 *start;
	u64 size;
	u64 search; /* the last (Layer.nsearches) that found it, and its object there */
	u32 object;
} SvmBlock;

typedef struct Layer {
	const cl_icd_dispatch *target; /* the next layer, or the driver */
	cl_icd_dispatch own;
	bool ready;        /* clInitLayer was here */
	/* WAVESIM_RECORD names a file, and the program has not ended. A thread that holds capture and has found
	 * it set may use the writer until it releases capture. */
	_Atomic bool recording;
	bool present_gpu;  /* WAVESIM_PRESENT=gpu … */
	u64 group, lds, units, wave; /* … and its limits; 0: the device's own */
	_Atomic bool asked_for_cpu;  /* the program wants CPUs, and so the type stays what it is */
	_Atomic bool searched, found_gpu; /* searched: found_gpu says whether any platform has one */
	pthread_mutex_t state, capture;
	/* ---- under state ---- */
	Thing **things; /* by hash of the handle */
	u64 mask, nthings;
	u32 numbers[THING_COUNT];
	void *svm; /* SvmBlocks by place: a tree of tsearch() */
	u32 pending; /* user events that the program has not completed */
	u32 nthreads;
	u64 nlaunches, nsearches;
	struct Later *later; /* launches that are not complete, newest first (later.c) */
	u64 later_bytes;     /* memory held for them */
	/* ---- under capture ---- */
	Recorder file;
} Layer;
extern Layer layer;

/* ---- layer.c ---- */
/* The writer, opened when it is first asked for; NULL when there is none. Needs capture. */
CapWriter *layer_writer(void);
/* The driver took a launch: the file gets its name. Needs capture. */
void layer_launched(void);
/* n bytes, as OpenCL's functions of the form clGetXInfo give them. */
cl_int layer_answer(const void *from, size_t n, size_t size, void *value, size_t *needed);
void layer_lock(void); /* state */
void layer_unlock(void);
u32 layer_thread(void); /* the calling thread's number, from 1 */

/* ---- things.c; all of it under state ---- */
Thing *thing_find(ThingKind kind, const void *handle); /* NULL: not known */
/* A new thing of size bytes, which belongs to the table; what was there before is gone. */
void *thing_add(ThingKind kind, void *handle, size_t size);
void thing_retain(Thing *t);
void thing_release(Thing *t);
/* The thing's number; it is added when it is new. */
u32 thing_number(ThingKind kind, void *handle);
SvmBlock *thing_svm(const void *p); /* the block that p points into */

/* ---- il.c ---- */
/* SPIR-V that was translated is a binary for the driver, which it does not compile: nothing is left to compile. To link
 * it alone is to build a copy; NULL, with the reason in *e. */
bool il_is_translated(cl_program handle);
cl_program il_copy(cl_context c, cl_program part, cl_int *e);
/* What a device says of SPIR-V; false: that is the driver's to say. */
bool il_device_info(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *needed, cl_int *e);

/* ---- programs.c ---- */
/* What is known of a program that a call made, with the lock taken; NULL: the driver refused it (then the call failed
 * with e), or nothing is recorded. */
LayerProgram *program_made(const char *call, cl_program handle, cl_int e);
void program_drop(LayerProgram *p);
void kernel_drop(LayerKernel *k);
/* The number of its record, which is written when it is new. Needs capture. */
u32 program_record(LayerProgram *p, cl_device_id device);

/* ---- includes.c ---- */
/* Files that the source includes, found in the folders that options name: so that a launch file
 * needs no other. */
void includes_find(SrcUnit *u, Arena *a);

/* ---- reach.c ---- */

/* An object of a launch and the handle through which it is read. */
typedef struct Reach {
	CapObject object;
	void *handle; /* cl_mem, or the SVM block */
	const char *missing; /* why it cannot be read */
} Reach;

typedef struct Capture {
	CapLaunch launch;
	LayerProgram *program; /* retained */
	cl_command_queue queue;
	cl_context context;
	cl_device_id device;
	cl_kernel kernel;
	ARRAY(Reach) reach;
	Arena *arena;
	u8 *block;       /* LAYER_BLOCK bytes */
	const char *why; /* it cannot be kept, or NULL */
	bool begun;      /* that it has begun is written */
} Capture;

/* Arguments and objects of the launch, from what is set at the kernel now. Needs state. */
void reach_find(Capture *c, const LayerKernel *k);
/* Read all objects: their CONTENTs into before or after. Needs capture. */
bool reach_read(Capture *c, bool after);
/* Begin to read all of one object into out, after the events of wait. */
cl_int reach_read_later(const Capture *c, const Reach *r, u8 *out, cl_uint nwait, const cl_event *wait,
                        cl_event *done);

/* ---- present.c ---- */
/* "gpu", or "gpu:GROUP,LDS,UNITS,WAVE" with the limits of the GPU. */
void present_begin(const char *text);

/* ---- launch.c ---- */
typedef struct Call {
	cl_command_queue queue;
	cl_kernel kernel;
	cl_uint dims;
	const size_t *offset, *global, *local;
	cl_uint nwait;
	const cl_event *wait;
	cl_event *event;
} Call;
cl_int pass_on(const Call *k, const size_t *local, cl_event *event);
/* Writing a launch; both need capture. begin: the records that it refers to, and whether it is wanted;
 * false: there is no file. end: the launch itself, whose contents are known, with the times
 * of its event. */
bool launch_begin(Capture *c);
void launch_end(Capture *c, cl_event event);
bool launch_is_kept(const Capture *c); /* its memory shall be in the file */
void launch_free(Capture *c);

/* ---- failed.c ---- */
/* A call that failed, if e says so, which is returned; about: a name or message that tells more, or NULL. */
cl_int failed_call(const char *call, const char *about, cl_int e);
cl_int failed_build(const char *call, cl_program p, cl_uint n, const cl_device_id *devices, cl_int e);
void failed_write(void); /* needs capture */

/* ---- later.c ---- */
/* Enqueue a launch that must not be waited for, with the reads around it; c is taken over. What the
 * driver says of the launch. */
cl_int later_start(Capture *c, const Call *k);
/* Write those that are complete by now. Needs capture. */
void later_write(void);
/* The program ends: write the others too, as launches that are not kept. Needs capture. */
void later_give_up(void);

/* Is the calling thread inside a callback of the driver? */
extern _Thread_local u32 layer_in_callback;

/* ---- the intercepted functions ---- */
#define INTERCEPT(name) extern __typeof__(name) layer_##name;
#include "traces/capture/layer/layer.def"

#endif
