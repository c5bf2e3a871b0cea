/* What the engine takes: what to run, on which machine, and what is wanted of the run. Plain structs; all zeros but
 * for LaunchSpec.path and MachineSpec.device is a good run.
 *
 * Nothing is owned here, and nothing of it is needed when the function that takes it has returned, but for a launch
 * file (which must outlive the run and its results), memory, stop and progress_ctx. */
#ifndef WAVESIM_ENGINE_SPEC_H
#define WAVESIM_ENGINE_SPEC_H

#include "base/stop.h"
#include "frontend/frontend.h"
#include "models/device/device.h"
#include "traces/launch/options.h"

typedef struct LaunchSpec {
	const char *path; /* kernel.cl, kernel.hip, kernel.spv, launch.sim, program.bc or program.wave, by its ending */
	const char *text; /* its contents, instead of the file; not of bitcode */
	bool complete;    /* words say all of the launch: comments in the text are not read, and a .sim file is none */
	const LaunchWord *words; /* stronger than what the file says */
	u32 nwords;
	const LaunchMemory *memory; /* what words may name as files; it must outlive the run */
	u32 nmemory;
	const char *command_line; /* what locations in "command line" point into; NULL: there are none */
	u32 test;                 /* Launch.test */
	/* A launch of a launch file instead, which path names: both, or neither. Words other than --dump are errors
	 * then. */
	const struct CapFile *file;
	const struct CapLaunch *recorded;
	/* Launch files of the program, whose misuse of OpenCL (CapMisuse) is to be among the findings. */
	const struct CapFile *const *misuses;
	u32 nmisuses;
} LaunchSpec;

typedef struct MachineSpec {
	const Device *device;
	u32 wave;      /* lanes of a wavefront, 1 … MAX_WAVE; 0: the device's */
	u32 banks;     /* of LDS, a power of two up to MOST_BANKS; 0: the device's */
	u32 max_local; /* work-items that the compiler leaves registers for; 0: 256, or the launch's if that is more */
	Builtins builtins;
	const char *amd_library; /* folder of AMD's device library; NULL: where its package puts it */
} MachineSpec;

/* A second execution, of a program whose accesses are the source's (check.h): what is looked for there. */
typedef struct CheckSpec {
	enum { CHECK_IF_DIFFERENT, CHECK_ALWAYS, CHECK_NEVER } when; /* results are not PoCL's */
	u8 what; /* CHECK_… of result.h; 0: all */
	bool same_value_error; /* work-items that write the same value to one place are no note, but an error */
	u64 memory; /* bytes for races; 0: as many as check.c says */
	struct Suppressions *suppress; /* findings to leave out (suppress.h), or NULL; it counts what it took out */
} CheckSpec;

/* Called now and then on the thread that runs, with work-groups done and all of them. */
typedef void EngineProgress(void *ctx, u64 done, u64 all);
typedef void EnginePhase(void *ctx, const char *what); /* what runs from here on; a constant text */

typedef struct RunSpec {
	u32 threads;          /* of the machine, the estimate and trials; 0: one for each processor */
	u32 sample;           /* percent of the work-groups to run; 0: all, and a sweep may choose a part */
	u64 max_instructions; /* wave instructions of one wavefront that end the launch; 0: none do */
	u64 max_launch_instructions; /* of all of them */
	double timeout; /* seconds that all executions and the estimate of a launch may take; else an error. 0: any */
	bool no_estimate;     /* count only */
	u32 time_cus;         /* compute units that the timing model simulates in detail; 0: as many as it likes */
	bool warm;            /* EstimateInput.warm … */
	bool not_copied;      /* EstimateInput's */
	bool no_what_if, no_advice;
	bool timeline, detail; /* for Result: what wavefronts did when; what single wavefronts did */
	bool listing;         /* for Result: each instruction of the machine code (listing.h) */
	FeDebug debug; /* the program is to be debugged (debug.h) */
	bool no_machine_code, keep_ir; /* of the program: only its IR is of interest; engine_ir is wanted */
	/* The native run of the same launch (PoCL's, or the recorded one) that results are compared with. */
	const char *no_reference; /* why it is not wanted, or NULL */
	u32 reference_seconds;    /* to wait for it; 0: 600 */
	bool reference_timing;    /* Reference.seconds is wanted: it runs several times */
	CheckSpec check;
	/* Ends the run with an error when it is asked to; or NULL. It must outlive the run and its cache. */
	const Stop *stop;
	bool silent;              /* what compilers and native code say on standard error is left out */
	const char *helper;       /* the program in which they run; NULL: it is looked for (helper_new) */
	Sandbox sandbox;          /* of compilers and native code (frontend/helper.h) */
	const char *cache;        /* folder of what they made, for later runs (helper_cache); NULL: none */
	u64 cache_bytes;
	EngineProgress *progress; /* or NULL */
	EnginePhase *phase;       /* or NULL */
	void *progress_ctx;       /* of both */
} RunSpec;

#endif
