/* Lessons: a page of explanation beside its kernels, whose numbers come from runs (for wavesim lesson).
 *
 * A page is Markdown (lessons/NAME/README.md) that reads well as it is. Comments in it say where its
 * numbers come from:
 *
 *   <!--run before: before.cl --arg n=24-->         a launch, in the page's folder, and its name
 *   50.3<!--=100*before:divergence.lane_utilization-->   the number in front of it: what that launch's
 *                          report has at this place (report/query.h); * / + are worked from the left
 *   <!--=~…-->             of a figure that follows from a model: good to a tenth
 *   <!--compare-->         here `before` and `after` are shown side by side
 *
 * How the number is written says how it is checked: so many decimals, commas in thousands. In a section
 * that begins with "What the run shows" every number has its origin. */
#ifndef WAVESIM_LESSON_H
#define WAVESIM_LESSON_H

#include "base/diag.h"
#include "report/query.h"

typedef struct LessonRun {
	const char *name, *words; /* words: file and options */
	Loc loc;                  /* of the words */
} LessonRun;

typedef struct LessonPage {
	Arena *arena;
	const char *path, *folder, *text;
	const char *title;
	ARRAY(LessonRun) runs;
} LessonPage;

/* ---- lesson_page.c ---- */
bool lesson_page_read(LessonPage *p, const char *path, Diag *d);
bool lesson_page_parse(LessonPage *p, const char *path, const char *text, Diag *d);
void lesson_page_free(LessonPage *p);

/* The value at a path of a run's report. Not LESSON_GOOD: why is the reason. */
typedef enum { LESSON_GOOD, LESSON_NO_VALUE, LESSON_FAILED } LessonAnswer;
typedef LessonAnswer LessonAsk(void *ctx, const char *run, const char *path, ResultValue *out);

/* The page with every number as the runs have it, which is added to out. *differ: how many are not
 * what the page says. strict: each difference, and each number without an origin where one is due,
 * is an error in d. False: the page or a run is at fault. */
typedef struct LessonFill {
	LessonAsk *ask;
	void *ctx;
	bool strict;
	u32 differ;
} LessonFill;
bool lesson_fill(const LessonPage *p, LessonFill *f, Buf *out, Diag *d);

/* ---- lesson_show.c ---- */
/* Markdown for a terminal. lessons: what stands there for "lessons/" in commands; compare: what goes in place of
 * <!--compare-->. */
void lesson_show(const char *text, const char *lessons, const char *compare, const SinkStyle *style, Buf *out);

#endif
