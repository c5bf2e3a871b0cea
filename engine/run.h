/* A run on its way to a Result, and the steps that are private to engine/.
 *
 *   engine.c    open, close, accessors, Result      input.c    files and text -> Launch
 *   build.c     machine, program, cache             bind.c     sizes, arguments, memory
 *   execute.c   the native run and the machine      compare.c  their results side by side
 *
 * A run lives as long as it is open, a Result of it is there, or another run uses its memory. */
#ifndef WAVESIM_ENGINE_RUN_H
#define WAVESIM_ENGINE_RUN_H

#include "engine/arguments.h"
#include "engine/engine.h"
#include "models/device/lds_plan.h"
#include "sim/sim.h"
#include "traces/capture/capture.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum {
	BUILD_EXACT,
	BUILD_DEFINED,
	BUILD_CHECK,
	BUILD_SHAKEN,
	BUILD_SHAKEN_2,
	BUILD_SHAKEN_3,
	BUILD_UNDEFINED,
	BUILD_OTHERS
} BuildOther;

/* A program that was built. It goes with the last of the cache and the runs that have it. */
typedef struct Built {
	atomic_uint users;
	char *source; /* what the OpenCL compiler gets: file, options, text */
	char *target; /* what else decides the program: kernel, chip, width … */
	Fe *fe;       /* NULL: of a .wave program */
	Program *program;
	/* The same for run_build_other, or NULL: nobody asked; program NULL: there is none, and why. */
	struct Built *other[BUILD_OTHERS];
	char *why;
	pthread_mutex_t building; /* one of other: runs of several threads may have this program (BuildCache.ready) */
	bool repeat_equal; /* a recorded launch of it was equal with BUILD_EXACT */
} Built;

struct EngineRun {
	atomic_uint users;
	EngineRun *uses; /* the run whose launch or results this one points into, or NULL */
	Diag *d;
	Arena *arena;
	bool failed; /* the input is at fault */
	/* What is run: engine_open. */
	Launch launch;
	bool is_sim, is_wave, is_bitcode;
	Launch given;        /* launch, without what was guessed */
	bool may_shorten;    /* engine_shorten_guess() */
	u64 guess_limit;     /* wave instructions, at which the run ends for a smaller guess; 0: it does not */
	bool is_hip; /* a recorded launch of a HIP program */
	const char *input; /* as the user named it */
	const char *path;  /* of the program */
	char *text;
	char *build_options;
	const char
	    *dropped; /* options that it had and that build_options lack, of a repeated run (repeat.c); or NULL */
	const CapFile *file;       /* of a recorded launch, else NULL */
	const CapLaunch *recorded;
	const struct CapFile *const *misuses; /* LaunchSpec's */
	u32 nmisuses;
	const SrcProgram *src;     /* what its program is built from */
	/* On what machine: engine_build. */
	RunSpec want;
	Device device;
	u32 wave, banks, max_local; /* max_local: as the spec has it */
	Builtins builtins;
	const char *amd_library;
	LdsRule lds;
	bool own_lds_rule;
	Helper *helper; /* the cache's or … */
	Helper *own_helper; /* … this run's */
	Built *built;
	bool checking; /* fe is compiled for checks */
	Fe *fe; /* of built */
	Program *program;
	/* engine_bind. */
	LaunchLimits limits;
	Arguments args;
	SimLaunch sim;
	const char *no_reference; /* why there is no native run, or NULL */
	const char *not_pocl; /* why PoCL cannot run it natively, or NULL */
	bool own_reference;   /* the native run is the helper's own, not PoCL's */
	/* engine_execute. */
	const LdsPlan *lds_plan;
	EstimatePlan plan;
	SimRecord record;
	const u64 *only; /* work-groups that were run, nonly of them; NULL: all */
	u64 nonly;
	Profile *profile;
	Profile *ran; /* of several at once: what profile is a view of; the first one's */
	Profile *again, *wide; /* of uneven work-groups, an execution of those that decide; profile with its record */
	Reference reference;
	Checks checks;
	EngineTimes times;
	double spent;    /* seconds of the steps that are over, for RunSpec.timeout */
	double began;    /* the step that runs; and when it has to end, or 0 */
	double deadline;
	bool late; /* RunSpec.timeout passed, and the error was said */
};

/* ---- engine.c ---- */
EngineRun *run_use(EngineRun *run); /* one user more; returns run */
void run_drop(EngineRun *run);      /* one less */
/* run points into other from now on. */
void run_uses(EngineRun *run, EngineRun *other);

/* What result_time needs of a run. */
ResultInput run_time_input(EngineRun *run);
/* The guessed arguments that loops depend on, by name; NULL: there are none. */
const char *run_guess_decides(const EngineRun *run);
/* What it does now, for RunSpec.phase. */
void run_phase(const EngineRun *r, const char *what);
/* All that is done for a launch from here … */
void run_clock(EngineRun *r);
/* … to here is of the time that RunSpec.timeout gives it. False: it is over, with the error. */
bool run_in_time(EngineRun *r);
/* Is it over? What would be done for this launch is not done then. */
bool run_late(const EngineRun *r);

/* ---- input.c ---- */
bool run_read(EngineRun *run, const LaunchSpec *spec);

/* ---- build.c ---- */
void built_drop(Built *b);
/* Work-items that the compiler leaves registers for. */
u32 run_largest_group(const EngineRun *run);
bool run_partial_groups(const EngineRun *run); /* its last work-group may be smaller */
bool run_is_nvidia(const EngineRun *run);
/* NULL: there is none, as for programs without a source. */
const MachineCode *run_machine_code(const EngineRun *run);
/* LDS bytes of a work-group, private arrays that the compiler keeps there included. */
u64 run_lds_bytes(const EngineRun *run);
/* These arrays' bytes. */
u64 run_lds_private(const EngineRun *run);

/* again is a copy of a run of a kernel file: its program becomes that of another text, and is the caller's to drop
 * (built_drop). False: there is none. */
bool run_build_text(EngineRun *again, char *text);
/* again is a copy of a run: its fe and program become those of the same kernel with PoCL's built-in functions, with
 * those alone that OpenCL leaves open, compiled for checks, or as Builtins says of the other names. like: its options
 * for the compiler are the run's. False: there is no such program; *why. */
bool run_build_other(EngineRun *again, BuildOther how, bool like, const char **why);

/* ---- bind.c ---- */
/* Work-items of a work-group at most, by the device and the kernel. */
u32 run_max_group(const EngineRun *run);
/* Guess what was not given of the launch, so many times for fewer work-items, and check it. */
bool run_guess(EngineRun *run, u32 smaller);
/* The halves of engine_bind. */
/* How many dimensions the kernel looks at. */
u32 program_dims(const Program *p);
bool run_settle(EngineRun *run); /* sizes and arguments are known and checked */
bool run_fill(EngineRun *run);   /* they get their memory */

void run_sim_launch(EngineRun *run); /* sim, of the launch and its memory */

/* ---- execute.c ---- */
/* How the machine runs it, if nothing is recorded. */
void run_config(const EngineRun *run, SimConfig *cfg);
/* One execution for several machines. all[0] is bound; the others are settled, have its
 * run_execution, and found their LDS large enough (run_fits). Each has its profile then, the
 * very one that engine_execute would have given it (of a sample: of all that any of them wants to
 * run), or NULL where that takes an execution of its own. */
bool run_execute_all(EngineRun *const *all, u32 n);
/* profile, but with the record of the plan's work-groups: of an execution of these alone, or, where they then do
 * something else, of all. The run's, until it is asked for another; NULL: it did not end. */
const Profile *run_record(EngineRun *run, const EstimatePlan *plan);
void run_forget_record(EngineRun *run);
/* run.plan, for the launch in run.sim. */
void run_plan(EngineRun *run);
/* Executes a copy of a run, from the launch's arguments: the memory, which the caller frees (again->args), is the
 * copy's own. COPY_ALONE: only the plan's work-groups. COPY_COUNTED: what accesses move is wanted, too, which takes
 * long to count (SimConfig.uncounted). NULL: it did not end. */
enum { COPY_ALONE = 1, COPY_COUNTED = 2 };
Profile *run_copy(EngineRun *again, const EstimatePlan *plan, u32 how);
/* As it was after engine_bind: for another execution. */
bool run_again(EngineRun *run);
/* The program, the launch and the width: runs that agree in it, both settled, execute the same. */
char *run_execution(const EngineRun *run, Arena *a);
/* Is the argument memory that the kernel may write to? */
bool run_writes(const EngineRun *run, u32 arg);
/* run, settled, takes the arguments of first, bound, for its own: is the device's LDS large enough? */
bool run_fits(EngineRun *run, EngineRun *first);

#endif
