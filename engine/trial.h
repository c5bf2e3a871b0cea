/* A launch executed another way, to learn what it would take: advice says only what was tried. */
#ifndef WAVESIM_TRIAL_H
#define WAVESIM_TRIAL_H

#include "base/base.h"

struct EngineRun;
struct Profile;

typedef struct Trial {
	u64 local[3];
	bool exchanged; /* dimensions 0 and 1 change roles (SimLaunch.exchanged) */
	char *text;     /* another text of the program, of as many lines; NULL: the run's own. The caller's */
	double most_us; /* it is of use only if it leaves the same and takes no longer; 0: in any case */
	u32 units;      /* work-group processors that the run's estimate played */
} Trial;

/* What it took. */
typedef struct TrialCost {
	double us; /* by the model */
	u64 lines; /* cache lines touched, of exchanged ones */
	u64 scratch; /* bytes of a work-item in scratch memory */
} TrialCost;

typedef enum {
	TRIAL_SAME,    /* it ran, and left the same bytes in every buffer */
	TRIAL_OTHER,   /* it left others: the kernel may be made for the sizes that it has */
	TRIAL_WRONG,   /* it did something wrong that the run did not */
	TRIAL_LONG,    /* it takes longer than Trial.most_us, by a sample of its work-groups: not all were executed */
	TRIAL_UNKNOWN, /* it cannot be told: the run was a sample or did something wrong itself, its memory is another
	                * run's, its text is not at hand or cannot be compiled, or the trial took too long */
} TrialOutcome;

/* run: executed, with a Result made or in the making; it stays as it is, and trials of other sizes may run side by
 * side. threads: of this one, at least 1. *left: wave instructions that it may execute, and then what it left of them.
 * *cost: of TRIAL_SAME. */
TrialOutcome trial_run(struct EngineRun *run, const Trial *t, u32 threads, u64 *left, TrialCost *cost);

/* So many wave instructions were executed. */
void trial_charge(u64 took, u64 *left);

/* ---- trial_sample.c ---- */
/* Has it findings that are more than notes? */
bool trial_has_problems(const struct Profile *p);
/* again: the copy of r that executes the trial, with its plan; it may execute what is left. What a sample of the trial's
 * work-groups says: TRIAL_SAME, that all have to be executed. */
TrialOutcome trial_sample(struct EngineRun *again, struct EngineRun *r, const Trial *t, u64 *left);

#endif
