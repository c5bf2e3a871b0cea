/* The memory of a device as the timing model sees it: from the address unit of a compute unit
 * through L1, L2 and L3 to DRAM, with the share that the simulated compute units have of what
 * all of them use. */
#ifndef WAVESIM_MODELS_MEMORY_H
#define WAVESIM_MODELS_MEMORY_H

#include "isa/event.h"
#include "models/timing/cache.h"
#include "models/timing/unit_use.h"
#include "models/device/device.h"

typedef struct MemoryInput {
	const Device *dev;
	u32 cus;        /* simulated compute units */
	u32 wave;       /* lanes of a wavefront */
	u32 l1_bytes;   /* of each: what local memory leaves of L1 */
	u32 dies;       /* that have work: each has its own L2 */
	double share;   /* of L2, L3 and DRAM that is theirs: 0 … 1 */
	/* Of the lines that a work-group is the first to touch among the simulated ones, this part
	 * is new to the whole launch; other work-groups have brought the rest. */
	double new_lines;
	double new_below; /* of those, this part is new below L2 too */
	double own;     /* of all lines touched here, the part that no other work-groups touch */
	bool fits_l2;    /* all that the launch touches */
	bool keeps_writes; /* L2, until the launch has ended: what is written then need not leave it */
	const struct SwapCrowd *crowd; /* contention.h; NULL: nobody swaps */
	double lost;     /* of reads that L2 would answer, the part that it does not: Device.l2_shared_bytes */
	double past_l3;  /* the part of it that L3 has no room for, 0 … 1 */
	double held[2]; /* the part of what the launch touches that is in L2 [0], in L3 [1] from the start */
	bool ideal_coalescing; /* what if lanes lay side by side */
	UnitUse *use;   /* to add to, or NULL */
} MemoryInput;

typedef struct MemoryModel MemoryModel;

/* What wavefronts meet at (contention.h): the channel of a place that they store to, or load from past L1; a place that
 * they compare and swap. */
typedef enum { MEETING_none, MEETING_channel, MEETING_swap, MEETINGS } MeetingKind;

/* An access under way. */
typedef struct MemoryTime {
	double done;   /* its values are there */
	double queued; /* cycles of that spent waiting for something busy */
	bool past_l1;  /* of a load: L1 did not have all of it */
	u8 met;        /* MeetingKind: it met others there */
	u32 ways;      /* cycles that conflicts in the banks of L1 cost */
} MemoryTime;

#define MEMORY_LEVELS(X) \
	X(lds, "LDS") X(l1, "L1") X(scalar, "scalar cache") X(l2, "L2") X(l3, "L3") X(dram, "DRAM")
#define X_LEVEL(name, doc) LEVEL_##name,
typedef enum { MEMORY_LEVELS(X_LEVEL) LEVEL_COUNT } MemoryLevel;
extern const char *const memory_level_name[LEVEL_COUNT];
extern const char *const memory_level_doc[LEVEL_COUNT];

/* What a level moved. bytes: of L1 and the scalar cache whole lines, of L2 and L3 what was asked of them. requests, of
 * caches: lines that loads look up, below L1 parts of lines, of stores too; hits: those that were there. */
typedef struct LevelUse {
	double bytes,
	    written; /* written: of the bytes, those of stores and of what caches write back; atomics are not */
	double requests, hits;
} LevelUse;
static inline LevelUse level_scaled(const LevelUse *u, double f)
{
	return (LevelUse){u->bytes * f, u->written * f, u->requests * f, u->hits * f};
}

/* Negative: nothing was requested. */
static inline double level_hit_rate(const LevelUse *u) { return u->requests > 0 ? u->hits / u->requests : -1; }
typedef LevelUse MemoryUse[LEVEL_COUNT];

/* How long each part was busy, in cycles, summed over the simulated compute units (address, constant) or of the share
 * of them together (l2, l3, dram); what each level moved for them (of LDS: lanes_use.h). */
typedef struct MemoryBusy {
	double address, constant, l2, l3, dram;
	double met[MEETINGS]; /* the busiest place of each kind */
	MemoryUse level;
} MemoryBusy;

/* Of BUSY_contention. */
static inline double memory_met(const MemoryBusy *b)
{
	return b->met[MEETING_swap] > b->met[MEETING_channel] ? b->met[MEETING_swap] : b->met[MEETING_channel];
}

MemoryModel *memory_new(const MemoryInput *in, Arena *a);
/* What a vector memory instruction does: each lane `bytes` at its offset from the address. */
enum { MOST_ACCESSES = 8 };
/* Addresses from here on are private memory's. */
#define PRIVATE_MEMORY ((u64)1 << 60)
/* As any other; past L1, which others' stores do not reach; compared and swapped, again until it succeeds. */
typedef enum { ACCESS_CACHED, ACCESS_PAST_L1, ACCESS_SWAP } AccessWay;
typedef struct MemoryAccess {
	const LaneShape *shape;
	u64 address;
	u32 bytes;
	const WaveEvents *by; /* whose it is */
	u8 way;               /* AccessWay */
} MemoryAccess;

/* One of compute unit cu that is issued now; n: up to MOST_ACCESSES. */
MemoryTime memory_vector(MemoryModel *m, u32 cu, double now, const MemoryAccess *access, u32 n);
/* The same of a texture unit. */
typedef struct ImageAccess {
	const MemoryAccess *access; /* n: texels of each lane that is inside the image; 0: none is */
	u32 n;
	u32 lanes;  /* that take part: those that are outside, where a border is, too */
	u32 bytes;  /* of a texel */
	u32 texels; /* of a lane: as many as a filter takes */
	bool fetch; /* at integer coordinates (texture.h) */
} ImageAccess;
MemoryTime memory_image(MemoryModel *m, u32 cu, double now, const ImageAccess *x);
/* Private memory of a wavefront, from `place` on: so many bytes of each lane, in dwords that lie side by side. */
MemoryTime memory_scratch(MemoryModel *m, u32 cu, double now, u64 place, u32 bytes, u32 lanes, bool write);
/* Constant memory that has a cache of its own: one address a turn. */
MemoryTime memory_constant(MemoryModel *m, u32 cu, double now, const LaneShape *shape, u64 address);
MemoryTime memory_scalar(MemoryModel *m, u32 cu, double now, u64 address, u32 bytes);
/* Instructions that reach no lane or whose addresses are not known take the address unit only. */
MemoryTime memory_empty(MemoryModel *m, u32 cu, double now);
/* So do questions for so many figures of an image, such as its width, longer. */
MemoryTime memory_query(MemoryModel *m, u32 cu, double now, u32 figures);
/* Local memory returns data for so many cycles, from when on is returned: not while L1 does (Device.lds_in_l1). */
double memory_data(MemoryModel *m, u32 cu, double now, double cycles);
/* When the address unit of a compute unit takes the next access. */
double memory_ready(const MemoryModel *m, u32 cu);
void memory_free(MemoryModel *m); /* what is not the arena's */
/* Cycles that what all compute units share was busy, at least: the channel of a place that all store to has its part of
 * all else to do, too (Device.l2_place_blocks). */
double memory_shared(const Device *dev, const MemoryBusy *b);
double memory_end(const MemoryModel *m); /* when it has nothing more to do */
const MemoryBusy *memory_busy(const MemoryModel *m);
/* Would ideal_coalescing change none of the accesses so far? */
bool memory_is_coalesced(const MemoryModel *m);

#endif
