#include "models/timing/contention.h"

#include "base/hash.h"
#include "base/heap.h"
#include "models/timing/cache.h"

/* Places of stores and loads that are known at a time. Others come to one where one in COMMON of the work-groups that
 * come to any does, with one in FEW_PLACES of all visits, or so many wavefronts that it is no chance. */
enum { PLACES = 256, COMMON = 4, FEW_PLACES = 64, MANY = 16 };
enum { MEAN_OF = 16 };

/* What each further lane of a wavefront adds to its vain try, whose lanes go together (models/README.md). */
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

typedef struct SwapChannel {
	double requests; /* of a wavefront's try, the mean of the last ones */
	Heap waiting;    /* when the wavefronts that try there succeed */
} SwapChannel;

struct Contention {
	const Device *dev;
	u32 cus;
	double share;
	const SwapCrowd *crowd;
	Place *places;
	u64 groups, visits; /* as Place.groups, visits, of all places */
	u64 *passed; /* stores, per compute unit */
	Map *swap_places; /* by address */
	SwapChannel *swap_channels;
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

SwapCrowd *swap_crowd_new(const SwapCrowdInput *in, const Program *p, Arena *a)
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
	*x = (SwapCrowd){*in, played, at + 1, all > 0 ? recorded / all : 1, 1};
	x->weight = visits_for_each(x, 0, SWAP_SLOTS);
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
	c->swap_channels = ARENA_ARRAY(a, SwapChannel, nchannels);
	u64 *windows = ARENA_ARRAY(a, u64, (size_t)PLACES * cus);
	for (u32 i = 0; i < PLACES; i++)
		c->places[i].window = windows + (size_t)i * cus;
	return c;
}

void contention_free(Contention *c)
{
	for (u32 i = 0; i < c->nchannels; i++)
		array_free(&c->swap_channels[i].waiting);
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

double contention_try_cycles(const Device *dev, u32 lanes)
{
	return (1 + further_lane * (lanes - 1)) * 1000 / dev->l2_place_swaps;
}

static SwapPlace *swap_place(Contention *c, u64 address)
{
	void **slot = map_slot(c->swap_places, address + 1);
	if (!*slot) {
		SwapPlace *p = *slot = ARENA_NEW(c->arena, SwapPlace);
		p->weight = c->crowd ? visits_for_each(c->crowd, swap_slot_of(address), 1) : 1;
	}
	return *slot;
}

/* What others add comes here in one piece: what comes alone passes, and what comes faster than the place takes it
 * waits. tries: cycles of those that fail. When it succeeds. */
static double swap_at(Contention *c, const WaveEvents *by, u64 address, double now, double tries, bool *met)
{
	SwapPlace *p = swap_place(c, address);
	const WaveEvents *last = p->last;
	p->last = by;
	if (p->weight <= 1 && last == by) /* nobody came in between */
		return now;
	double alone = 2.0 * c->dev->l2_latency + tries, hold = alone * p->weight;
	double start = later(now, p->free - (hold - alone));
	*met |= start > now || p->weight > 1;
	p->free = later(p->free, now) + hold;
	p->busy += hold;
	c->swap_busy = later(c->swap_busy, p->busy);
	c->end = later(c->end, start + alone);
	return start;
}

/* What a wavefront asks of a channel with each try: a block of l2_atomic_bytes at a time, and lanes that want the same
 * place. */
typedef struct ChannelTry {
	SwapChannel *channel;
	double requests, failed, done; /* failed: cycles of others' tries */
} ChannelTry;

/* The number of its channel's; a new one has asked for nothing yet. */
static u32 channel_try(Contention *c, ChannelTry *t, u32 *n, u64 address, double now)
{
	SwapChannel *x = &c->swap_channels[address / c->dev->l2_interleave % c->nchannels];
	u32 i = *n;
	while (i > 0 && t[i - 1].channel != x)
		i--;
	if (i)
		return i - 1;
	t[*n] = (ChannelTry){.channel = x, .done = now};
	return (*n)++;
}

/* Cycles of the tries of others that fail, while one of a wavefront succeeds. */
static double failed_tries(const Contention *c, SwapChannel *x, double requests, double now)
{
	while (x->waiting.n && (double)x->waiting.v[0] <= now)
		heap_take(&x->waiting);
	x->requests += (requests - x->requests) / (x->requests > 0 ? MEAN_OF : 1);
	return x->waiting.n * (c->crowd ? c->crowd->weight : 1) * x->requests * contention_try_cycles(c->dev, 1);
}

double contention_swap(Contention *c, const WaveEvents *by, const LaneShape *s, u64 address, double now, bool *met)
{
	u64 at[MAX_WAVE];
	ChannelTry tries[MAX_WAVE];
	u8 of[MAX_WAVE]; /* of each lane */
	u32 n = 0, block = c->dev->l2_atomic_bytes;
	double done = now;
	for (u32 i = 0; i < s->lanes; i++)
		at[i] = address + (u64)s->offset[i];
	qsort(at, s->lanes, sizeof *at, by_u64);
	for (u32 i = 0; i < s->lanes; i++) {
		bool same = i && at[i] == at[i - 1];
		of[i] = (u8)(same ? of[i - 1] : channel_try(c, tries, &n, at[i], now));
		double *requests = &tries[of[i]].requests;
		*requests += same ? further_lane : *requests == 0 || at[i] / block != at[i - 1] / block;
	}
	for (u32 i = 0; i < n; i++)
		tries[i].failed = failed_tries(c, tries[i].channel, tries[i].requests, now);
	for (u32 i = 0; i < s->lanes; i++) {
		if (i && at[i] == at[i - 1])
			continue;
		ChannelTry *t = &tries[of[i]];
		t->done = later(t->done, swap_at(c, by, at[i], now, t->failed, met));
		done = later(done, t->done);
	}
	for (u32 i = 0; i < n; i++)
		if (tries[i].done > now)
			heap_put(&tries[i].channel->waiting, (u64)tries[i].done);
	return done;
}
