/* A launch on a simulated machine: LaunchSpec + MachineSpec + RunSpec -> Result.
 *
 *   Result *r = engine_run(&launch, &machine, &want, NULL, &d);     all of it, or
 *
 *   EngineRun *run = engine_open(&launch, &d);                      reads the file; engine_launch(run): what it says
 *   if (engine_build(run, &machine, &want, cache) &&                compiles
 *       engine_bind(run) &&                                         sizes, arguments, memory
 *       engine_execute(run))                                        the native run, the machine, both compared
 *           r = engine_result(run);                                 estimate, findings, advice
 *   engine_close(run);                                              r stays valid until result_free(r)
 *
 * A step that returns false has said in the Diag what is wrong with the input; nothing but engine_close may follow it.
 * What the kernel does wrong is in the Result. Nothing here prints, ends the program (but for want of memory:
 * base/reserve.h), sets the environment or a signal handler, or keeps anything in global variables: runs on several
 * threads need nothing from each other, as long as each has a BuildCache and a Diag of its own. */
#ifndef WAVESIM_ENGINE_H
#define WAVESIM_ENGINE_H

#include "engine/spec.h"
#include "engine/result.h"
#include "traces/store/store.h"

typedef struct EngineRun EngineRun;

/* Programs that were built, for launches that may be of the same one, and the helper that built them. {0} is an empty
 * one; runs keep what they have of it, but execute with its helper: they must come to that before it is freed. */
typedef struct BuildCache {
	Helper *helper; /* NULL: there was no need of one yet */
	/* Programs of another cache, that are looked up as well; or NULL. It may serve several threads, but must not
	 * change meanwhile. */
	const struct BuildCache *ready;
	ARRAY(struct Built *) built;
	u32 most;  /* programs that are kept, the last ones used; 0: one */
	u32 compiled, lowered; /* how often the OpenCL compiler ran, and LLVM after it */
} BuildCache;
void build_cache_empty(BuildCache *c); /* of its programs; the counts stay */
void build_cache_free(BuildCache *c);  /* and of its helper */

/* Never NULL; when something is wrong with the input, engine_build will return false. d takes the messages of all
 * steps, and must live until the last of them. */
EngineRun *engine_open(const LaunchSpec *spec, Diag *d);
/* cache: NULL, or where the program is looked for and kept. */
bool engine_build(EngineRun *run, const MachineSpec *machine, const RunSpec *want, BuildCache *cache);
bool engine_bind(EngineRun *run);
bool engine_execute(EngineRun *run);
/* From now on engine_execute makes a guessed launch smaller, where loops depend on guessed arguments and it takes
 * too many instructions. Not for runs that are compared with others: they would differ in their launches. */
void engine_shorten_guess(EngineRun *run);
/* After engine_execute. NULL: RunSpec.timeout passed; an error in d. result_free. */
Result *engine_result(EngineRun *run);
void engine_close(EngineRun *run); /* may be NULL */
/* All of it; NULL: errors in d. */
Result *engine_run(const LaunchSpec *launch, const MachineSpec *machine, const RunSpec *want, BuildCache *cache,
                   Diag *d);

/* ---- what is known of a run; all of it is the run's ---- */
/* What the file says, from engine_open on (Launch.extra: what it says of other things than the launch); all of the
 * launch after engine_bind. */
const Launch *engine_launch(const EngineRun *run);
const char *engine_path(const EngineRun *run);  /* of the program: the spec's, or what a .sim file names */
const char *engine_text(const EngineRun *run);  /* its text; NULL for bitcode */
bool engine_is_sim(const EngineRun *run);
const char *engine_build_options(const EngineRun *run); /* for the OpenCL compiler; NULL: not known yet */
/* After engine_build. */
const Program *engine_program(const EngineRun *run);
/* The machine code, with RunSpec.listing; NULL: there is none, and why. It is the arena's. */
const Listing *engine_listing(const EngineRun *run, Arena *a, const char **why);
/* The source files of the program; texts live as long as the run. */
const ResultSource *engine_sources(EngineRun *run, u32 *n);
const char *engine_ir(const EngineRun *run);    /* optimised LLVM IR, with RunSpec.keep_ir; NULL: there is none */
const Device *engine_device(const EngineRun *run);
/* What the buffer or image of an argument holds now, size bytes, of a pipe the packets that may be read, until
 * the next call; NULL: it has no memory. After engine_bind. */
const void *engine_buffer(const EngineRun *run, u32 arg, u64 *size);
/* Did a step fail because RunSpec.timeout passed? Other launches would run, but nothing may depend on the machine. */
bool engine_late(const EngineRun *run);
/* Seconds of real time, one step after the other. */
typedef struct EngineTimes {
	double build, machine, result;
	double checks;  /* the execution for them (check.h) */
	double native;  /* waiting for the native run, which began before the machine's */
	double opinion; /* a result that differs: other builds, here and natively, that say why (reference.c) */
	double kernel;  /* in the native run: the kernel alone */
	bool build_kept, native_kept; /* nothing ran: what came of it was kept (RunSpec.cache) */
} EngineTimes;
EngineTimes engine_times(const EngineRun *run);
/* Of several runs. */
void engine_times_add(EngineTimes *sum, const EngineTimes *t);

/* ---- bind.c ---- */
/* What a kernel takes of a device, without running it: after engine_bind. Strings are the arena's. */
typedef struct EngineResources {
	const Device *device;
	const char *kernel, *source; /* source: "amdgpu", "r600", "ir": registers as they live in the IR; NULL: given */
	OccInput use;
	const R600Result *r600; /* NULL: not a chip of LLVM's r600 back end */
} EngineResources;
void engine_resources(const EngineRun *run, Arena *a, EngineResources *out);

/* ---- keep.c: results into a store ---- */
/* The launch, its outputs and its estimate, as one transaction. The program must have a source. */
bool engine_keep(EngineRun *run, const Result *r, Store *store, Diag *d);
/* What a launch of the store must put out, for wavesim-runner to check a device against. */
bool engine_keep_outputs(const EngineRun *run, Store *store, i64 launch, Diag *d);
/* *bound_doc: Result's limiter in words. Strings are the arena's; out->problem says why there is no estimate. */
void engine_keep_estimate(const Result *r, Arena *a, StoreEstimate *out, const char **bound_doc);

#endif
