/* The native run of what PoCL cannot compile: the module that was made for amdgcn is made for this processor, and its
 * work-items run one after another, those that wait for others as fibers (private to frontend/).
 *
 *   native.c    the child process, its limits, what became of it
 *   host.c      the module (host.h: its instructions, and machine code of it)
 *   fibers.c    work-items, and how they wait for each other
 *   in_step.c   where lanes of a wavefront have to meet for its local memory; lane_address.c: which is each lane's own
 *   lanes.c     what the lanes of a wavefront pass each other
 *   matrix.c    its matrix instructions
 *   math.c      what the GPU has as instructions
 *   gpu.c       the process that runs the kernels of a HIP program (isa/gpu.h) */
#ifndef WAVESIM_FRONTEND_NATIVE_RUN_H
#define WAVESIM_FRONTEND_NATIVE_RUN_H

#include "frontend/native.h"
#include "frontend/compile/compile.h"
#include "isa/matrix.h"

/* What is run: l's sizes, arguments and buffers, and the program that o and built say. */
typedef struct NativeProgram {
	FeOptions o;
	FeBitcode built;
} NativeProgram;

typedef struct NativeWork NativeWork;
/* Start it in a child. What l and p point to need not outlive the call; the memory of buffers is shared with the child.
 * NULL: no child (error in d). */
NativeWork *native_work_start(const PoclLaunch *l, const NativeProgram *p, Diag *d);
/* As pocl_run_wait. */
bool native_work_wait(NativeWork *w, double timeout_s, PoclOutcome *out);

/* ---- fibers.c ---- */
typedef struct NativeRun NativeRun;
typedef void NativeEntry(void *const *args);

/* A run of work-groups of that size, with so many bytes of local memory; waits: work-items wait for each other. stack:
 * bytes of private memory. v5: see isa/abi.h. NULL: no memory. */
NativeRun *native_run_new(const PoclLaunch *l, u32 wave, u64 lds, u64 stack, bool waits, bool v5);
/* From now on for l's sizes, which are at most those that it was made for, with so many bytes of local memory less. */
void native_run_resize(NativeRun *r, const PoclLaunch *l, u64 less);
u8 *native_run_lds(const NativeRun *r);
/* Every work-group, in order. args: what the entry gets. */
void native_run(NativeRun *r, NativeEntry *entry, void *const *args);

/* The lanes of a wavefront that met at a place: those of the first n that are there, with the bits that each gives. It
 * is good until the lane waits again. */
typedef struct NativeLanes {
	u32 n, own; /* own: this lane */
	u64 value[MAX_WAVE];
	bool there[MAX_WAVE];
} NativeLanes;
const NativeLanes *native_meet(NativeRun *r, u32 site, u64 value);
u32 native_lane(const NativeRun *r);
u32 native_query(const NativeRun *r, u32 q); /* of isa.h, those of sub-groups */
static inline u32 native_wave(const NativeRun *r) { return native_query(r, QUERY_wave_size); }

/* What the kernel's code calls, by name of LLVM's intrinsic. */
typedef struct NativeCall {
	const char *name; /* without "llvm.", and the type at its end */
	void (*call)(void);
	i32 first;        /* a constant argument before the intrinsic's own; -1: none */
	bool run, site;   /* before that: the NativeRun; the number of the place, where the lanes of a wavefront meet */
} NativeCall;
const NativeCall *native_call(const char *intrinsic);
/* The row of an intrinsic's name, with types behind it or without, or NULL. */
const NativeCall *native_call_named(const NativeCall *rows, u32 n, const char *intrinsic);
const NativeCall *native_math_call(const char *intrinsic);  /* of math.c */
/* lane_address.c: how an address in local memory depends on the lane, as far as its parts are seen. */
typedef enum {
	LANE_ANY,    /* several lanes may have the same one */
	LANE_FIXED,  /* each lane has another one, here */
	LANE_COLUMN, /* … and no other lane of its wavefront any such address of that variable, step and pitch */
	LANE_ROW
} LaneKind;
typedef struct LaneAddress {
	LaneKind kind;
	LLVMValueRef variable; /* of the module; NULL: not known */
	i64 step;              /* bytes from lane to lane … */
	LLVMValueRef by;       /* … times this, or NULL */
	i64 pitch;             /* the same by the place in another dimension; 0: it does not depend on one */
	LLVMValueRef pitch_by;
} LaneAddress;
/* wave: lanes of a wavefront. uses_second: the kernel asks for places in other dimensions than the first. */
void lane_address(LLVMValueRef address, LLVMTargetDataRef td, u32 wave, bool uses_second, LaneAddress *out);

/* in_step.c: lanes meet where a volatile access to local memory is; plain: also where those of a wavefront, of so many,
 * hand values on by plain ones, without a barrier. requires a retargeted module. */
bool native_in_step(FeModule *m, u32 wave, bool plain, Diag *d);

const NativeCall *native_lanes_call(const char *intrinsic); /* of lanes.c */
/* The same of a call of sub-groups (FE_WAVE, module/collective.h), without that: it takes and gives the bits of values,
 * u64's, and an u128. False: there is none. */
bool native_wave_call(const char *name, NativeCall *out);
/* What takes the place of a function of AMD's library; NULL: it runs as it is. */
void (*native_math(const char *function))(void);
void native_sync(NativeRun *r, u32 site);
void native_barrier(NativeRun *r);
void native_copy(const NativeRun *r, u8 *to, const u8 *from, u64 n, u64 bytes, u64 step_to, u64 step_from);
int native_print(const char *format, ...);
int native_print_opencl(const char *format, ...); /* whose result is no length */
void native_nothing(void);

/* ---- matrix.c ---- */
/* The lane's part of a and b of a matrix instruction (isa/matrix.h), then, before anything else, each of its results:
 * r, of the sum that it begins with. All are bits. */
void native_matrix(NativeRun *r, u32 site, u32 shape, u64 a, u64 b);
u64 native_matrix_result(NativeRun *r, u32 shape, u32 result, u64 sum);
MatrixIn *native_matrix_in(NativeRun *r); /* of the lanes that met last */

/* ---- gpu.c ---- */
/* Serve a program's HIP run time until it is gone. cpu, wave: of the device that it shall see. The exit status. */
int native_gpu(const char *cpu, u32 wave);

/* ---- host.c ---- */
/* The object file of m, which was retargeted, for this processor: its entry is native_entry. NULL on errors. */
#define NATIVE_ENTRY "native_entry"
typedef struct NativeCode {
	NativeEntry *entry;
	NativeRun *run;
} NativeCode;
/* in_step: as native_in_step's plain. */
bool native_code(FeModule *m, const PoclLaunch *l, u32 wave, bool in_step, NativeCode *out, Diag *d);
/* Code that gives the variables which m->src places what the source initialises them with; false: as above. */
bool native_variables(FeModule *m, NativeEntry **out, Diag *d);

#endif
