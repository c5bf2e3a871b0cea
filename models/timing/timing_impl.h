/* Shared by the files of the timing model. */
#ifndef WAVESIM_TIMING_IMPL_H
#define WAVESIM_TIMING_IMPL_H

#include "models/timing/lds_time.h"
#include "models/timing/timing.h"

enum { RECENT = 16, UNDER_WAY = 64 };

/* Something a wavefront may wait for. */
typedef struct Pending {
	double done;
	double busy;  /* share of the wait that is due to something busy (of LDS: to conflicts) */
	u32 line;
	u8 latency_part, busy_part; /* TimePart */
} Pending;

typedef struct Queue {
	Pending at[UNDER_WAY];
	u32 head, n;
} Queue;

typedef struct Recent {
	double start;
	u16 cycles;
	bool vector;
} Recent;

typedef struct TimingWave {
	const WaveEvents *ev;
	u32 number;   /* in the record */
	u32 group;    /* index of Sim.groups */
	u32 pool, simd, cu; /* of the device part simulated */
	u64 age;
	double t;     /* earliest next issue */
	const PriceIns *next; /* has its operands at t, and waits for its unit; NULL: not known yet */
	/* place in the record */
	u32 pos, segment;
	u32 *at;      /* per access number: its word of this segment, when >= segment */
	/* place in the code */
	u32 piece, piece_end, turns;
	u32 pc, pc_end, last_pc;
	u32 again, element; /* times that the instruction before pc is still due (PriceIns.moves); which one it is */
	bool branched; /* the last instruction was a branch */
	bool divides, parted; /* one that lanes may take differently; they did */
	u32 lanes;     /* in the block that runs */
	double unspent; /* of no_divergence: instructions that its lanes are still owed */
	Recent recent[RECENT];
	u32 count;
	Queue vm, lgkm, vs;
	u32 life;       /* of the timeline */
	bool waits;     /* at a barrier */
	u32 barrier_line;
} TimingWave;

typedef struct TimingGroup {
	u32 first, nwaves; /* waves of the record */
	u32 waiting, ended;
	u32 *slot;         /* TimingWave of each of its waves */
	u32 pool;
	double begin, end;
} TimingGroup;

/* What takes one instruction at a time. */
typedef struct TimedUnit {
	double free; /* from then on */
	u32 *line;   /* slots of the wavefronts that wait for it, the oldest last */
	u32 n;
	bool called; /* a turn is set for it */
} TimedUnit;

typedef struct Simd {
	TimedUnit vector, logic, trans, scalar, memory, lds, branch, issue;
	u32 waves;
} Simd;
enum { UNITS_OF_SIMD = 8 };

/* At a time a wavefront goes on, or the oldest that waits for a unit. */
typedef struct Turn {
	double t;
	u64 age;
	u32 slot;
	TimedUnit *unit; /* NULL: it is the wavefront's */
} Turn;

typedef struct Sim {
	const TimingInput *in;
	const Device *dev;
	const Price *price;
	Arena *arena;
	TimingResult *r;
	Memory *memory;
	LdsTimes *lds;
	u32 wave;           /* lanes */
	u32 passes;         /* of a wavefront through a unit */
	Simd *simds;        /* of all pools */
	u32 simds_per_pool, cus_per_pool;
	TimedUnit *port;    /* LDS, per compute unit and port */
	TimedUnit *address; /* of vector memory, per compute unit */
	double *bank_free;  /* per compute unit */
	double logic_busy;  /* of all Simd.logic */
	double *carry;      /* per piece: part of a turn left over */
	TimingGroup *groups;
	u32 ngroups;
	u32 *next_group;    /* per pool */
	double *next_start; /* per pool: of a group */
	u32 *groups_in, *waves_in; /* per pool: there now */
	TimingWave *waves;  /* slots */
	u32 *free_slot, nfree;
	u64 ages;
	Turn *turns;        /* a heap */
	u32 nturns;
} Sim;

/* ---- timing_turns.c ---- */
/* Room for the turns and lines of n wavefronts. */
void turns_new(Sim *s, u32 n);
bool turns_next(Sim *s, Turn *out);
void turn_of_wave(Sim *s, u32 slot); /* at its time */
void wait_in_line(Sim *s, TimedUnit *u, u32 slot);
/* The oldest wavefront in line; false: none, or the unit is busy, which gives it another turn then. */
bool line_next(Sim *s, TimedUnit *u, double now, u32 *slot);

/* ---- timing_stream.c ---- */
/* The next instruction (Price.ins index) of a wavefront, or NO_INS at its end. */
#define NO_INS UINT32_MAX
u32 stream_next(Sim *s, TimingWave *w);
/* The accesses that instruction x does now, part of parts of them. */
enum { MOST_ACCESSES = 4 };
typedef struct StreamAccesses {
	const LaneShape *shape[MOST_ACCESSES];
	u64 address[MOST_ACCESSES];
	u32 n, part, parts;
} StreamAccesses;
StreamAccesses stream_accesses(const Sim *s, const TimingWave *w, const PriceIns *x);

/* ---- timing_issue.c ---- */
/* Bring a wavefront to where instruction ins of it (Price.ins index) has its operands: w->t, and w->next
 * where there is something to issue. */
void prepare(Sim *s, TimingWave *w, u32 ins);
/* What w->next has to wait for now, or NULL. */
TimedUnit *busy_unit(Sim *s, const TimingWave *w, double now);
/* From when on its unit could be booked for it, behind all that booked it before. */
double booked_time(Sim *s, const TimingWave *w);
/* Issue w->next at a time; false: it waits at a barrier. */
bool issue(Sim *s, TimingWave *w, double start);
/* Cycles of a wavefront, from a time on. */
void spend(Sim *s, const TimingWave *w, TimePart part, u32 line, double from, double cycles);
/* The same of no wavefront in particular. */
void spend_all(Sim *s, TimePart part, u32 line, double cycles);

#endif
