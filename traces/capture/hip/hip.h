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
 *   record.c    … into the launch file, with the memory that they reach
 *   process.c   the process that runs kernels
 *   error.c     errors, by thread and by name
 *   absent.c    the functions that are not there
 *
 * Every command is done when its call returns: streams order nothing, and events are always complete. There is one
 * lock, which every function takes that looks at more than its arguments. */
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
	const char *why; /* it cannot be used, or NULL */
	u32 number;      /* of GPU_LOAD */
	GpuTalk is;      /* its kernels and variables */
	SrcProgram src;  /* for the launch file */
	u32 record;      /* … its number there, or 0 */
	ARRAY(HipFunction *) functions;
};

/* All with the lock. */
bool hip_module_load(HipModule *m);              /* once; false: m->why */
HipFunction *hip_function_of(const void *host);  /* by what the program calls; NULL: it is none */
bool hip_function_load(HipFunction *f, const char *call);
HipBlock *hip_symbol(const void *host);          /* the variable of that address of the host's; NULL: none */

/* ---- record.c ---- */
typedef struct HipLaunch {
	const HipFunction *f;
	dim3 grid, block;
	u64 shared;
	GpuValue *values; /* as many as f->kernel has parameters */
	Arena *arena;
} HipLaunch;
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
