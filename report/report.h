/* The formats of a Result (engine/result.h): a row in sinks.def and a file sink_NAME.c each. A format
 * arranges and writes what it is given; it works nothing out and runs no model. */
#ifndef WAVESIM_REPORT_H
#define WAVESIM_REPORT_H

#include "engine/result.h"

/* What the width of a flame graph's frame can show. */
#define STACK_WEIGHTS(X) \
	X(cycles, "the estimated time, in cycles") \
	X(instructions, "wave instructions") \
	X(idle_lanes, "lanes that were idle, summed over wave instructions") \
	X(conflicts, "LDS bank cycles lost to conflicts") \
	X(lines, "cache lines touched")
typedef enum {
#define X(name, doc) WEIGHT_##name,
	STACK_WEIGHTS(X)
#undef X
	WEIGHT_COUNT
} StackWeight;
extern const char *const stack_weight_name[WEIGHT_COUNT];

typedef struct SinkStyle {
	bool colour;
	bool utf8; /* the terminal can show more than ASCII */
	u32 width;  /* columns of the terminal; 0: do not cut lines */
	u32 max_findings; /* to print in full */
	bool faults_only; /* leave out advice */
	bool brief;       /* text: what is asked first, and nothing else */
	bool verbose;     /* text: the most that there is, with what each line's time goes to */
	StackWeight weight; /* of collapsed stacks */
} SinkStyle;

typedef struct Sink {
	const char *name, *option, *doc;
	void (*write)(const Result *r, const SinkStyle *style, Buf *out);
} Sink;
typedef enum {
#define SINK(name, option, doc) SINK_##name,
#include "report/sinks.def"
	SINK_COUNT
} SinkKind;
extern const Sink sinks[SINK_COUNT];

#define SINK(name, option, doc) void sink_##name(const Result *r, const SinkStyle *style, Buf *out);
#include "report/sinks.def"

/* What sink_listing writes of a launch; of code that did not run less. The sources are those of the program. */
void listing_text(const Listing *l, const ResultSource *sources, u32 nsources, const SinkStyle *style, Buf *out);

/* What sink_json writes, and the same for formats that hold a result among other things; cJSON_Delete(). */
void result_json(const Result *r, Buf *out);
struct cJSON *report_object(const Result *r);
struct cJSON *findings_array(const Result *r);
struct cJSON *listing_object(const Listing *l); /* of code that ran */

#endif
