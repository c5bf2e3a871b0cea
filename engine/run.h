/* The steps of a launch, and what they hand on to each other (for cli/ only). A command that
 * runs launches sets o, d and arena (and cache, to build the same program once) and calls
 *
 *   session_build -> session_bind -> session_execute -> session_report … session_close
 *
 * Each returns false when the input is at fault, with the reason in d; session_close may follow
 * any of them. */
#ifndef WAVESIM_ENGINE_RUN_H
#define WAVESIM_ENGINE_RUN_H

#include "engine/session.h"
#include "models/device/lds_plan.h"
#include "traces/capture/capture.h"

typedef struct Session {
	Options *o;
	Diag *d;
	Arena *arena;
	Launch launch;
	bool is_sim, is_wave, is_bitcode;
	const char *path; /* of the program: the input, or what the .sim file names */
	char *text;       /* of it; NULL for bitcode */
	const char *given; /* text that stands in for the file, with all of the launch in the options */
	char *build_options;
	/* A launch of a launch file instead: both set by the caller, with o->input the file. */
	const CapFile *file;
	const CapLaunch *recorded;
	const SrcProgram *src; /* what its program is built from; else NULL */
	Device device;
	u32 wave, banks;
	LdsRule lds;
	bool own_lds_rule;
	const LdsPlan *lds_plan;
	Helper *helper, *own_helper; /* where compilers run; NULL, as set by the caller: in one of its own */
	SessionBuild *cache; /* whose fe and program are, when not NULL */
	Fe *fe;
	Program *program;
	LaunchLimits limits;
	Arguments args;
	SimLaunch sim;
	const char *no_reference; /* why PoCL does not run, or NULL */
	Profile *profile;
	Profile *ran;     /* of several at once: what profile is a view of; the first one's */
	Reference reference;
	EstimatePlan plan;
	SimRecord record;
	double build_seconds, run_seconds, report_seconds;
} Session;

/* ---- build.c ---- */
bool session_build(Session *s);
/* Work-items that the compiler leaves registers for. */
u32 session_largest_group(const Session *s);

/* ---- bind.c ---- */
/* From session_build to session_show, or to what --dump-isa and --dump-ir print. */
bool session_all_steps(Session *s, int *status);
bool session_bind(Session *s);
/* Its halves: sizes and arguments are known and checked; they get their memory. */
bool session_settle(Session *s);
bool session_fill(Session *s);
/* Everything but the arena, and the program when it belongs to the cache. */
void session_close(Session *s);
/* NULL: there is none, as for programs without a source. */
const MachineCode *session_machine_code(const Session *s);

/* ---- execute.c ---- */
bool session_execute(Session *s);
/* One execution for several machines. all[0] is bound; the others are settled, have its
 * session_execution, and found their LDS large enough (session_fits). Each has its profile then, the
 * very one that session_execute would have given it (of a sample: of all that any of them wants to
 * run), or NULL where that takes an execution of its own. */
bool session_execute_all(Session *const *all, u32 n);
/* As it was after session_bind: for another execution. */
bool session_again(Session *s);
/* The program, the launch and the width: sessions that agree in it, both settled, execute the same. */
char *session_execution(const Session *s, Arena *a);
/* Is the argument memory that the kernel may write to? */
bool session_writes(const Session *s, u32 arg);
/* s, settled, takes the arguments of first, bound, for its own: is the device's LDS large enough? */
bool session_fits(Session *s, const Session *first);

/* ---- cli/show.c ---- */
/* Requires session_execute; result_free(). It points into the session. */
Result *session_report(Session *s);
/* May the formats all go where the options want them? */
bool session_check_formats(const Options *o, Diag *d);
/* A command that is not about the results of one launch: options for these are errors but for the one that it
 * has (OPTION_COUNT: none). have: the formats that there are, for the hint. */
bool session_not_of_one(const Options *o, OptionId has, const char *what, const char *have, Diag *d);
/* Of several reports only JSON can hold all: is nothing else wanted? */
bool session_one_report(const Options *o, Diag *d);
bool session_show_report(Session *s, Result *r, int *status);
bool session_show(Session *s, int *status);

#endif
