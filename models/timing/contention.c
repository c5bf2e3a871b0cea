#include "models/timing/contention.h"

#include "base/hash.h"
#include "base/heap.h"
#include "models/timing/cache.h"

#include <math.h>

/* Places of stores and loads that are known at a time. Others come to one where one in COMMON of the work-groups that
 * come to any does, with one in FEW_PLACES of all visits, or so many wavefronts that it is no chance. */
enum { PLACES = 256, COMMON = 4, FEW_PLACES = 64, MANY = 16 };
enum { MEAN_OF = 16, SWAP_BLOCKS = 1 << 15 };
#define LAST_UNTIL 0x1p48 /* cycles: those that wait longer leave in any order */

/* What each further lane of a wavefront at one place adds to its vain try, and as much once more where its others are at
 * another place of the block (models/README.md). */
static const double further_lane = 1.0 / 3;

typedef struct Place {
	u64 key;     /* + 1; 0: none */
	u32 kept;    /* so many others of its slot of the table must come before it leaves */
	u32 visits;
	u64 groups; /* a bit for each work-group, by a hash */
	double busy;
	u32 ncus;    /* compute units that came */
	u64 *window; /* per compute unit: 0, CAME, or FIRST_WINDOW and the window of its last store */
} Place;

typedef struct SwapPlace {
	double weight; /* what is played here stands for so many of the launch */
	double free;   /* then it has taken all that came so far, those that are not played, too */
	double busy;
	const WaveEvents *last; /* a wavefront */
} SwapPlace;

/* What a channel's atomic unit takes at a time (l2_atomic_bytes); those of one slot of the table are taken for one. */
typedef struct SwapBlock {
	double weight;   /* as SwapPlace.weight; 0: nobody came */
	double others;   /* blocks of the launch, beside it, that it stands for */
	double requests, wanted; /* of a wavefront's try, and its places, the mean of the last ones */
	double vain;     /* as vain_requests has it */
	u32 waiting;     /* wavefronts */
	u32 places;      /* that anybody wanted */
	u32 channel;
} SwapBlock;

struct Contention {
	const Device *dev;
	u32 cus;
	double share;
	const SwapCrowd *crowd;
	Place *places;
	u64 groups, visits; /* as Place.groups, visits, of all places */
	u64 *passed; /* stores, per compute unit */
	Map *swap_places; /* by address */
	SwapBlock *swap_blocks; /* SWAP_BLOCKS; NULL until one is needed */
	Heap swap_waiting;      /* when a wavefront that tries there succeeds, SWAP_BLOCKS times, and its block's slot */
	double *swap_vain;      /* per channel of L2: SwapBlock.vain of its blocks */
	double swap_others;     /* that of blocks that are not played, of all channels */
	u32 nchannels;
	Arena *arena;
	double channel, swap_busy, end;
};

/* ---- what is not played ---- */

struct SwapCrowd {
	SwapCrowdInput in;
	const SwapSlot *played; /* SWAP_SLOTS; first, end: the how many-th work-groups of those played */
	u64 nplayed;            /* work-groups */
	double recorded;        /* of what these did, the part that is known: 0 … 1 */
	double weight;          /* as SwapPlace.weight, of all places together */
	u32 channels;           /* that the launch's places are in, about */
};

static void count_swaps(const WaveEvents *e, const Program *p, const SwapSlot *visit, SwapSlot *slots)
{
	for (EventWord w = {0}; event_next(e, &w);) {
		if (w.kind != EVENT_ACCESS || w.shape->lds || p->ins.v[w.ins].op != OP_cas)
			continue;
		for (u32 i = 0; i < w.shape->lanes; i++)
			if (!i || w.shape->offset[i] != w.shape->offset[i - 1])
				swap_add(&slots[swap_slot_of(w.address + (u64)w.shape->offset[i])], visit);
	}
}

/* Of `of` work-groups that run, at_once at a time, so many visits are made while one of them runs: by those whose
 * numbers are close to its own. Where most come from few parts of the launch, some from afar do not count. */
static double visits_at_once(const SwapSlot *s, u64 of, double at_once)
{
	enum { FEW_PARTS = 4 }; /* so many visits for each */
	u32 used = (u32)__builtin_popcountll(s->parts);
	double span = (double)(s->end - s->first);
	double parts = (double)of * used / (of < SWAP_PARTS ? (double)of : SWAP_PARTS);
	double among = s->visits >= (u64)used * FEW_PARTS && parts < span ? parts : span;
	return (double)s->visits * (among > at_once ? at_once / among : 1);
}

/* Of the launch, so many visits are made to n slots from one on for each one that is played. Of a sample, neighbours
 * ran: who came to a place that only neighbours want is known; to others as many more come as there are more
 * work-groups. */
static double visits_for_each(const SwapCrowd *x, u32 slot, u32 n)
{
	const SwapCrowdInput *in = &x->in;
	double all = 0, played = 0, sampled = (double)in->groups_run / (double)in->groups;
	double run = (double)in->groups_run / (double)x->nplayed; /* neighbours of a sample */
	for (u32 i = slot; i < slot + n; i++) {
		const SwapSlot *s = &in->events->swap_slots[i], *own = &x->played[i];
		if (s->visits)
			all += visits_at_once(s, in->groups, in->at_once) /
			       ((double)(s->end - s->first) > run ? sampled : 1);
		if (own->visits)
			played += visits_at_once(own, x->nplayed, in->played_at_once);
	}
	return played > 0 ? later(all / played * x->recorded, 1) : 1;
}

/* By the parts that somebody swaps in, each as large as what is one channel's in a row, or of a pair's. */
static u32 channels_used(const SwapSlot *slots, const Device *dev)
{
	u32 each = (dev->l2_pair_bytes ? dev->l2_pair_bytes / 2 : dev->l2_interleave) / 4, n = 0;
	for (u32 i = 0; i < SWAP_SLOTS;) {
		bool used = slots[i].visits;
		n += used;
		i = used ? i / each * each + each : i + 1;
	}
	return n ? n : 1;
}

SwapCrowd *swap_crowd_new(const SwapCrowdInput *in, const Device *dev, const Program *p, Arena *a)
{
	const Events *e = in->events;
	if (!e->swap_slots || !e->waves.n || !in->groups_run)
		return NULL;
	SwapCrowd *x = ARENA_NEW(a, SwapCrowd);
	SwapSlot *played = ARENA_ARRAY(a, SwapSlot, SWAP_SLOTS);
	double recorded = 0, all = 0;
	u64 at = 0;
	for (u32 i = 0; i < e->waves.n; i++) {
		const WaveEvents *w = &e->waves.v[i];
		at += i && w->group != w[-1].group;
		recorded += (double)w->recorded;
		all += (double)w->instructions;
		SwapSlot visit = swap_visit(w->group, in->groups);
		visit.first = at;
		visit.end = at + 1;
		count_swaps(w, p, &visit, played);
	}
	*x = (SwapCrowd){*in, played, at + 1, all > 0 ? recorded / all : 1, 1, 1};
	x->weight = visits_for_each(x, 0, SWAP_SLOTS);
	x->channels = channels_used(e->swap_slots, dev);
	return x;
}

Contention *contention_new(const Device *dev, u32 cus, u32 nchannels, double share, const SwapCrowd *crowd, Arena *a)
{
	Contention *c = ARENA_NEW(a, Contention);
	*c = (Contention){.dev = dev, .cus = cus, .share = share, .crowd = crowd, .arena = a};
	c->places = ARENA_ARRAY(a, Place, PLACES);
	c->passed = ARENA_ARRAY(a, u64, cus);
	c->swap_places = map_new(a);
	c->nchannels = nchannels;
	c->swap_vain = ARENA_ARRAY(a, double, nchannels);
	u64 *windows = ARENA_ARRAY(a, u64, (size_t)PLACES * cus);
	for (u32 i = 0; i < PLACES; i++)
		c->places[i].window = windows + (size_t)i * cus;
	return c;
}

void contention_free(Contention *c)
{
	array_free(&c->swap_waiting);
}

/* ---- places of stores and loads ---- */

double contention_channel(const Contention *c) { return c->channel; }
double contention_swaps(const Contention *c) { return c->swap_busy; }
double contention_end(const Contention *c) { return c->end; }

enum { CAME = 1, FIRST_WINDOW };

/* One comes to a place. Where two places meet in the table, the one that fewer come to leaves. NULL: the other one
 * stays. */
static Place *come(Contention *c, u64 key, u32 cu, const WaveEvents *by)
{
	Place *p = &c->places[hash_mix(key) % PLACES];
	u64 bit = 1ull << hash_mix(by->group + 1) % 64;
	c->groups |= bit;
	c->visits++;
	if (p->key != key + 1) {
		if (p->kept && --p->kept)
			return NULL;
		u64 *window = p->window;
		memset(window, 0, c->cus * sizeof *window);
		*p = (Place){.key = key + 1, .window = window};
	}
	p->kept++;
	p->visits++;
	p->groups |= bit;
	p->ncus += !p->window[cu];
	p->window[cu] = p->window[cu] ? p->window[cu] : CAME;
	return p;
}

static bool has_others(const Contention *c, const Place *p)
{
	u32 n = (u32)__builtin_popcountll(p->groups), all = (u32)__builtin_popcountll(c->groups);
	bool common = n * COMMON >= all && (u64)p->visits * FEW_PLACES >= c->visits;
	return n > 1 && (common || p->visits >= MANY);
}

/* What comes here stands for so many of the launch: the compute units that came are the same part of all that come as
 * of all that are played. */
static double launch_wide(const Contention *c, const Place *p)
{
	return has_others(c, p) ? later(p->ncus / (c->cus * c->share), 1) : 1;
}

void contention_pass(Contention *c, u32 cu) { c->passed[cu]++; }

static Place *come_to_channel(Contention *c, u32 cu, const WaveEvents *by, u64 address)
{
	return come(c, address / c->dev->l2_interleave, cu, by);
}

static void use_channel(Contention *c, Place *p, u32 rate)
{
	p->busy += 1000.0 / rate * launch_wide(c, p);
	c->channel = later(c->channel, p->busy);
}

bool contention_store(Contention *c, u32 cu, const WaveEvents *by, u64 address)
{
	Place *p = come_to_channel(c, cu, by, address);
	u64 window = FIRST_WINDOW + c->passed[cu] / c->dev->l1_store_window;
	if (!p)
		return false;
	if (p->window[cu] != window)
		use_channel(c, p, c->dev->l2_place_stores);
	p->window[cu] = window;
	return has_others(c, p);
}

bool contention_load(Contention *c, u32 cu, const WaveEvents *by, u64 address)
{
	Place *p = come_to_channel(c, cu, by, address);
	if (p)
		use_channel(c, p, c->dev->l2_place_loads);
	return p && has_others(c, p);
}

/* ---- compare-and-swaps ---- */

u32 l2_channel(const Device *dev, u32 n, u64 address)
{
	u64 block = address / dev->l2_interleave;
	if (!dev->l2_pair_bytes || n < 2)
		return (u32)(block % n);
	return (u32)(address / dev->l2_pair_bytes % (n / 2) * 2 + block % 2);
}

double contention_try_cycles(const Device *dev, u32 lanes)
{
	return (1 + further_lane * (lanes - 1)) * 1000 / dev->l2_place_swaps;
}

/* A block that others want counts its new places. */
static SwapPlace *swap_place(Contention *c, SwapBlock *b, u64 address)
{
	void **slot = map_slot(c->swap_places, address + 1);
	if (!*slot) {
		SwapPlace *p = *slot = ARENA_NEW(c->arena, SwapPlace);
		p->weight = c->crowd ? visits_for_each(c->crowd, swap_slot_of(address), 1) : 1;
		b->places++;
	}
	return *slot;
}

/* What others add comes here in one piece: what comes alone passes, and what comes faster than the place takes it
 * waits. tries: cycles of those that fail. When its last try begins; *until: so long it and those that it stands for are
 * counted as waiting. */
static double swap_at(Contention *c, const WaveEvents *by, SwapPlace *p, double now, double tries, bool *met,
                      double *until)
{
	const WaveEvents *last = p->last;
	p->last = by;
	if (p->weight <= 1 && last == by) /* nobody came in between */
		return now;
	double trip = 2.0 * c->dev->l2_latency;
	double alone = sqrt(trip * trip + tries * tries), hold = alone * p->weight; /* (hypot() differs by C library) */
	double start = later(now, p->free - (hold - alone));
	*met |= start > now || p->weight > 1;
	p->free = later(p->free, now) + hold;
	*until = later(*until, later(start + alone, now + hold / 2));
	p->busy += hold;
	c->swap_busy = later(c->swap_busy, p->busy);
	c->end = later(c->end, start + alone);
	return start;
}

/* Of so many wavefronts that want a place, the part that tries in vain while one succeeds: of many, most wait on the way
 * there. */
static double part_in_vain(double waiting) { return 0.27 + 0.63 / (1 + waiting / 60); }

/* Requests that a block's wavefronts make in vain while one of each of its places succeeds. */
static double vain_requests(const SwapBlock *b)
{
	double n = b->waiting * b->weight;
	return n > 1 ? b->requests * (n - 1) * part_in_vain(n * b->wanted / b->places) : 0;
}

static void add_vain(Contention *c, const SwapBlock *b, double n)
{
	c->swap_vain[b->channel] += n;
	c->swap_others += n * b->others;
}

/* More or fewer wait for a block. */
static void wait_for_block(Contention *c, SwapBlock *b, i32 more)
{
	b->waiting += (u32)more;
	add_vain(c, b, -b->vain);
	b->vain = vain_requests(b);
	add_vain(c, b, b->vain);
}

/* Those that have succeeded wait no longer. */
static void leave_blocks(Contention *c, double now)
{
	Heap *h = &c->swap_waiting;
	while (h->n && (double)(h->v[0] / SWAP_BLOCKS) <= now)
		wait_for_block(c, &c->swap_blocks[heap_take(h) % SWAP_BLOCKS], -1);
}

static u32 swap_block(Contention *c, u64 address)
{
	u64 number = address / c->dev->l2_atomic_bytes;
	u32 slot = (u32)(hash_mix(number + 1) % SWAP_BLOCKS);
	if (!c->swap_blocks)
		c->swap_blocks = ARENA_ARRAY(c->arena, SwapBlock, SWAP_BLOCKS);
	SwapBlock *b = &c->swap_blocks[slot];
	if (b->weight == 0) {
		b->weight = c->crowd ? visits_for_each(c->crowd, swap_slot_of(address), 1) : 1;
		b->others = c->crowd ? later(c->crowd->weight / b->weight, 1) - 1 : 0;
		b->channel = l2_channel(c->dev, c->nchannels, address);
	}
	return slot;
}

/* What a wavefront's try asks of a block. */
typedef struct BlockTry {
	SwapBlock *block;
	u32 slot, places, lanes; /* lanes: at the place that most want */
	double until; /* as swap_at has it */
} BlockTry;
typedef struct SwapTry {
	u64 at[MAX_WAVE]; /* of each lane, sorted */
	SwapPlace *place[MAX_WAVE]; /* of the first lane there; NULL: of a further one */
	u8 block[MAX_WAVE]; /* of each lane */
	BlockTry blocks[MAX_WAVE];
	u32 nblocks;
} SwapTry;

static void find_blocks(Contention *c, SwapTry *t, u32 lanes, double now)
{
	u32 bytes = c->dev->l2_atomic_bytes, here = 0;
	for (u32 i = 0; i < lanes; i++) {
		bool same = i && t->at[i] == t->at[i - 1];
		if (!i || t->at[i] / bytes != t->at[i - 1] / bytes) {
			u32 slot = swap_block(c, t->at[i]);
			t->blocks[t->nblocks++] = (BlockTry){&c->swap_blocks[slot], slot, 0, 0, now};
		}
		BlockTry *x = &t->blocks[t->nblocks - 1];
		here = same ? here + 1 : 1;
		x->places += !same;
		t->place[i] = same ? NULL : swap_place(c, x->block, t->at[i]);
		x->lanes = here > x->lanes ? here : x->lanes;
		t->block[i] = (u8)(t->nblocks - 1);
	}
}

static void try_blocks(Contention *c, SwapTry *t)
{
	for (u32 i = 0; i < t->nblocks; i++) {
		const BlockTry *x = &t->blocks[i];
		SwapBlock *b = x->block;
		double requests = 1 + further_lane * (x->lanes - 1) * (x->places > 1 ? 2 : 1);
		double part = b->requests > 0 ? 1.0 / MEAN_OF : 1;
		b->requests += (requests - b->requests) * part;
		b->wanted += (x->places - b->wanted) * part;
		wait_for_block(c, b, 1);
	}
}

double contention_swap(Contention *c, const WaveEvents *by, const LaneShape *s, u64 address, double now, bool *met)
{
	SwapTry t = {.nblocks = 0};
	double done = now, each = contention_try_cycles(c->dev, 1);
	u32 channels = c->crowd && c->crowd->channels < c->nchannels ? c->crowd->channels : c->nchannels;
	for (u32 i = 0; i < s->lanes; i++)
		t.at[i] = address + (u64)s->offset[i];
	qsort(t.at, s->lanes, sizeof *t.at, by_u64);
	leave_blocks(c, now);
	find_blocks(c, &t, s->lanes, now);
	try_blocks(c, &t);
	for (u32 i = 0; i < s->lanes; i++) {
		BlockTry *x = &t.blocks[t.block[i]];
		if (!t.place[i])
			continue;
		double vain = c->swap_vain[x->block->channel] + c->swap_others / channels;
		done = later(done, swap_at(c, by, t.place[i], now, vain * each, met, &x->until));
	}
	for (u32 i = 0; i < t.nblocks; i++)
		heap_put(&c->swap_waiting, (u64)fmin(t.blocks[i].until, LAST_UNTIL) * SWAP_BLOCKS + t.blocks[i].slot);
	return done;
}
