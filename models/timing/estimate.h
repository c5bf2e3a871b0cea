/* The time of a launch on a device, from the record of some of its work-groups.
 *
 *   estimate_plan   before the run: which work-groups to record, so that some compute units can
 *                   be played in detail
 *   estimate_run    after it: the time of those, and of the launch
 *
 * Work-groups are dealt round-robin to equal work-group processors (wgp): compute units, or pairs of them on
 * RDNA. A few are simulated with their share of the memory; of a long launch twelve rounds of resident
 * work-groups from all over the launch, and the rest at the rate of the later half of those. */
#ifndef WAVESIM_ESTIMATE_H
#define WAVESIM_ESTIMATE_H

#include "models/device/occupancy.h"
#include "models/timing/lanes_use.h"
#include "models/timing/timing.h"

/* Rounds of resident work-groups simulated of a long launch. */
enum { ESTIMATE_ROUNDS = 12 };

typedef struct EstimatePlan {
	u32 wgps, all_wgps; /* simulated, of the device */
	u32 resident;    /* work-groups that one holds */
	u32 l1_bytes;    /* of a compute unit: Occupancy.l1_bytes */
	u32 group_places, wave_places; /* of one: for more of them when wavefronts end early */
	u64 per_wgp;     /* work-groups that the busiest one gets */
	u32 played;      /* of these simulated */
	u64 ngroups;     /* of the launch */
	u64 *groups;     /* to record */
	u32 ngroups_recorded;
	u32 words;       /* of a wavefront's record */
	const u32 *units; /* of an uneven launch: the work-group processors that are played, wgps of them; NULL: evenly
	                     apart */
	u64 *run;        /* of a sample: work-groups to run, nrun of them; NULL: all */
	u64 nrun;
} EstimatePlan;

/* wgps: how many to simulate at most, 0: the usual number. percent: of the work-groups to run,
 * below 100 a sample: runs of neighbours that begin with those recorded. */
void estimate_plan(EstimatePlan *p, const Device *dev, const Occupancy *o, u64 ngroups, u32 wgps,
                   u32 percent, Arena *a);

/* Work-group processors that get a work-group. */
u32 estimate_used(const EstimatePlan *p);

/* Behind the run, where the work-groups turn out to be uneven (Profile.work): a plan that plays more units, `units` of
 * them at most: those of the usual plan, and those that have most to do or the longest wavefronts. False: there is
 * nothing to gain, since the plan has what decides; the record is then that of `from`. */
bool estimate_uneven(EstimatePlan *p, const EstimatePlan *from, const Device *dev, const Profile *prof, u32 units,
                     Arena *a);

/* After the run the machine code is known, and with it the occupancy. */
void estimate_settle(EstimatePlan *p, const Device *dev, const Occupancy *o);

/* What bounds the time: a unit that is busy nearly always, or what wavefronts wait for. */
#define TIME_BOUNDS(X) \
	X(vector, "the vector units are busy") \
	X(scalar, "the scalar units are busy") \
	X(lds, "LDS is busy") \
	X(lds_conflicts, "LDS is busy with bank conflicts") \
	X(address, "the address units of vector memory are busy") \
	X(constant, "the constant caches are busy") \
	X(l2, "L2 is busy") \
	X(l3, "L3 is busy") \
	X(dram, "DRAM is busy") \
	X(contention, "wavefronts take turns at an address that many of them access") \
	X(dependency, "wavefronts wait for results of arithmetic") \
	X(fetch, "wavefronts wait for their code, which is longer than the instruction caches") \
	X(lds_latency, "wavefronts wait for LDS") \
	X(latency, "memory latency: wavefronts wait, but bandwidth is free") \
	X(barrier, "wavefronts wait for each other at barriers") \
	X(issue, "too few wavefronts: no unit has work all the time") \
	X(tail, "compute units without work: some have less to do than others, none, or wait for the next work-group") \
	X(launch, "starting the kernel takes longer than its work")
#define X_BOUND(name, doc) BOUND_##name,
typedef enum { TIME_BOUNDS(X_BOUND) BOUND_COUNT } TimeBound;
extern const char *const time_bound_name[BOUND_COUNT];
extern const char *const time_bound_doc[BOUND_COUNT];

/* Where the model knows that it knows less than usual. */
#define TIME_DOUBTS(X) \
	X(spills, "registers spill: measured launches that do are further from their estimates") \
	X(sampled, "work-groups differ, and only a sample of them ran") \
	X(one_kernel, "of these chips one kernel was measured, a convolution on a W7800") \
	X(unmeasured, "no kernel was measured on these chips: half to twice the estimate is assumed") \
	X(contention, "the cost of contended addresses was measured on an H200 only") \
	X(taken, \
	  "one wavefront, which ran first here, ran most of what wavefronts take from each other by an atomic: on a device " \
	  "they share it, and the launch may be as much shorter") \
	X(ir, \
	  "there is no machine code for this chip here: instructions are estimated from the IR, a way that was only " \
	  "checked on NVIDIA's chips")
#define X_DOUBT(name, doc) DOUBT_##name,
typedef enum { TIME_DOUBTS(X_DOUBT) DOUBT_COUNT } TimeDoubt;
extern const char *const time_doubt_name[DOUBT_COUNT];
extern const char *const time_doubt_doc[DOUBT_COUNT];

#define WHAT_IFS(X) \
	X(no_conflicts, "without LDS bank conflicts") \
	X(no_divergence, "without divergent branches") \
	X(ideal_coalescing, "if every access were coalesced") \
	X(full_occupancy, "with as many wavefronts as fit on the compute units")
#define X_IF(name, doc) IF_##name,
typedef enum { WHAT_IFS(X_IF) IF_COUNT } WhatIf;
extern const char *const what_if_name[IF_COUNT];
extern const char *const what_if_doc[IF_COUNT];

/* Two launches that are compared. Near: their estimates differ by less than ratio_near times. */
#define RATIO_KINDS(X) \
	X(same, "near launches of the same kernel") \
	X(other, "near launches of different kernels") \
	X(far, "launches that are not near")
extern const double ratio_near;
#define X_RATIO(name, doc) RATIO_##name,
typedef enum { RATIO_KINDS(X_RATIO) RATIO_COUNT } RatioKind;
extern const char *const ratio_kind_name[RATIO_COUNT];

typedef struct EstimateInput {
	const Device *dev;
	const Program *program;
	const Profile *profile; /* with its events */
	const MachineCode *code; /* may be NULL or missing */
	const MachineRun *run;
	const LdsRule *lds;
	bool lds_ins;  /* LDS is counted by the device's instructions (lanes_use.h) */
	const EstimatePlan *plan;
	bool time_only; /* nothing but time_us is wanted, which is sooner; without what_ifs */
	double most_us; /* with time_only: of a longer launch it may be any time above that; 0: its own is wanted */
	bool what_ifs; /* work them out, too … */
	u32 threads;   /* … on so many threads; 0: one for each processor. The same comes out */
	bool by_ins;   /* Estimate.ins_part is wanted */
	Timeline *timeline; /* of the work-groups played, or NULL (TimingInput.timeline) */
	/* An equal launch came just before, and then `copied_bytes` of memory were copied back, as wavesim-runner does with
	 * all that it may write: L2 and L3 hold what that left of them and of the other memory, `kept_bytes`. */
	bool warm;
	u64 copied_bytes, kept_bytes;
	/* … but it is not known what came between: as much again as the launch touches fits such sets best. */
	bool not_copied;
	/* The launch as estimate_run played it, for another one of the same input but for what_ifs: it is filled where it
	 * is empty, and spares playing it again where it is not. Or NULL. */
	struct EstimatePlay *kept;
} EstimateInput;

/* The result is the arena's, which is the caller's. */
typedef struct EstimatePlay {
	Arena *arena;
	const TimingResult *result; /* NULL: none yet */
	bool time_only; /* it has no more than that */
} EstimatePlay;

typedef struct Estimate {
	const char *missing; /* why there is none, or NULL: all below is valid */
	const char *source;  /* of the issue costs: "amdgpu", "r600", "ir" */
	double cycles;       /* without the launch cost */
	double time_us, low_us, high_us;
	TimeBound bound_by;
	u32 doubts;          /* bits 1 << TimeDoubt */
	double ratio_factor[RATIO_COUNT]; /* ratio_factor() of it; 0: not measured */
	double sample_error; /* by how much a sample's work-groups may be off from all; 0: all ran */
	double part[PART_COUNT]; /* cycles; they and tail sum up to cycles */
	double tail;
	double launch_us;    /* of time_us: to start and to end */
	double queue_us;     /* before it, from the host's call on an idle device */
	double busy[BUSY_COUNT]; /* share of the time, 0 … 1 */
	MemoryUse level; /* of the whole launch */
	LanesUse lanes;  /* … and what lanes ask of them */
	double what_if_us[IF_COUNT]; /* negative: not worked out */
	const Costs *costs;  /* the lines below are its lines */
	const struct SwapCrowd *crowd; /* contention.h; what changed keeps it; NULL: nobody swaps */
	double *line_share;  /* of the time of wavefronts, 0 … 1 */
	double *line_part[PART_COUNT]; /* the same by what they did; the parts of a line sum up to its share */
	MemoryUse *line_level; /* what each level of memory did for the line, in the whole launch */
	const double *ins_part; /* the same by machine instruction, PART_COUNT of each, where that is wanted and
	                         * known; what waits for a result is time of the instruction that makes it */
	u64 groups_played, groups;
	u32 wgps, all_wgps;  /* played, of the device */
	u32 used_wgps;       /* of the device: get a work-group */
	double resident;     /* work-groups that one of these held, on average over the time */
	bool uneven;         /* some work-groups have more to do than others: those units were played that decide */
	u64 issued;          /* machine instructions played */
	double lds_conflicts; /* bank cycles of a compute unit that was played */
	bool warm;           /* EstimateInput.warm */
} Estimate;

/* Where nine of ten measured times lie, as parts of an estimate that is bound so, with such doubts. */
void time_band(const Device *dev, TimeBound bound, u32 doubts, double *low, double *high);
/* How far nine of ten measured ratios of two launches on one device are from that of their estimates; 0: not measured,
 * for a ratio of such launches. */
double ratio_factor(const Device *dev, RatioKind kind, u32 doubts);

/* The result and its costs are the arena's. */
Estimate *estimate_run(const EstimateInput *in, Arena *a);

/* The same launch with something changed, played again: what a change of the kernel would bring. */
typedef struct EstimateChange {
	const Events *events;       /* another record of the same work-groups, or NULL */
	const Costs *costs;         /* other machine code, or NULL */
	const Occupancy *occupancy; /* other limits, or NULL */
	const TogetherBlock *together; /* per block: where lanes stay together (timing.h), or NULL … */
	u32 divided_wave; /* … in all wavefronts but this one, counted from 1; 0: in all */
	u64 ngroups;                /* other number of work-groups, those of events then being of that size; or 0 */
	bool conflicts;             /* EstimateChanged.lds_conflicts is wanted */
} EstimateChange;
typedef struct EstimateChanged {
	double time_us;
	double lds_conflicts; /* where they are wanted: bank cycles, as Estimate's */
	u64 issued;           /* machine instructions played */
} EstimateChanged;
/* base: what estimate_run gave for `in`. An empty change gives its time again. */
EstimateChanged estimate_changed(const EstimateInput *in, const Estimate *base, const EstimateChange *c);

#endif
