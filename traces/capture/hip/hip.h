/* A HIP run time for programs where there is no GPU, libamdhip64.so.5: what its files share.
 *
 *   program ── HIP's API ──▶ this library ── isa/gpu.h ──▶ wavesim-helper, which runs kernels
 *                                  │ recorder.h
 *                                  ▼
 *                            app.launches (traces/capture/capture.h)
 *
 *   device.c    what the device is like, contexts, limits, occupancy
 *   memory.c    device memory: which parts of it are whose
 *   copy.c      copying and filling it
 *   stream.c    streams and events
 *   module.c    fat binaries and modules: kernels and variables, and by what the program knows them
 *   launch.c    launches
 *   command.c   what is asked of a stream: it is done, or becomes part of a graph
 *   graph.c     graphs; graph_nodes.c their nodes, by what they do
 *   record.c    … into the launch file, with the memory that they reach
 *   rtc.c       hiprtc: sources that the program compiles
 *   process.c   the process that runs kernels, and those that compile
 *   error.c     errors, by thread and by name
 *   absent.c    the functions that are not there
 *
 * Every command is done when its call returns, or, of a graph, when that is launched: streams order nothing, and events
 * are always complete. There is one lock, which every function takes that looks at more than its arguments.
 * Graphs that the program has are its own to guard, as HIP says. */
#ifndef WAVESIM_HIP_H
#define WAVESIM_HIP_H

#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>

#include "isa/gpu.h"
#include "traces/capture/recorder.h"

#include <pthread.h>

#define EXPORTED __attribute__((visibility("default")))

/* ---- error.c ---- */
/* The end of a function of the API: what it returns, and hipGetLastError() later. */
hipError_t hip_done(hipError_t e);
/* On standard error, by the name of the call. */
void hip_say(const char *call, const char *format, ...) PRINTF_LIKE(2, 3);
hipError_t hip_absent(const char *call); /* it is said once */
int hip_absent_linker(const char *call); /* of hiprtc; its error */

/* ---- memory.c ---- */
typedef enum { HIP_DEVICE, HIP_HOST, HIP_MANAGED, HIP_REGISTERED, HIP_VARIABLE } HipKind;

typedef struct HipBlock {
	u64 address, size;
	HipKind kind;
	u32 flags;
	u32 module; /* VARIABLE: whose */
	u32 object; /* of the launch that is recorded: its number + 1, or 0 */
} HipBlock;

/* A new block of zeros; NULL: the device has not so much. */
HipBlock *hip_block_new(u64 size, HipKind kind, u32 flags);
HipBlock *hip_block(u64 address); /* the one that it lies in, or NULL */
HipBlock *hip_blocks(u32 i);      /* number i by address; NULL: there are fewer */
static inline HipBlock *hip_block_at(const void *p) { return hip_block((u64)(uintptr_t)p); }
static inline void *hip_bytes(const HipBlock *b) { return (void *)(uintptr_t)b->address; }

/* ---- process.c ---- */
/* The file that memory of the device is, mapped; -1: it cannot be. */
int hip_memory(void);
/* Ask it, with the lock; t becomes the answer, in a's memory. False: t->why. */
bool hip_talk(GpuTalk *t, Arena *a);
void hip_process_in_child(void); /* after fork(): it is the parent's */
/* Without the lock. s becomes the answer, in a's memory. False: it does not compile; s->log says why. */
bool hip_compile(GpuSource *s, Arena *a);

/* ---- module.c ---- */
typedef struct HipModule HipModule;
typedef struct HipFunction {
	HipModule *module;
	const char *symbol;
	const GpuKernel *kernel; /* when its module is loaded */
} HipFunction;

struct HipModule {
	const u8 *bitcode;
	u64 nbitcode;
	bool tried;
	bool left;       /* by the library that registered it: its addresses may be another one's now */
	const char *why; /* it cannot be used, or NULL */
	u32 number;      /* of GPU_LOAD */
	GpuTalk is;      /* its kernels and variables */
	SrcProgram src;  /* for the launch file */
	u32 record;      /* … its number there, or 0 */
	ARRAY(HipFunction *) functions;
};

/* All with the lock. */
bool hip_module_load(HipModule *m);              /* once; false: m->why */
HipFunction *hip_function_of(const void *given); /* by what the program calls, or a module's; NULL: it is none */
bool hip_function_load(HipFunction *f, const char *call);
HipBlock *hip_symbol(const void *host);          /* the variable of that address of the host's; NULL: none */

/* ---- copy.c ---- */
/* Rows of width bytes, height of them; planes, depth of them. */
typedef struct HipSide {
	const void *p;
	u64 pitch, plane;
} HipSide;
typedef struct HipCopy {
	HipSide to, from;
	u64 width, height, depth;
	hipMemcpyKind kind;
} HipCopy;
typedef struct HipFill {
	HipSide to;
	u32 value, bytes; /* of an element; width is so many of them */
	u64 width, height, depth;
} HipFill;
hipError_t hip_copy(const HipCopy *c);
hipError_t hip_fill(const HipFill *f);
HipCopy hip_copy_3d(const struct hipMemcpy3DParms *p); /* of no arrays */
/* n bytes of a variable from offset on; NULL: it has not so many. */
u8 *hip_symbol_part(const void *symbol, u64 offset, u64 n);

/* ---- launch.c ---- */
typedef struct HipLaunch {
	const char *call;  /* of the API, for messages */
	const void *given; /* the host's function, or a module's */
	const HipFunction *f;
	dim3 grid, block;
	u64 shared;
	GpuValue *values; /* as many as f->kernel has parameters … */
	void **args;      /* … and where each one's bytes are */
	Arena *arena;     /* of all that */
} HipLaunch;
hipError_t hip_launch(const HipLaunch *l);
/* What p names is copied; hip_launch_free() in any case. */
hipError_t hip_launch_new(HipLaunch *l, const char *call, const hipKernelNodeParams *p);
HipLaunch hip_launch_copy(const HipLaunch *l);
void hip_launch_free(HipLaunch *l);

/* ---- command.c ---- */
typedef struct HipCommand {
	hipGraphNodeType type; /* …Kernel, …Memcpy, …Memset, …Host, …Graph, …Empty, …WaitEvent, …EventRecord */
	union {
		HipLaunch launch;
		HipCopy copy;
		HipFill fill;
		hipHostNodeParams host;
		hipGraph_t graph; /* its own */
		hipEvent_t event; /* hip_event_keep() */
	};
} HipCommand;
typedef ARRAY(hipGraphNode_t) HipNodes;

/* What is asked of a stream. It is done, or, while the stream is captured, a copy is kept. */
hipError_t hip_command(hipStream_t s, const HipCommand *c);
hipError_t hip_command_run(const HipCommand *c);
HipCommand hip_command_copy(const HipCommand *c);
void hip_command_free(HipCommand *c);

/* Work that becomes a graph, of one stream or of several that wait for each other's events. */
typedef struct HipCapture {
	u64 id;
	hipGraph_t graph;
	hipStream_t origin;
	bool global;  /* hipStreamCaptureModeGlobal */
	bool invalid; /* something was asked that a graph cannot have */
	ARRAY(hipStream_t) streams;
} HipCapture;
struct ihipStream_t {
	u32 flags;
	int priority;
	HipCapture *capture; /* NULL: it is not captured */
	HipNodes last;       /* what comes next waits for these */
};
struct ihipEvent_t {
	double seconds; /* 0: it was not recorded */
	u32 flags, users; /* users: the program, until it destroys it, and nodes of graphs */
	u64 capture;    /* recorded while a stream was captured: HipCapture.id … */
	HipNodes last;  /* … and what it stands for */
};
/* The default stream's are those of its device: 1 and 2 are no pointers, but streams that HIP names so. */
static inline bool hip_is_own(hipStream_t s) { return (u64)(uintptr_t)s > 2; }
hipEvent_t hip_event_keep(hipEvent_t e);
void hip_event_free(hipEvent_t e); /* for one of its users */
/* Is the stream captured? Then the event is part of that. Of one that is part of a capture the stream joins it. */
bool hip_capture_event(hipEvent_t e, hipStream_t s);
hipError_t hip_capture_wait(hipStream_t s, hipEvent_t e);
/* Is a stream captured in a way that forbids work of other streams meanwhile? Then that capture ends, badly. */
bool hip_capture_implicit(void);
/* What an event stands for is not done. */
bool hip_captured(hipEvent_t e);
/* Waiting for a stream that is captured ends the capture, badly. */
bool hip_capture_broken(hipStream_t s);
void hip_capture_forget(hipStream_t s);

/* ---- graph.c ---- */
/* What the handles of HIP point to. */
struct ihipGraph {
	HipNodes nodes;
};
struct hipGraphNode {
	hipGraph_t graph;
	HipCommand c;
	HipNodes before;       /* it waits for these */
	hipGraphNode_t origin; /* what it is a copy of, or NULL */
	u32 number;            /* in its graph, while that is copied or put in order */
	bool seen;             /* … and gone through */
};
struct hipGraphExec {
	hipGraph_t graph;
};

hipGraph_t hip_graph_new(void);
void hip_graph_free(hipGraph_t g);
hipGraph_t hip_graph_copy(const struct ihipGraph *g);
/* What became of a node in a copy of its graph; NULL: there is none. */
hipGraphNode_t hip_graph_copy_of(hipGraph_t copy, hipGraphNode_t original);
hipError_t hip_graph_run(const struct ihipGraph *g);
/* The command is taken over. */
hipGraphNode_t hip_graph_add(hipGraph_t g, const HipNodes *before, const HipCommand *c);
void hip_nodes_append(HipNodes *to, const HipNodes *from);
/* Where a node is among them; how many there are: it is not. */
u32 hip_node_at(const HipNodes *nodes, hipGraphNode_t n);
/* Does a come before one of the nodes, or is it one of them? */
bool hip_graph_precedes(const struct hipGraphNode *a, const HipNodes *nodes);

/* ---- record.c ---- */
typedef struct HipRecord {
	CapLaunch launch;
	bool kept; /* its memory shall be in the file */
	ARRAY(HipBlock *) reached;
} HipRecord;
/* Around a launch, with the lock. begin NULL: it is not recorded. ns: how long it ran; why: it did not end. */
HipRecord *hip_record_begin(const HipLaunch *l);
void hip_record_end(HipRecord *r, const HipLaunch *l, u64 ns, const char *why);

/* ---- device.c ---- */
/* As WAVESIM_HIP_DEVICE has it. */
typedef struct HipDevice {
	char name[128], cpu[128], arch[128]; /* LLVM's names of the chip; the first that is a chip, "gfx906" */
	u32 wave, units, lds, group, mhz, waves, simds, l2, groups;
} HipDevice;

typedef struct Hip {
	pthread_mutex_t lock;
	Arena *arena;
	bool ready, recording;
	const char *helper; /* the program that runs kernels; NULL: wavesim did not start this one */
	HipDevice device;
	u32 seconds; /* WAVESIM_HIP_SECONDS: of a launch, at most; 0: as long as it takes */
	Recorder file;
	u64 nlaunches, used; /* used: bytes of memory */
	u32 device_record;
	hipError_t failed; /* a kernel ended badly: from then on hipDeviceSynchronize and the like say so */
} Hip;
extern Hip hip;

void hip_lock(void); /* also begins, the first time */
void hip_unlock(void);
#define HIP_TOTAL ((u64)16 << 30) /* bytes of memory that the device has */

#endif
