#include "models/timing/contention.h"

#include "base/hash.h"
#include "models/timing/cache.h"

/* Places that are known at a time. Others come to a place where one in COMMON of the work-groups that come to any does,
 * with one in FEW_PLACES of all visits, or so many wavefronts that it is no chance. */
enum { PLACES = 256, COMMON = 4, FEW_PLACES = 64, MANY = 16, MEAN_OF = 16 };

/* What each further lane of a wavefront adds to its vain try, whose lanes go together (models/README.md). */
static const double further_lane = 1.0 / 3;

typedef struct Place {
	u64 key;     /* + 1; 0: none */
	u32 kept;    /* so many others of its slot of the table must come before it leaves */
	u32 visits;
	u64 groups;  /* a bit for each work-group, by a hash */
	double free; /* then it has taken all that came so far, those of other compute units, too */
	double busy;
	double hold; /* the mean of the last ones */
	u64 waves;   /* a bit for each wavefront, by a hash */
	const WaveEvents *last; /* a wavefront */
	u32 ncus;    /* compute units that came */
	u64 *window; /* per compute unit: 0, CAME, or FIRST_WINDOW and the window of its last store */
} Place;

struct Contention {
	const Device *dev;
	u32 cus;
	double share;
	Place *places;
	u64 groups, visits; /* as Place.groups, visits, of all places */
	u64 *passed; /* stores, per compute unit */
	double channel, swaps, end;
};

Contention *contention_new(const Device *dev, u32 cus, double share, Arena *a)
{
	Contention *c = ARENA_NEW(a, Contention);
	*c = (Contention){.dev = dev, .cus = cus, .share = share};
	c->places = ARENA_ARRAY(a, Place, PLACES);
	c->passed = ARENA_ARRAY(a, u64, cus);
	u64 *windows = ARENA_ARRAY(a, u64, (size_t)PLACES * cus);
	for (u32 i = 0; i < PLACES; i++)
		c->places[i].window = windows + (size_t)i * cus;
	return c;
}

/* ---- compare-and-swaps in a loop ---- */

typedef struct SwapFinder {
	const Program *p;
	u32 *def;   /* per register: an instruction that writes it, + 1 */
	bool *seen; /* per register */
} SwapFinder;

/* Does the value of a register come from instruction `swap`, by what compilers make of a comparison? */
static bool comes_from(SwapFinder *f, u32 reg, u32 swap, u32 steps)
{
	enum { FAR = 6 };
	u32 d = f->def[reg];
	if (f->seen[reg] || !d || steps == FAR)
		return false;
	f->seen[reg] = true;
	const Ins *i = &f->p->ins.v[d - 1];
	if (d - 1 == swap)
		return true;
	if (op_info[i->op].unit == UNIT_MEM)
		return false;
	for (u32 k = 0; k < i->nsrc; k++)
		if (comes_from(f, ins_src(f->p, i)[k], swap, steps + 1))
			return true;
	return false;
}

/* Is the swap's result asked for where a loop goes on or ends? */
static bool decides_loop(SwapFinder *f, u32 swap)
{
	const Program *p = f->p;
	for (u32 b = 0; b < p->blocks.n; b++) {
		const Block *k = &p->blocks.v[b];
		const Ins *end = &p->ins.v[k->first + k->n - 1];
		if (!k->loop_depth || end->op != OP_br)
			continue;
		bool turns = false;
		for (u32 t = 0; t < end->ntgt; t++) {
			u32 to = ins_tgt(p, end)[t];
			turns |= to <= b || p->blocks.v[to].loop_depth < k->loop_depth;
		}
		memset(f->seen, 0, p->regs.n * sizeof *f->seen);
		if (turns && comes_from(f, ins_src(p, end)[0], swap, 0))
			return true;
	}
	return false;
}

bool *swaps_retried(const Program *p, Arena *a)
{
	bool *retried = ARENA_ARRAY(a, bool, p->ins.n + 1), any = false;
	for (u32 i = 0; i < p->ins.n; i++)
		any |= p->ins.v[i].op == OP_cas;
	if (!any)
		return retried;
	SwapFinder f = {p, ARENA_ARRAY(a, u32, p->regs.n + 1), ARENA_ARRAY(a, bool, p->regs.n + 1)};
	for (u32 i = 0; i < p->ins.n; i++)
		for (u32 k = 0; k < p->ins.v[i].ndst; k++)
			f.def[ins_dst(p, &p->ins.v[i])[k]] = i + 1;
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *x = &p->ins.v[i];
		/* Where a constant is expected, of a lock or of a place that is free, another one's success changes that. */
		retried[i] = x->op == OP_cas && x->space != SPACE_LDS &&
		             p->regs.v[ins_src(p, x)[1]].kind != REG_CONST && decides_loop(&f, i);
	}
	return retried;
}

/* ---- places ---- */

double contention_channel(const Contention *c) { return c->channel; }
double contention_swaps(const Contention *c) { return c->swaps; }
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
	return come(c, address / c->dev->l2_interleave * 2, cu, by);
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

/* So many wavefronts set as many of 64 bits, some twice. (Sums: log() differs by CPU.) */
static double most_waves(const Place *p)
{
	u32 bits = (u32)__builtin_popcountll(p->waves);
	double n = 0;
	for (u32 i = 0; i < bits; i++)
		n += 64.0 / (64 - i);
	return n;
}

/* What others add comes here in one piece: what comes alone passes, and what comes faster than the place takes it
 * waits. */
double contention_swap(Contention *c, u32 cu, const WaveEvents *by, u64 address, u32 lanes, double now)
{
	const Device *dev = c->dev;
	Place *p = come(c, address * 2 + 1, cu, by);
	if (!p)
		return now;
	const WaveEvents *last = p->last;
	p->last = by;
	p->waves |= 1ull << hash_mix((u64)by->wave << 32 ^ by->group) % 64;
	bool others = has_others(c, p);
	if (!others && last == by) /* nobody came in between */
		return now;
	double more = launch_wide(c, p), queue = p->free > now ? (p->free - now) / p->hold : 0;
	queue = queue < most_waves(p) ? queue : most_waves(p);
	double try = 1000.0 / dev->l2_place_swaps * (1 + further_lane * (lanes - 1));
	double alone = 2.0 * dev->l2_latency + queue * more * try;
	double hold = alone * more, start = later(now, p->free - (hold - alone));
	p->hold += (hold - p->hold) / (p->hold > 0 ? MEAN_OF : 1);
	p->free = later(p->free, now) + hold;
	p->busy += hold;
	c->swaps = later(c->swaps, p->busy);
	c->end = later(c->end, start + alone);
	return start;
}
