/* Shared by the files of the timing model. */
#ifndef WAVESIM_TIMING_IMPL_H
#define WAVESIM_TIMING_IMPL_H

#include "models/timing/cache.h"
#include "models/timing/lds_time.h"
#include "models/timing/timing.h"

enum { RECENT = 16, UNDER_WAY = 64 };

/* An instruction cache, and the way into it. */
typedef struct FetchPath {
	Cache code;
	double free; /* the last line that came this way */
	u32 last;    /* its number */
} FetchPath;

/* Something a wavefront may wait for. */
typedef struct PendingAccess {
	double done;
	double busy;  /* share of the wait that is due to something busy (of LDS: to conflicts) */
	u32 ins;      /* Costs.ins index */
	u8 latency_part, busy_part; /* TimePart */
} PendingAccess;

typedef struct PendingQueue {
	PendingAccess *at; /* UNDER_WAY of them, in a ring */
	u32 head, n;
} PendingQueue;

typedef struct Recent {
	double start;
	double ready; /* its result, for arithmetic */
	bool vector;
	bool late;    /* CostIns.latency */
	bool plain;   /* it takes Device.alu_latency … */
	bool logic;   /* … and is for the part that does logic */
} Recent;

typedef struct TimingWave {
	const WaveEvents *ev;
	u32 number;   /* in the record */
	u32 group;    /* index of TimingSim.groups */
	u32 wgp, simd, cu; /* of the device part simulated */
	u32 age;
	double t;     /* earliest next issue */
	const CostIns *next; /* has its operands at t, and waits for its unit; NULL: not known yet */
	/* place in the record */
	u32 pos, segment;
	u32 *at;      /* per access number: its word of this segment, when >= segment */
	u32 *elements; /* of it: accesses there, one after the other */
	/* place in the code */
	u32 block, block_end, runs; /* Costs.blocks: the next one, the end; times that the last is still due */
	u32 first_pc, pc, pc_end, last_pc;
	u32 iteration, iterations; /* of the loop of a copy (CostBlock.loops); of other code 0, 1 */
	u32 again, element; /* times that the instruction before pc is still due (CostIns.moves); which one it is */
	bool branched; /* the last instruction was a branch */
	bool divides, parted; /* one that lanes may take differently; they did */
	u32 lanes;     /* in the block that runs */
	u32 whole;      /* lanes that entered TimingInput.together, or ran its head; 0: outside */
	bool dealt;     /* it ran that head */
	double unspent; /* of no_divergence: instructions that its lanes are still owed */
	u32 barriers;   /* that it came to */
	Recent recent[RECENT];
	u32 count;
	PendingQueue vm, lgkm, vs;
	u32 life;       /* of the timeline */
	u32 line;       /* of code, + 1, that it issued from last: TimingSim.fetch */
	double alone;   /* until then it starts nothing: CostIns.alone */
	double stored;  /* loads past L1 that begin before it take until then longer: Device.load_after_store */
	bool waits;     /* at a barrier */
	u32 barrier;    /* which: Costs.ins index */
} TimingWave;

typedef struct TimingGroup {
	u32 first, nwaves; /* waves of the record */
	u32 waiting, ended;
	u32 *slot;         /* TimingWave of each of its waves */
	u32 wgp, turn;     /* its work-group processor; how many began there before it */
	u32 next;          /* the one after it there, or the number of all */
	double begin, end;
	u32 barriers; /* behind so many of them its lanes that run together … */
	double owed;  /* … are owed so many instructions; below 0: have run more than that */
} TimingGroup;

/* What takes one instruction at a time. */
typedef struct TimedUnit {
	double free; /* from then on */
	u32 *queue;  /* slots of the wavefronts that wait for it, the oldest last */
	u32 n, number; /* number: in TimingSim.units */
	bool scheduled; /* an event is due for it */
} TimedUnit;

/* A way into local memory: its unit is free when an access more has room. */
enum { MOST_LDS_QUEUE = 16 }; /* as in device.def */
typedef struct LdsPort {
	TimedUnit unit;
	double end[MOST_LDS_QUEUE]; /* of the last accesses, a ring; `last`: of the last one */
	u32 last;
} LdsPort;

typedef struct TimedSimd {
	TimedUnit vector, logic, trans, scalar, memory, lds, branch, issue;
	u32 waves;
} TimedSimd;
enum { UNITS_OF_SIMD = 8 };

/* At a time a wavefront continues, or the oldest in the queue of a unit: one number, of equal times the older is less
 * (timing_queue.c). */
typedef u128 IssueEvent;

typedef struct TimingSim {
	const TimingInput *in;
	const Device *dev;
	const Costs *costs;
	Arena *arena;
	TimingResult *r;
	MemoryModel *memory;
	LdsTimes *lds;
	u32 wave;           /* lanes */
	u32 passes;         /* of a wavefront through a unit */
	TimedSimd *simds;        /* of all wgps */
	u32 simds_per_wgp, cus_per_wgp;
	LdsPort *port;      /* per compute unit and port */
	TimedUnit *address; /* of vector memory, per compute unit */
	FetchPath *fetch, *fill; /* per vector unit; per compute units that share a cache. NULL: there is room for all code */
	u32 *code_line; /* with fetch: per Costs.ins, its line of code, from 1 */
	double *bank_free;  /* per compute units that share banks (Device.lds_cus) */
	double logic_busy;  /* of all TimedSimd.logic */
	double branch_busy; /* of all TimedSimd.branch */
	double owed;        /* as TimingGroup.owed, without barriers */
	double *carry;      /* per Costs.blocks: part of a run left over */
	TimingGroup *groups;
	u32 ngroups;
	u32 *next_group;    /* per wgp */
	double *next_start; /* per wgp: of a group */
	u32 *groups_in, *waves_in; /* per wgp: there now */
	TimingWave *waves;  /* slots */
	u32 *free_slot, nfree;
	u32 ages;
	TimedUnit **units;  /* all that have a queue */
	IssueEvent *events; /* a heap */
	u32 nevents;
	bool taken; /* the first of them: most put another in its place */
} TimingSim;

/* ---- timing_queue.c ---- */
/* Room for the events and unit queues of n wavefronts. */
void queues_new(TimingSim *s, u32 n);
/* unit: NULL where a wavefront continues, that of slot. */
bool next_event(TimingSim *s, double *t, u32 *slot, TimedUnit **unit);
void schedule_wave(TimingSim *s, u32 slot); /* at its time */
void unit_wait(TimingSim *s, TimedUnit *u, u32 slot);
/* Takes the oldest wavefront from the queue; false: it is empty, or the unit is busy, which schedules another event. */
bool unit_next(TimingSim *s, TimedUnit *u, double now, u32 *slot);

/* ---- timing_stream.c ---- */
/* The next instruction (Costs.ins index) of a wavefront, or NO_INS at its end. */
#define NO_INS UINT32_MAX
u32 stream_next(TimingSim *s, TimingWave *w);
/* The accesses that instruction x does now, part of parts of them. */
typedef struct StreamAccesses {
	MemoryAccess of[MOST_ACCESSES];
	u32 n, parts; /* parts: that share the bytes of each lane; this one's are in `of` */
	u32 texels;   /* of a texture unit's: of each lane, which are in `of` one by one */
} StreamAccesses;
StreamAccesses stream_accesses(const TimingSim *s, const TimingWave *w, const CostIns *x);

/* Where a wavefront's part of private memory begins: wavefronts that follow each other at one place of a compute unit
 * have the same. */
static inline u64 frame_begin(const TimingSim *s, const TimingWave *w)
{
	return (u64)(w - s->waves) * s->costs->frame;
}

/* ---- timing_fetch.c ---- */
void fetch_new(TimingSim *s, u32 cus, u32 simds);
/* When a wavefront that wants instruction ins (Costs.ins index) from a time on has it. */
double fetch_ready(TimingSim *s, TimingWave *w, u32 ins, double now);

/* ---- timing_issue.c ---- */
/* Bring a wavefront to where instruction ins of it (Costs.ins index) has its operands: w->t, and w->next
 * where there is something to issue. */
void prepare(TimingSim *s, TimingWave *w, u32 ins);
/* What w->next has to wait for now, or NULL. */
TimedUnit *busy_unit(TimingSim *s, const TimingWave *w, double now);
/* From when on its unit could be booked for it, behind all that booked it before. */
double booked_time(TimingSim *s, const TimingWave *w);
/* Issue w->next at a time; false: it waits at a barrier. */
bool issue(TimingSim *s, TimingWave *w, double start);
/* Lanes of instruction ins go along with others', without an issue of their own: what they access is still theirs. */
void issue_along(TimingSim *s, TimingWave *w, u32 ins);
/* Cycles of a wavefront, from a time on, that an instruction takes. */
void spend(TimingSim *s, const TimingWave *w, TimePart part, const CostIns *x, double from, double cycles);
/* The same of no wavefront in particular. */
void spend_all(TimingSim *s, TimePart part, u32 line, double cycles);

#endif
