/* Shared by the files of the timing model. */
#ifndef WAVESIM_TIMING_IMPL_H
#define WAVESIM_TIMING_IMPL_H

#include "models/timing/cache.h"
#include "models/timing/lds_time.h"
#include "models/timing/timing.h"

enum { RECENT = 16, UNDER_WAY = 64 };
#define NO_INS UINT32_MAX
#define LATER (UINT32_MAX - 1) /* stream_next */

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
	double ready[2]; /* its result, for arithmetic; [1]: for scalar instructions */
	bool plain;   /* it takes Device.alu_latency … */
	bool logic;   /* … and is for the part that does logic */
} Recent;

/* The units of a SIMD, of which each takes one instruction at a time. */
typedef enum {
	UNIT_vector, UNIT_logic, UNIT_trans, UNIT_scalar, UNIT_memory, UNIT_lds, UNIT_branch, UNIT_issue, UNITS_OF_SIMD,
	UNIT_either = UNITS_OF_SIMD /* UNIT_vector or UNIT_logic: the one that is through first */
} SimdUnit;

/* What of an instruction is always the same (timing_ins.c). */
typedef struct TimedIns {
	u8 unit, part;  /* SimdUnit, TimePart */
	u8 vm, lgkm, vs, guard; /* as CostIns */
	u8 dep;         /* the same; 0: none, or longer ago than anything is known of */
	bool vector, scalar, plain, logic; /* plain, logic: as Recent */
	bool to_scalar; /* scalar instructions have its result after Device.alu_to_scalar */
	bool waits, wait; /* vm, lgkm or vs says so; it does nothing else */
	bool branches, divides; /* as TimingWave */
	bool accesses, barrier; /* it accesses memory or LDS; it waits for the group */
	bool alone;     /* as CostIns */
	bool moves;     /* CostIns.moves is not 0 */
	u32 cycles, line; /* as CostIns */
	double *sum;    /* of its cycles, by TimePart: in TimingSim.sum */
	double issue, stall; /* cycles until its SIMD, its wavefront issue again */
	/* Its result is there `latency` cycles after the start, and as many more as `held` is above `one`; no sooner than
	 * `least` after the instruction that is `behind` before it. */
	double latency, held, one;
	u32 least, behind;
} TimedIns;

/* A wavefront continues, or the oldest in the queue of a unit, or the first of a SIMD's own (timing_queue.c). */
typedef enum { EVENT_OF_WAVE, EVENT_OF_UNIT, EVENT_OF_SIMD } TimedEventKind;
typedef struct TimedEvent {
	u64 time; /* the bits of the double */
	struct TimedEvent *next, *before; /* in the queue */
	u32 age;  /* of the wavefront: of equal times the older is first, which has the lesser number */
	u32 kind; /* TimedEventKind */
} TimedEvent;

/* What takes one instruction at a time. */
typedef struct TimedUnit {
	TimedEvent event;
	double free; /* from then on */
	struct TimingWave **queue; /* that wait for it, the oldest last */
	u32 n;
	bool scheduled; /* its event is due */
	struct TimedSimd *simd; /* whose it is; NULL: that of several */
	struct TimedUnit *beside; /* has to be free, too, when this one takes an instruction; or itself */
} TimedUnit;

/* A way into local memory: its unit is free when an access more has room. */
enum { MOST_LDS_QUEUE = 16 }; /* as in device.def */
typedef struct LdsPort {
	TimedUnit unit;
	double end[MOST_LDS_QUEUE]; /* of the last accesses, a ring; `last`: of the last one */
	u32 last;
} LdsPort;

typedef struct TimedSimd {
	TimedEvent event; /* the first of its own, in the queue of all */
	TimedUnit unit[UNITS_OF_SIMD];
	LdsPort *port; /* its way into local memory */
	u32 waves;
	bool runs;        /* its own events take place now: `event` is not due */
	u32 bound;        /* what others may do to it: begin a group, let go on a wavefront that is at a barrier or in
	                   * the queue of what SIMDs share: so many of these */
	u32 queued;       /* events of its wavefronts and units that are in the queue of all */
	TimedEvent own;   /* the ends of a list of its other events: those that came while it was not bound */
} TimedSimd;

/* A wavefront's lanes where some run apart from others (Costs.apart). */
typedef struct LanesApart {
	u32 parts;    /* of the wavefront, each of which runs the code by itself; 0: as 1 */
	u32 loop;     /* Costs.apart of where it is */
	u32 left;     /* parts that have left that loop, or never entered it */
	u32 lanes;    /* in its last turn */
	u32 most;     /* lanes outside, since they last ran together or left such a loop */
	u32 barriers; /* that it had come to */
} LanesApart;

/* What most instructions look at comes first. */
typedef struct TimingWave {
	TimedEvent event;
	double t;     /* earliest next issue */
	double begin;
	double alone; /* until then it starts nothing: CostIns.alone */
	const TimedIns *next; /* has its operands at t, and waits for its unit; NULL: not known yet */
	TimedSimd *units; /* of simd */
	/* place in the code */
	u32 pc, pc_end, last_pc, first_pc;
	u32 again, element; /* times that the instruction before pc is still due (CostIns.moves); which one it is */
	bool branched; /* the last instruction was a branch */
	bool divides, parted; /* one that lanes may take differently; they did */
	bool waits;    /* at a barrier */
	u32 count;     /* of instructions */
	u32 block, block_end, runs; /* Costs.blocks: the next one, the end; times that the last is still due */
	u32 iteration, iterations; /* of the loop of a copy (CostBlock.loops); of other code 0, 1 */
	u32 lanes;     /* in the block that runs */
	PendingQueue vm, lgkm, vs;
	/* place in the record */
	const WaveEvents *ev;
	u32 pos, segment;
	u32 *at;       /* per access number: its word of this segment, when >= segment */
	u32 *elements; /* of it: accesses there, one after the other */
	u32 number;    /* in the record */
	u32 group;     /* index of TimingSim.groups */
	u32 wgp, simd, cu; /* of the device part simulated */
	u32 whole;     /* lanes that entered TimingInput.together, or ran its head; 0: outside */
	bool dealt;    /* it ran that head */
	double unspent; /* of no_divergence: instructions that its lanes are still owed */
	u32 barriers;  /* that it came to */
	u32 barrier;   /* the last one: Costs.ins index */
	u32 life;      /* of the timeline */
	u32 line;      /* of code, + 1, that it issued from last: TimingSim.fetch */
	LanesApart apart;
	double stored; /* loads past L1 that begin before it take until then longer: Device.load_after_store */
	Recent recent[RECENT + 1]; /* by count; the last one, of zeros, stands for none */
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

/* That an instruction accesses in an image: bytes of one, how many each lane; n = 0: not known yet. */
typedef struct Texels {
	u32 bytes, n;
} Texels;

typedef double InsParts[PART_COUNT];

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
	double busy[UNITS_OF_SIMD]; /* of all SIMDs; what UNIT_trans takes of the vector units is theirs */
	double crossing;    /* cycles more until a result is at the other part of a vector unit */
	double branch_past, branch_taken; /* cycles that the wavefront does not issue after a branch */
	u32 logic_cycles;   /* of the part of vector units for logic */
	double interval, to_scalar; /* Device.issue_interval, alu_to_scalar */
	bool narrow, in_turn; /* Device.issue_width is 1; issue_order is ISSUE_ORDER_turn */
	bool ahead; /* what concerns one SIMD alone is done before its time: only a timeline asks for the order */
	TimedIns *ins;      /* per Costs.ins */
	InsParts *sum;      /* with by_part, per Costs.ins: becomes TimingResult.ins; else one for all, of no use */
	Texels *texels; /* per Costs.ins: those that it accessed last */
	u64 *meets[MEETINGS]; /* per Costs.ins: how often it met others at a place (MemoryTime.met); of MEETING_none NULL */
	bool undivided;     /* of TimingInput no_divergence or together */
	bool *along;        /* with it, per block: others notice when lanes of it go along with others' */
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
	TimedEvent *bucket; /* the ring of the queue */
	u64 *filled;        /* a bit for each bucket: it may have events */
	u32 nevents;
	double now;         /* of the last event */
	TimedEvent *now_bucket; /* … its bucket … */
	u64 now_part, part_end; /* … the number of that since the beginning; bits of its end */
} TimingSim;

/* ---- timing_ins.c ---- */
/* TimingSim.ins, and what of the device is the same for all instructions. */
void ins_new(TimingSim *s);

/* ---- timing_queue.c ---- */
/* Room for the unit queues of n wavefronts. */
void queues_new(TimingSim *s, u32 n);
/* The first one, which is taken out; NULL: there is none. */
TimedEvent *next_event(TimingSim *s);
/* The first of its own events, if there is one, puts it into the queue. */
void schedule_simd(TimingSim *s, TimedSimd *d);
void queue_put(TimingSim *s, TimedEvent *e); /* at its time */
void unit_wait(TimingSim *s, TimedUnit *u, TimingWave *w);
/* Takes the oldest wavefront from the queue; NULL: it is empty, or the unit is busy, which schedules another event. */
TimingWave *unit_next(TimingSim *s, TimedUnit *u);

/* Into a list of which these are the ends. */
static inline void event_put(TimedEvent *ends, TimedEvent *e)
{
	TimedEvent *next = ends, *before = next->before;
	for (; before->time > e->time || (before->time == e->time && before->age > e->age); before = next->before)
		next = before;
	e->next = next;
	e->before = before;
	before->next = next->before = e;
}

static inline void event_take(TimedEvent *e)
{
	e->before->next = e->next;
	e->next->before = e->before;
}

/* Of a wavefront or a unit: whose it is; NULL: that of several SIMDs. */
static inline TimedSimd *event_simd(const TimedEvent *e)
{
	return e->kind == EVENT_OF_WAVE ? ((const TimingWave *)e)->units : ((const TimedUnit *)e)->simd;
}

static inline void schedule_wave(TimingSim *s, TimingWave *w) /* at its time */
{
	w->event.time = bits_of_double(w->t);
	if (s->ahead && w->units->runs && !w->units->bound)
		event_put(&w->units->own, &w->event);
	else
		queue_put(s, &w->event);
}

/* ---- timing_stream.c ---- */
void stream_new(TimingSim *s); /* TimingSim.along */
/* The next instruction (Costs.ins index) of a wavefront, or NO_INS at its end; stream_more is for all but the plain step to
 * the one behind. early: it is not its time yet, and what depends on the order of wavefronts is LATER. */
u32 stream_more(TimingSim *s, TimingWave *w, bool early);
static inline u32 stream_next(TimingSim *s, TimingWave *w, bool early)
{
	return w->pc == w->pc_end || w->again || s->ins[w->pc].moves ? stream_more(s, w, early) : w->pc++;
}
/* The accesses that instruction x does now, part of parts of them. */
typedef struct StreamAccesses {
	MemoryAccess of[MOST_ACCESSES];
	u32 n, parts; /* parts: that share the bytes of each lane; this one's are in `of` */
	u32 texels;   /* of a texture unit's: of each lane, which are in `of` one by one */
} StreamAccesses;
void stream_accesses(const TimingSim *s, const TimingWave *w, const CostIns *x, StreamAccesses *a);

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

/* ---- timing_access.c ---- */
/* The wavefront waits for the first access of those under way. */
void wait_first(TimingSim *s, TimingWave *w, PendingQueue *q);
/* What instruction ins (Costs.ins index), which starts now, does to memory or LDS. */
void issue_access(TimingSim *s, TimingWave *w, u32 ins, double start);
/* Lanes of a memory instruction go along with others', without an issue of their own: what they access is still theirs. */
void issue_along(TimingSim *s, TimingWave *w, u32 ins);

/* ---- timing_issue.c ---- */
/* All events, until there are none. */
void issue_events(TimingSim *s);

static inline u32 number_of(const TimingSim *s, const TimedIns *x) { return (u32)(x - s->ins); }

/* Cycles, rounded to 2^-16 of one: sums of such are exact, and the same in any order. */
static inline double in_quanta(double cycles)
{
	const double quantum_is_last_bit = 0x1.8p36;
	return cycles + quantum_is_last_bit - quantum_is_last_bit;
}

/* Cycles of a wavefront, from a time on, that an instruction takes. */
static inline void spend(TimingSim *s, const TimingWave *w, TimePart part, const TimedIns *x, double from, double cycles)
{
	x->sum[part] += in_quanta(cycles);
	if (s->in->timeline && cycles > 0)
		timeline_add(s->in->timeline, &(TimingSpan){from, from + cycles, w->life, x->line, part});
}

/* ---- timing.c ---- */
/* The wavefront came to a barrier, instruction ins; to its end. */
void timing_barrier(TimingSim *s, TimingWave *w, u32 ins);
void timing_wave_end(TimingSim *s, TimingWave *w);

#endif
