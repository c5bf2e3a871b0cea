/* The formats of a grading: submissions of one exercise, side by side, and each by itself. */
#ifndef WAVESIM_REPORT_GRADE_H
#define WAVESIM_REPORT_GRADE_H

#include "engine/judge.h"
#include "report/report.h"

typedef struct GradeOne {
	const char *name; /* of the submission */
	const char *page; /* file name of its page; NULL: there is none */
	Judgement judgement;
} GradeOne;

/* Every judgement has the same items. */
typedef struct Grade {
	const char *exercise, *title; /* name; headline of its page */
	const char *file;             /* the kernel file that is handed in */
	const GradeOne *of;
	u32 n;
} Grade;

/* How many have that verdict. */
u32 grade_count(const Grade *g, JudgeVerdict v);
/* One line each, and a sum. */
void grade_text(const Grade *g, const SinkStyle *style, Buf *out);
/* What a student is told: each item, the first that is missed with its line and a hint. */
void grade_one_text(const Grade *g, const GradeOne *x, const SinkStyle *style, Buf *out);
/* A row each: name, verdict, why; a column for each item. */
void grade_csv(const Grade *g, Buf *out);
/* JUnit's XML: a suite each, a case for each item. */
void grade_junit(const Grade *g, Buf *out);

/* ---- grade_json.c ---- */
void grade_json(const Grade *g, Buf *out);

/* ---- html_grade.c ---- */
void grade_html(const Grade *g, Buf *out);
void grade_one_html(const Grade *g, const GradeOne *x, Buf *out);

#endif
