/* Two launches side by side: are the results the same, what changed, is it faster, and why.
 *
 * compare_build works it all out from two Results and the comparison of their buffers; formats
 * (report/compare.h) only write it down. */
#ifndef WAVESIM_COMPARISON_H
#define WAVESIM_COMPARISON_H

#include "engine/result.h"

enum { SIDES = 2, COMPARE_INPUTS = 6 }; /* [0] before, [1] after; inputs shown of an element */

/* ---- results ---- */

/* What the work-item read that computed an element: contents before the launch. */
typedef struct CompareInput {
	const char *name; /* argument */
	u64 index;        /* element; meaningless for a value */
	bool is_value;
	const char *text;
} CompareInput;

/* Who wrote an element last, on one side. */
typedef struct CompareWriter {
	bool known;
	u64 item[3];      /* global id */
	const char *file; /* of the store; NULL: no line known */
	u32 line;
	u64 nread;        /* elements of buffers that the work-item had read by then */
	CompareInput input[COMPARE_INPUTS];
	u32 ninputs;      /* of these the first, then the values */
} CompareWriter;

typedef struct CompareElement {
	u64 index;
	u32 component;           /* of a vector */
	const char *text[SIDES]; /* the values */
	CompareWriter by[SIDES];
} CompareElement;

enum { COMPARE_SHOWN = 4 };
typedef struct CompareBuffer {
	const char *name, *type;
	u64 elements[SIDES]; /* 0: the other side alone has it */
	u64 compared;        /* elements: those that both have; packets of pipes: all that one has */
	u64 different;       /* … that differ */
	u64 within;          /* further ones that differ, but by no more than --max-ulp */
	u32 width;           /* components */
	bool has_ulp;
	double max_ulp;      /* of floats that differ */
	const char *note;    /* why it was not compared, or NULL */
	CompareElement first[COMPARE_SHOWN];
	u32 nfirst;
} CompareBuffer;

typedef struct CompareResults {
	const char *missing;  /* why nothing was compared, or NULL */
	CompareBuffer *buffers;
	u32 nbuffers;
	u64 compared, different; /* elements */
	bool printed, printed_differs;
	const char *const *notes; /* on inputs that are not the same */
	u32 nnotes;
} CompareResults;

/* ---- the rest ---- */

typedef enum { LOWER, HIGHER, NEITHER } CompareBetter;
typedef enum {
#define METRIC(id, better, unit, value, words) METRIC_##id,
#include "engine/metrics.def"
	METRIC_COUNT
} MetricId;
double metric_value(MetricId id, const Result *r); /* NAN: not known */
const char *metric_name(MetricId id);
typedef struct CompareMetric {
	const char *id, *unit, *words;
	CompareBetter better;
	double value[SIDES]; /* NAN: not known */
} CompareMetric;

/* A row of the sources side by side. */
typedef struct CompareRow {
	u32 line[SIDES];               /* 0: not there */
	const ResultLine *at[SIDES];   /* its counts, or NULL */
	double time_us[SIDES];         /* its share of the time; negative: not known */
	const char *text;              /* of the line (before's, where there is one) … */
	u32 bytes;                     /* … so many, without its end */
} CompareRow;

/* What is to be made of it. */
#define COMPARE_VERDICTS(X) \
	X(different, "the results differ") \
	X(faster, "faster: the band of the ratio excludes 1") \
	X(slower, "slower: the band of the ratio excludes 1") \
	X(likely_faster, "estimated faster, but the band of the ratio includes 1: no difference can be told") \
	X(likely_slower, "estimated slower, but the band of the ratio includes 1: no difference can be told") \
	X(equal, "the estimates are the same") \
	X(unknown, "there is no estimate")
#define X_VERDICT(id, doc) VERDICT_##id,
typedef enum { COMPARE_VERDICTS(X_VERDICT) VERDICT_COUNT } CompareVerdict;
extern const char *const compare_verdict_name[VERDICT_COUNT];
extern const char *const compare_verdict_doc[VERDICT_COUNT];

typedef struct Compare {
	Arena *arena;
	const Result *side[SIDES];
	const char *label[SIDES]; /* short names that differ: file, kernel, device */
	CompareResults results;
	CompareMetric metrics[METRIC_COUNT];
	CompareRow *rows;
	u32 nrows;
	const ResultSource *source[SIDES]; /* whose lines the rows are; NULL: none known */
	/* The time of the second by that of the first: by the estimates, and where nine of ten measured ratios of such
	 * launches lie (of different devices, or where none were measured: between the bands of the times); NAN: not
	 * known. */
	double ratio, ratio_low, ratio_high;
	CompareVerdict verdict;
	const char *summary;        /* one sentence */
	const char *const *reasons; /* more of them */
	u32 nreasons;
} Compare;

/* The reports and what results points to must live as long. */
Compare *compare_build(const Result *before, const Result *after, const char *const label[SIDES],
                       const CompareResults *results);
void compare_free(Compare *c);
/* Are the results the same, as far as they were compared? */
bool compare_same(const Compare *c);

/* Is it the same on both sides, as far as both are known? */
bool compare_changed(const CompareMetric *m);
int compare_gain(const CompareMetric *m); /* 1: after is better; -1: worse; 0: neither, or not known */
void compare_value(const CompareMetric *m, u32 side, Buf *out); /* "1,234", "0.5", "unknown" */

#endif
