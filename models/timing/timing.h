/* Time of recorded work-groups on some compute units of a device.
 *
 * Wavefronts of the record (isa/event.h) are played against the costs of their blocks
 * (cost.h), instruction by instruction: each wavefront issues in order, waits where its code
 * waits, and shares the units of its compute unit and the memory with the others resident there.
 * estimate.h makes the time of a launch of it. */
#ifndef WAVESIM_TIMING_H
#define WAVESIM_TIMING_H

#include "models/timing/memory.h"
#include "models/timing/cost.h"

/* Where the time of a wavefront goes. */
#define TIME_PARTS(X) \
	X(vector, "vector arithmetic") \
	X(scalar, "scalar instructions and branches") \
	X(dependency, "waiting for the result of arithmetic") \
	X(fetch, "waiting for instructions to be fetched") \
	X(lds, "LDS, without conflicts") \
	X(lds_conflicts, "LDS bank conflicts") \
	X(address, "issue of vector memory instructions") \
	X(latency, "waiting for memory (latency)") \
	X(bandwidth, "waiting for memory (busy)") \
	X(barrier, "waiting at barriers")
#define X_PART(name, doc) PART_##name,
typedef enum { TIME_PARTS(X_PART) PART_COUNT } TimePart;
extern const char *const time_part_name[PART_COUNT];
extern const char *const time_part_doc[PART_COUNT];

/* What wavefronts did when, for pictures and traces. Spans of one wavefront follow each other in time
 * and do not overlap; the time that no span covers, the wavefront only waited to issue. As
 * long as quantum is 0 they are exact, and their cycles, by part, sum up to TimingResult.part before
 * what `stretch` adds. When there are most_spans they are made coarser (timeline.c): those so far
 * are then of whole slots of `quantum` cycles, counted from the beginning of their wavefront. */
typedef struct TimingLife {
	u64 group;
	u32 wave;           /* of the group */
	u32 wgp, cu, simd; /* numbers in the device part simulated */
	double begin, end;
} TimingLife;
typedef struct TimingSpan {
	double from, to;
	u32 life, line; /* Timeline.lives, Costs.lines index */
	u32 part;       /* TimePart */
} TimingSpan;
typedef struct Timeline {
	ARRAY(TimingLife) lives; /* in the order of beginning */
	ARRAY(TimingSpan) spans; /* of each life in the order of time */
	u32 most_spans; /* at least 2 for each wavefront */
	double quantum;
	double until;   /* the end of the last wavefront */
	UnitUse use;    /* of the units that were played */
} Timeline;

/* ---- timeline.c ---- */
void timeline_add(Timeline *t, const TimingSpan *s);
/* Each quantum cycles what took most of them, a multiple of the present one. */
void timeline_coarsen(Timeline *t, double quantum);
/* Spans by life: those of life i are spans.v[(*span)[start[i] … start[i + 1])]. free() both. */
u32 *timeline_by_life(const Timeline *t, u32 **span);
void timeline_free(Timeline *t);

/* A part of the Program where lanes stay together: its blocks run as often as those lanes need that entered the
 * part, or that ran its head since. */
typedef enum { NOT_TOGETHER, TOGETHER, TOGETHER_HEAD } TogetherBlock;

typedef struct TimingInput {
	const Device *dev;
	const Costs *costs;
	const Program *program;
	const Events *events;
	const LdsRule *lds;
	u32 wgps;    /* work-group processors simulated; the groups of the record are dealt to them round-robin … */
	const u32 *units; /* … or each has those that fall to one of all_wgps of the device, ascending; or NULL */
	u32 all_wgps;
	/* One starts work-groups while it holds fewer than group_places and has room for the
	 * wavefronts of one more: those that end leave their places at once. */
	u32 group_places, wave_places;
	double group_interval; /* cycles between two groups that a wgp starts, at least */
	MemoryInput memory; /* all but dev and cus */
	bool no_conflicts, no_divergence; /* what if */
	const TogetherBlock *together;    /* no_divergence in a part of the Program: per block, or NULL */
	u32 divided_wave; /* of the record, counted from 1: together is not for it; 0: none */
	bool by_part; /* TimingResult.part and line are wanted; without them the same time is known a little sooner */
	bool by_ins, by_level, coalesced; /* TimingResult.ins, line_level, coalesced are wanted */
	Timeline *timeline; /* to add to, with most_spans set; or NULL */
	double most_cycles; /* without by_part: behind them it is not played any further; 0: to its end */
} TimingInput;

/* What one work-group processor did: instructions of the Program. */
typedef struct TimingUnit {
	double end;  /* of its last group, in cycles */
	double whole_end; /* of the wavefront that would end last if each went on as it did to the end of its whole run */
	u64 recorded, instructions; /* of its wavefronts: those that were played, and those of their whole run */
} TimingUnit;

typedef struct TimingResult {
	double cycles;       /* until the last group ended */
	double *group_end;   /* of each group, in the order of ending */
	u32 groups;
	TimingUnit *unit;    /* TimingInput.wgps of them */
	double resident;     /* group cycles: their times in the device, summed */
	double part[PART_COUNT]; /* with by_part: of wavefronts, summed */
	double *line[PART_COUNT]; /* the same by Costs.lines; NULL without */
	MemoryUse *line_level; /* by Costs.lines, with by_level; else NULL */
	double *ins;         /* with by_ins, by_part: the same by Costs.ins, PART_COUNT of each; else NULL */
	u64 issued;          /* machine instructions */
	/* Cycles that units were busy, per simulated one of them. */
	double vector_busy, scalar_busy, lds_busy, lds_conflict_busy, address_busy, constant_busy;
	MemoryBusy memory;
	bool ended;          /* at most_cycles: cycles is less than it would have taken */
	bool waited;         /* a group waited for others to make room for it */
	bool coalesced;      /* with MemoryInput.ideal_coalescing it would be the same; false where that is not asked */
} TimingResult;

TimingResult *timing_run(const TimingInput *in, Arena *a);

#endif
