/* Two launches with the same inputs, and how their results differ.
 *
 *   both built -> pair_bind -> engine_execute of both -> pair_results */
#ifndef WAVESIM_ENGINE_PAIR_H
#define WAVESIM_ENGINE_PAIR_H

#include "engine/engine.h"

enum { SIDES = 2, COMPARE_INPUTS = 6 }; /* [0] before, [1] after; inputs shown of an element */

/* ---- how results differ; element by element ---- */

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
	u64 different;       /* elements, of those that both have */
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

/* ---- the launches ---- */

typedef ARRAY(const char *) Names;

typedef struct PairSide {
	EngineRun *run;
	u8 **initial; /* per argument: what its buffer held before the run, or NULL */
	const char *label;
} PairSide;

typedef struct Pair {
	Arena *arena;
	PairSide side[SIDES]; /* the caller's: run and label; of all else {0} will do */
	Names own;     /* arguments that were given for the second launch alone */
	Names notes;   /* on inputs that are not the same */
	u64 max_ulp;
} Pair;

/* Both are built. Sizes and arguments of the second are the first's where nobody gave it others,
 * values and contents always, by the arguments' names; then both have their memory. */
bool pair_bind(Pair *p);
/* Both have run. The result is the arena's, and points into the runs. */
CompareResults *pair_results(Pair *p);
void pair_free(Pair *p); /* its lists, not the runs */

#endif
