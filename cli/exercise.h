/* Exercises: a page with the task and what is asked for, beside its kernels (for wavesim exercise and grade).
 *
 * A page is Markdown (exercises/NAME/README.md): its text is the task. Comments in it say the rest; each begins with a
 * word and may go on over several lines:
 *
 *   <!--kernel add.cl: --kernel add-->      the file that is handed in; options of every launch (those of a comment in
 * a kernel file)
 *   <!--solution solution.cl-->             the model solution, in the page's folder
 *   <!--launch odd: --global 128 … -->      a launch that is judged, with its options: all of them, nothing is guessed
 *   <!--goal odd: lanes > 95: because …-->  of that launch: a condition (engine/judge.h), and a hint where it is missed
 *   <!--hint odd: …-->                      where results of that launch are wrong; or where a finding of that id is
 * made
 *   <!--ulp 2-->                            floats may differ from the model solution's by so many ulp
 *   <!--wrong late.cl: results of odd-->    a common mistake, and the item that it must miss first, or its verdict:
 *                                           for wavesim exercise --check
 */
#ifndef WAVESIM_EXERCISE_H
#define WAVESIM_EXERCISE_H

#include "base/child.h"
#include "options/options.h"
#include "engine/judge.h"

typedef struct ExerciseWrong {
	const char *file, *item;
	Loc at;
} ExerciseWrong;

typedef struct ExerciseWords {
	const char *name; /* of the launch */
	Loc at;           /* of the comment */
	LaunchTokens words;
} ExerciseWords;

typedef struct Exercise {
	Arena *arena;
	const char *path, *folder, *text; /* of the page */
	const char *title;
	const char *name;     /* of its folder */
	const char *file;     /* the kernel file that is handed in: a name */
	const char *solution; /* path */
	Loc kernel_at, solution_at;
	u64 max_ulp;
	LaunchTokens common; /* options of every launch */
	ARRAY(ExerciseWords) words;
	ARRAY(JudgeGoal) goals;
	ARRAY(const char *) goal_launch; /* by name, of each goal */
	ARRAY(JudgeHint) hints;          /* finding: of a finding or a launch */
	ARRAY(ExerciseWrong) wrong;
	/* exercise_spec: */
	ARRAY(JudgeLaunch) launches;
	ARRAY(Options *) options;
	JudgeSpec spec;
} Exercise;

/* ---- exercise_page.c ---- */
/* False: errors in d. To be freed in every case. */
bool exercise_read(Exercise *x, const char *path, Diag *d);
bool exercise_parse(Exercise *x, const char *path, const char *text, Diag *d);
void exercise_free(Exercise *x);
/* What the engine takes of it: x->spec. Neither the environment nor the configuration file have a part in it. */
bool exercise_spec(Exercise *x, const char *sandbox, bool native, Diag *d);

/* ---- judge_apart.c ---- */
/* A submission that is judged in a process of its own, which may end as it likes. */
typedef struct JudgeApart {
	Judge *judge;
	const char *path;
	int answer; /* an unnamed file */
	double began;
	Child child;
} JudgeApart;
/* False: there can be no such process (error in d). path must live until it is taken. */
bool judge_apart_start(JudgeApart *w, Judge *j, const char *path, Diag *d);
/* Waits until it has been judged, so many seconds after its start at most. What out points to is the arena's. */
void judge_apart_take(JudgeApart *w, double seconds, Arena *a, Judgement *out);

/* ---- cmd_exercise.c ---- */
enum { JUDGE_SECONDS = 60 };
/* The folder of an exercise by its name, or by its path; NULL: there is none (error in d). */
const char *exercise_folder(const char *name, Arena *a, Diag *d);

#endif
