/* What a HIP program's run time (traces/capture/hip/) and the process that runs its kernels (frontend/native/gpu.c) say
 * to each other: requests and answers on a stream socket, one at a time, each the record below.
 *
 *   GPU_LOAD     bitcode → its kernels and variables
 *   GPU_PLACE    where the variables lie → they hold what the source initialises them with
 *   GPU_SHARE    memory of the program → the other process has it at the same address
 *   GPU_LAUNCH   a kernel, its sizes and arguments → it has run
 *
 * Memory of the device is one file that both have mapped at GPU_MEMORY: a pointer means the same to the program, to the
 * kernels that run for it, and to the machine that runs them again (sim/). */
#ifndef WAVESIM_GPU_H
#define WAVESIM_GPU_H

#include "isa/source.h"

/* Half a TiB, where no segment of the machine's begins (isa.h), and loaders and heaps of a process put nothing. */
#define GPU_MEMORY 0x208000000000ull
#define GPU_MEMORY_BYTES (1ull << 39)
enum { GPU_SOCKET_FD = 3, GPU_MEMORY_FD = 4 }; /* of the process that runs kernels */

typedef struct GpuVariable {
	const char *symbol;
	u64 size, align, address;
	bool set; /* the source initialises it with something else than zeros */
} GpuVariable;

typedef struct GpuParam {
	u64 size, align;
	bool pointer; /* to global memory */
} GpuParam;

typedef struct GpuKernel {
	const char *symbol, *name; /* symbol: its compiler's; name: as --kernels and LAUNCH know it */
	GpuParam *params;
	u32 nparams;
	u32 max_group; /* threads of a block at most, by __launch_bounds__; 0: what the device allows */
} GpuKernel;

typedef struct GpuValue {
	const u8 *bytes;
	u64 n;
} GpuValue;

typedef enum { GPU_LOAD, GPU_PLACE, GPU_SHARE, GPU_LAUNCH, GPU_KINDS } GpuKind;

/* A request, and its answer. */
typedef struct GpuTalk {
	u32 kind;
	const char *why; /* answers: it did not work, in a sentence; or NULL */
	u32 module;      /* LOAD answers with its number, from 1 */
	const u8 *bitcode; /* LOAD */
	u64 nbitcode;
	bool rtc; /* … which hiprtc compiled */
	GpuVariable *variables; /* LOAD's answer; PLACE: with addresses */
	u32 nvariables;
	GpuKernel *kernels; /* LOAD's answer */
	u32 nkernels;
	u64 address, size, at; /* SHARE: so many bytes there, which lie at `at` of the file */
	const char *symbol;    /* LAUNCH: the kernel, by its name */
	u32 grid[3], block[3]; /* in blocks, in threads */
	u64 shared;            /* bytes of local memory that the launch adds */
	GpuValue *values;      /* of its arguments */
	u32 nvalues;
	u32 seconds;   /* it may run so long; 0: as long as it takes */
	bool cut;      /* … it had not ended by then, and was ended: why says so */
	bool launched; /* … the kernel was compiled and began to run */
	u64 ns;        /* … and ran so long */
} GpuTalk;

/* A name that the program wants to know the symbol of: "k<float>", "&table". */
typedef struct GpuName {
	const char *expression, *symbol; /* symbol: the answer's */
} GpuName;

/* A source that the program compiles (hiprtc), and what becomes of it: asked of a process of its own. */
typedef struct GpuSource {
	const char *text, *name;
	const char *cpu; /* LLVM's names of the device's chip */
	SrcInclude *headers, *options; /* options: in name, one word each */
	u32 nheaders, noptions;
	GpuName *names;
	u32 nnames;
	const char *chip;  /* answer: what it was compiled for */
	const char *log;   /* … what the compiler said */
	const u8 *bitcode; /* … NULL: it does not compile */
	u64 nbitcode;
} GpuSource;

/* False: the other end is closed. */
bool gpu_send(int socket, GpuTalk *t);
bool gpu_send_source(int socket, GpuSource *s);
/* The next one, in the arena. False: the other end is closed, or sent something else. */
bool gpu_receive(int socket, GpuTalk *t, Arena *a);
bool gpu_receive_source(int socket, GpuSource *s, Arena *a);
/* What they send, without its length: of a GpuTalk, a GpuSource. */
void gpu_talk_code(Codec *c, void *talk);
void gpu_source_code(Codec *c, void *source);

#endif
