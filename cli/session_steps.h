/* What the steps of a launch hand on to each other (private to session*.c). */
#ifndef WAVESIM_SESSION_STEPS_H
#define WAVESIM_SESSION_STEPS_H

#include "cli/session.h"
#include "models/lds_plan.h"

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
	Device device;
	u32 wave, banks;
	LdsRule lds;
	bool own_lds_rule;
	const LdsPlan *lds_plan;
	SessionBuild *cache; /* whose fe and program are, when not NULL */
	Fe *fe;
	Program *program;
	LaunchLimits limits;
	Arguments args;
	SimLaunch sim;
	const char *no_reference; /* why PoCL does not run, or NULL */
	Profile *profile;
	Reference reference;
	EstimatePlan plan;
	SimRecord record;
	double build_seconds, run_seconds, report_seconds;
} Session;

/* ---- session.c ---- */
/* NULL: there is none, as for programs without a source. */
const MachineCode *session_machine_code(const Session *s);
/* Work-items that the compiler leaves registers for. */
u32 session_largest_group(const Session *s);

/* ---- session_show.c ---- */
Report *session_report(Session *s); /* requires execution; report_free() */
bool session_show(Session *s, int *status);

#endif
