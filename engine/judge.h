/* Judging submissions: kernels that somebody wrote for an exercise, each against the same launches and goals.
 *
 *   Judge *j = judge_new(&spec, &d);            runs the model solution: what is expected, what goals compare with
 *   judge_submission(j, path, arena, &out);     one submission
 *   judge_free(j);
 *
 * Right is what leaves in every buffer what the model solution leaves, without faults of its own; how well it does it,
 * goals say: expressions over the counts of metrics.def. Both run on the simulated machine alone: no code of a
 * submission is executed natively, unless JudgeSpec.native asks for it. What a submission can ask for is bounded by
 * counts, not by time, so that a verdict is the same on every machine; where the time or the memory of this one is over
 * nothing is said but that.
 *
 * A submission is hostile until it is judged: judge_read. It may still make the process that judges it run out of
 * memory: whoever judges many does each in a process of its own (cli/judge_apart.c). */
#ifndef WAVESIM_ENGINE_JUDGE_H
#define WAVESIM_ENGINE_JUDGE_H

#include "base/codec.h"
#include "engine/engine.h"

/* ---- what goes in ---- */

typedef struct JudgeLaunch {
	const char *name;
	LaunchSpec launch; /* complete; without a path and a text, which are the submission's */
	MachineSpec machine;
	RunSpec want;     /* its max_launch_instructions: 0 becomes a bound by what the model solution takes */
	const char *hint; /* where results are wrong; or NULL */
	Loc at;
} JudgeLaunch;

/* A condition on counts (sweep_eval), true for those of a launch: "10 * lds_cycles <= 12 * model_lds_cycles". Names are
 * those of metrics.def, with model_ before them the model solution's; whole numbers, rounded down. */
typedef struct JudgeGoal {
	u32 launch;
	const char *expression;
	const char *hint; /* where it is missed; or NULL */
	Loc at;
} JudgeGoal;

/* What a kind of finding, or "endless", is to be told, in place of the usual hint. */
typedef struct JudgeHint {
	const char *finding, *text;
} JudgeHint;

/* All of it must live as long as the Judge. */
typedef struct JudgeSpec {
	const char *model; /* path of the model solution */
	u64 max_ulp;       /* that floats may lie from the model solution's */
	const JudgeLaunch *launches;
	u32 nlaunches;
	const JudgeGoal *goals;
	u32 ngoals;
	const JudgeHint *hints;
	u32 nhints;
	bool native; /* launches run natively, too (their RunSpec says so), and must come to the same results */
} JudgeSpec;

/* ---- what comes out ---- */

#define JUDGE_VERDICTS(X) \
	X(passed, "every item is met") \
	X(failed, "results are wrong, a fault was found, or a goal is missed") \
	X(endless, "it ran past the limit of instructions") \
	X(not_compiled, "it does not compile") \
	X(refused, "it is not what the exercise asks for, and was not run") \
	X(not_judged, "the time or the memory of this machine was over; this says nothing of the submission")
#define X_JUDGE_VERDICT(name, doc) JUDGE_##name,
typedef enum { JUDGE_VERDICTS(X_JUDGE_VERDICT) JUDGE_VERDICT_COUNT } JudgeVerdict;
extern const char *const judge_verdict_name[JUDGE_VERDICT_COUNT];
extern const char *const judge_verdict_doc[JUDGE_VERDICT_COUNT];

/* open: not looked at, as something that comes before it is missed. */
#define JUDGE_STATES(X) X(met) X(missed) X(open)
#define X_JUDGE_STATE(name) ITEM_##name,
typedef enum { JUDGE_STATES(X_JUDGE_STATE) ITEM_STATE_COUNT } JudgeState;
extern const char *const judge_state_name[ITEM_STATE_COUNT];

/* The items of an exercise are the same for all submissions, in this order: "the file", "compiles"; for each launch
 * its faults and its results; the goals; with JudgeSpec.native, the native run of each launch. */
typedef struct JudgeItem {
	const char *name;   /* "results of odd-size" */
	u32 state;          /* JudgeState */
	const char *said;   /* what was found, a sentence; NULL: nothing to say */
	const char *hint;   /* what to do; or NULL */
	const char *advice; /* what the machine says of the same line; or NULL */
	u32 line;           /* of the kernel file; 0: none */
} JudgeItem;

typedef struct Judgement {
	u32 verdict;     /* JudgeVerdict */
	const char *why; /* one sentence: of the first item that is missed, or why it was not judged; NULL: passed */
	JudgeItem *items;
	u32 nitems;
	const char *text; /* of the kernel file; NULL: it was not taken */
} Judgement;

typedef struct Judge Judge;
/* NULL: the model solution does not run or a goal cannot be evaluated (errors in d). */
Judge *judge_new(const JudgeSpec *spec, Diag *d);
void judge_free(Judge *j); /* may be NULL */
/* path: of the kernel file. What out points to is the arena's. On one thread at a time. */
void judge_submission(Judge *j, const char *path, Arena *a, Judgement *out);
/* The items of the exercise, none of them looked at. */
void judge_items(const Judge *j, Arena *a, Judgement *out);
/* As bytes, for another process. */
void judgement_code(Codec *c, Judgement *x);
/* So many characters of that line of the text; NULL: there is none. */
const char *judge_line(const Judgement *x, u32 line, u32 *n);

/* ---- judge_source.c ---- */

typedef struct JudgeFault {
	const char *said, *hint;
	u32 line; /* 0: of no line */
} JudgeFault;
enum { JUDGE_MOST_BYTES = 1 << 20 };
/* The text of a kernel file of which nothing is known: a regular file of text, no link, of at most JUDGE_MOST_BYTES,
 * that includes such files of its own folder only, by names as they stand there. NULL: it is not, and why. */
const char *judge_read(const char *path, Arena *a, JudgeFault *why);
/* The same of a text that has been read: false, and why, where it includes anything else. */
bool judge_includes(const char *path, const char *text, Arena *a, JudgeFault *why);

#endif
