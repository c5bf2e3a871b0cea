/* Vector and scalar memory: see memory.h.
 *
 * An access passes the address unit (so many lanes a cycle; neighbours of 4 bytes together), L1
 * (so many lines a cycle, so many bytes a cycle back), then for each missing sector L2, L3, DRAM.
 * Each of these is a pipe: an access waits until it is free, holds it for its bytes, and its
 * latency counts from there. Latencies are those of a pointer chase, so each is the whole trip.
 *
 * The simulated compute units have a share of L2, L3 and DRAM: bandwidth and capacity are scaled
 * by it. Lines that other work-groups use too are in L2 already when those came first: of the
 * lines that are new here only the part that is new to the whole launch comes from DRAM. */
#include "models/timing/memory.h"

#include "base/hash.h"
#include "models/timing/contention.h"
#include "models/timing/footprint.h"
#include "models/timing/texture.h"

/* Sectors of an L1 line, by the parts in which L2 has them. */
typedef struct Sectors {
	u32 each, count; /* bytes of one, of a line */
	u32 step, nsteps; /* bytes that go to L2 at a time, of a line */
} Sectors;

const char *const memory_level_name[LEVEL_COUNT] = {MEMORY_LEVELS(X_NAME)};
const char *const memory_level_doc[LEVEL_COUNT] = {MEMORY_LEVELS(X_DOC)};

enum { SCALAR_LINE = 64, SCALAR_WAYS = 4, CONSTANT_LINE = 64, CONSTANT_WAYS = 4 };

/* How busy DRAM is with reads and with writes: parts of the last cycles, LOAD_SPAN or so of them. */
typedef struct DramLoad {
	double at, reads, writes;
} DramLoad;

/* A page of DRAM, and what its first bytes took longer. */
typedef struct OpenPage {
	u64 page; /* + 1; 0: none */
	double waited; /* as bytes that have not come since */
} OpenPage;
enum { OPEN_PAGES = 256 };

struct MemoryModel {
	MemoryInput in;
	Arena *arena;
	Footprints *footprints;
	Contention *contention;
	double met_free; /* until then the row of places that many want is full */
	Sectors sectors;
	Cache *l1, *scalar; /* per compute unit */
	double *address_free, *fill_free, *store_free;
	double *data_free; /* of L1, and of local memory with Device.lds_in_l1; 0 without */
	Cache l2, l3;
	double l2_free, l3_free, dram_free;
	DramLoad load;
	OpenPage *open;
	double l2_rate, l2_write_rate, l3_rate, dram_rate; /* bytes a cycle */
	double *constant_free;  /* per compute unit */
	Cache *constants;       /* … with constant_bytes */
	double *channel_free, *channel_busy, channels_end; /* of L2: atomics */
	u32 nchannels;
	u32 line_shift, l2_shift, fetch_shift; /* of line_bytes, l2_line_bytes, l2_fetch_bytes */
	HashSet known; /* parts of L2 lines touched so far */
	double new_sum, below_sum, lost_sum; /* carry of MemoryInput.new_lines, new_below, lost */
	MemoryBusy busy;
};

static Sectors sectors_of(const Device *dev)
{
	Sectors s = {.each = footprint_sector(dev)};
	s.count = dev->line_bytes / s.each;
	s.step = dev->l2_fetch_bytes < dev->line_bytes ? dev->l2_fetch_bytes : dev->line_bytes;
	s.step = s.step < s.each ? s.each : s.step;
	s.nsteps = dev->line_bytes / s.step;
	return s;
}

MemoryModel *memory_new(const MemoryInput *in, Arena *a)
{
	const Device *dev = in->dev;
	MemoryModel *m = ARENA_NEW(a, MemoryModel);
	m->in = *in;
	bool folded = dev->cache_sets == CACHE_SETS_folded;
	m->arena = a;
	m->line_shift = (u32)__builtin_ctz(dev->line_bytes);
	m->l2_shift = (u32)__builtin_ctz(dev->l2_line_bytes);
	m->fetch_shift = (u32)__builtin_ctz(dev->l2_fetch_bytes);
	m->sectors = sectors_of(dev);
	m->footprints = footprints_new(dev, in->ideal_coalescing);
	m->l1 = ARENA_ARRAY(a, Cache, in->cus);
	m->scalar = ARENA_ARRAY(a, Cache, in->cus);
	m->address_free = ARENA_ARRAY(a, double, in->cus);
	m->fill_free = ARENA_ARRAY(a, double, in->cus);
	m->data_free = ARENA_ARRAY(a, double, in->cus);
	m->store_free = ARENA_ARRAY(a, double, in->cus);
	m->constant_free = ARENA_ARRAY(a, double, in->cus);
	m->constants = ARENA_ARRAY(a, Cache, in->cus);
	m->open = ARENA_ARRAY(a, OpenPage, OPEN_PAGES);
	m->nchannels = dev->l2_channels * in->dies;
	m->contention = contention_new(dev, in->cus, m->nchannels, in->share, in->crowd, a);
	m->channel_free = ARENA_ARRAY(a, double, m->nchannels);
	m->channel_busy = ARENA_ARRAY(a, double, m->nchannels);
	for (u32 i = 0; i < in->cus; i++) {
		m->l1[i] = cache_new(a, in->l1_bytes, dev->line_bytes, dev->l1_ways, folded);
		m->constants[i] = cache_new(a, dev->constant_bytes, CONSTANT_LINE, CONSTANT_WAYS, false);
		m->scalar[i] = cache_new(a, dev->scalar_cache_bytes / dev->scalar_cache_cus, SCALAR_LINE,
		                         SCALAR_WAYS, folded);
	}
	double hz = dev->clock_mhz * 1e6;
	m->l2_rate = (double)dev->l2_channels * in->dies * dev->l2_bytes_per_cycle * in->share;
	m->l2_write_rate = m->l2_rate * dev->l2_write_percent / 100;
	m->l3_rate = dev->l3_bytes_per_cycle * in->share;
	m->dram_rate = dev->dram_mb_per_s * 1e6 * dev->dram_percent / 100 / hz * in->share;
	/* What groups share is there once for all of them. */
	double part = in->own > in->share ? in->share / in->own : 1;
	m->l2 = cache_new(a, (u64)((double)dev->l2_bytes * in->dies * part), dev->l2_line_bytes, 16, folded);
	m->l3 = cache_new(a, (u64)((double)dev->l3_bytes * part), dev->l2_fetch_bytes, 16, false);
	return m;
}

void memory_free(MemoryModel *m)
{
	hash_set_free(&m->known);
	contention_free(m->contention);
	footprints_free(m->footprints);
}

const MemoryBusy *memory_busy(const MemoryModel *m) { return &m->busy; }

bool memory_is_coalesced(const MemoryModel *m) { return footprints_are_ideal(m->footprints); }

/* ---- L2 and beyond ---- */

/* Was the line touched before by what is simulated? It is from now on. */
static bool seen_before(MemoryModel *m, u64 line) { return !hash_set_add(&m->known, line); }

/* One of so many counts: error diffusion of a share. The first counts: a launch brings it, nobody else. */
static bool every(double *sum, double share)
{
	*sum += share;
	if (*sum <= 0)
		return false;
	*sum -= 1;
	return true;
}

typedef struct Trip {
	double start; /* when the last pipe took it */
	double latency;
} Trip;

/* Pipes take requests in the order of issue, whatever the pipe before them has to do still, so
 * that one compute unit's backlog leaves no gap for others. A trip starts with the last of them. */
static double pipe(double *free_at, double now, double cycles, double *busy)
{
	double start = now > *free_at ? now : *free_at;
	*free_at = start + cycles;
	*busy += cycles;
	return start;
}

/* The same of a unit whose use over time is wanted. */
static double unit_pipe(MemoryModel *m, BusyUnit unit, double *free_at, double now, double cycles, double *busy)
{
	double start = pipe(free_at, now, cycles, busy);
	unit_use_add(m->in.use, unit, start, cycles);
	return start;
}

static LevelUse *requested(MemoryModel *m, MemoryLevel level, u32 bytes)
{
	LevelUse *use = &m->busy.level[level];
	use->bytes += bytes;
	use->requests++;
	return use;
}

double memory_data(MemoryModel *m, u32 cu, double now, double cycles)
{
	double unused = 0;
	return m->in.dev->lds_in_l1 ? pipe(&m->data_free[cu], now, cycles, &unused) : now;
}

double memory_ready(const MemoryModel *m, u32 cu) { return m->address_free[cu]; }

double memory_shared(const Device *dev, const MemoryBusy *b)
{
	double pipes = later(later(b->l2, b->l3), b->dram), beside = dev->l2_place_blocks ? pipes : b->l2;
	return later(later(pipes, beside + b->met[MEETING_channel]), b->met[MEETING_swap]);
}

double memory_end(const MemoryModel *m)
{
	double pipes = later(later(m->channels_end, m->dram_free), later(m->l2_free, m->l3_free));
	return later(later(pipes, memory_shared(m->in.dev, &m->busy)), contention_end(m->contention));
}

static Trip after(double start, Trip t)
{
	t.start = later(start, t.start);
	return t;
}

/* Banks, and queues before them, make an access wait long before all of DRAM is busy: the longer, the less of its time
 * is left, in the proportion of an M/M/1 queue. Behind writes it waits longer, for the bus has to turn. Where nearly
 * all is busy, the pipe's own queue is the wait. */
static double dram_wait(MemoryModel *m, double now, double cycles, bool write)
{
	const double LOAD_SPAN = 4000, MOST_BUSY = 0.9;
	const Device *dev = m->in.dev;
	DramLoad *l = &m->load;
	if (!dev->dram_read_wait && !dev->dram_write_wait)
		return 0;
	if (now > l->at) {
		double left = LOAD_SPAN / (LOAD_SPAN + now - l->at); /* + and / alone: exp() differs by CPU */
		l->reads *= left;
		l->writes *= left;
		l->at = now;
	}
	double all = l->reads + l->writes, busy = all < MOST_BUSY ? all : MOST_BUSY;
	double each = all > 0 ? (l->reads * dev->dram_read_wait + l->writes * dev->dram_write_wait) / all : 0;
	*(write ? &l->writes : &l->reads) += cycles / LOAD_SPAN;
	return each * busy / (1 - busy);
}

/* As long as so many bytes that follow each other take: of a page that was not open before, the first ones wait for it,
 * while others come from other pages. */
static double dram_bytes(MemoryModel *m, u64 address, double bytes)
{
	const Device *dev = m->in.dev;
	if (dev->dram_least_bytes <= bytes)
		return bytes;
	u64 page = address / dev->dram_page_bytes;
	OpenPage *p = &m->open[hash_mix(page) % OPEN_PAGES];
	if (p->page != page + 1) {
		*p = (OpenPage){page + 1, dev->dram_least_bytes - bytes};
		return dev->dram_least_bytes;
	}
	double free = p->waited < bytes ? p->waited : bytes;
	p->waited -= free;
	return bytes - free;
}

static Trip dram(MemoryModel *m, u64 address, double now, double bytes, bool write)
{
	m->busy.level[LEVEL_dram].bytes += bytes;
	double cycles = dram_bytes(m, address, bytes) / m->dram_rate;
	double start = unit_pipe(m, BUSY_dram, &m->dram_free, now, cycles, &m->busy.dram);
	double wait = dram_wait(m, start, cycles, write), waited = start - now;
	return (Trip){start, m->in.dev->dram_latency + (wait > waited ? wait - waited : 0)};
}

/* Was it there when the launch started? level: 0 L2, 1 L3. What was used together leaves together: by pages. */
static bool held(const MemoryModel *m, u64 address, u32 level)
{
	enum { PAGE = 4096 };
	double share = m->in.held[level];
	return address < PRIVATE_MEMORY && share > 0 && (double)hash_mix(hash_mix(address / PAGE + 1)) < share * 0x1p64;
}

/* fresh: no work-group elsewhere has brought it. */
static Trip below_l2(MemoryModel *m, u64 unit, double now, u32 bytes, bool fresh, bool write)
{
	const Device *dev = m->in.dev;
	u64 address = unit * dev->l2_fetch_bytes;
	if (!dev->l3_bytes)
		return dram(m, address, now, bytes, write);
	bool hit = cache_find(&m->l3, unit) != NULL;
	LevelUse *use = requested(m, LEVEL_l3, bytes);
	double start = unit_pipe(m, BUSY_l3, &m->l3_free, now, bytes / m->l3_rate, &m->busy.l3);
	double past = fresh ? 1 : m->in.past_l3;
	if (hit || past <= 0 || held(m, address, 1)) {
		use->hits++;
		return (Trip){start, dev->l3_latency};
	}
	cache_bring(&m->l3, unit, 1, start);
	return after(start, dram(m, address, now, bytes * past, write));
}

/* What leaves L2 because it was written. */
static double written(MemoryModel *m, u64 unit, double now, u32 bytes)
{
	LevelUse *l3 = &m->busy.level[LEVEL_l3], *below = &m->busy.level[LEVEL_dram];
	double before = below->bytes;
	double start;
	if (m->in.dev->l3_bytes) {
		start = below_l2(m, unit, now, bytes, false, true).start;
		l3->written += bytes;
	} else {
		start = dram(m, unit * m->in.dev->l2_fetch_bytes, now, bytes, true).start;
	}
	below->written += below->bytes - before;
	return start;
}

/* filled: it needs what it does not write. */
typedef enum { L2_READ, L2_ATOMIC, L2_WRITE, L2_FILLED_WRITE } L2Access;

/* Of what is in L2: is it in the other half only? Atomics are done in one of them. */
static bool is_lost(MemoryModel *m, u64 address, L2Access how)
{
	return m->in.lost > 0 && how == L2_READ && address < PRIVATE_MEMORY && every(&m->lost_sum, m->in.lost);
}

/* Some bytes of one part of an L2 line, as large as what is fetched from memory at a time; when they
 * are there, and how long the way was. */
static Trip l2_part(MemoryModel *m, u64 address, u32 bytes, L2Access how, double now)
{
	const Device *dev = m->in.dev;
	bool write = how == L2_WRITE || how == L2_FILLED_WRITE;
	u64 unit = address >> m->fetch_shift, line = address >> m->l2_shift;
	u8 bit = (u8)(1u << (unit - (line << (m->l2_shift - m->fetch_shift))));
	double moved = bytes > dev->l2_least_bytes ? bytes : dev->l2_least_bytes;
	double cycles = moved / (write ? m->l2_write_rate : m->l2_rate);
	Trip t = {unit_pipe(m, BUSY_l2, &m->l2_free, now, cycles, &m->busy.l2), dev->l2_latency};
	CacheLine *hit = cache_find(&m->l2, line);
	LevelUse *use = requested(m, LEVEL_l2, bytes);
	use->written += write ? bytes : 0;
	bool there = hit && hit->has & bit;
	if (there && !is_lost(m, address, how)) {
		use->hits++;
		if (hit->ready > t.start + t.latency)
			t.latency = hit->ready - t.start;
		if (write && !m->in.keeps_writes && cache_dirty(&m->l2, line, bit))
			t.start = later(t.start, written(m, unit, now, dev->l2_fetch_bytes));
		return t;
	}
	bool known = seen_before(m, unit), private = address >= PRIVATE_MEMORY;
	bool before = !known && held(m, address, 0);
	bool fresh = !known && (private || (!before && every(&m->new_sum, m->in.new_lines)));
	bool here = !there && (known ? m->in.fits_l2 : !fresh) && !is_lost(m, address, how);
	if (!here && how != L2_WRITE)
		t = after(t.start, below_l2(m, unit, now, dev->l2_fetch_bytes,
		                            fresh && (private || every(&m->below_sum, m->in.new_below)), false));
	/* Written lines leave L2 once. */
	if ((!here || before) && write && !m->in.keeps_writes)
		t.start = later(t.start, written(m, unit, now, dev->l2_fetch_bytes));
	use->hits += here && !write;
	cache_bring(&m->l2, line, bit, t.start + t.latency);
	if (write)
		cache_dirty(&m->l2, line, bit);
	return t;
}

/* ---- from a compute unit ---- */

static void longest(MemoryTime *out, double now, Trip t)
{
	double done = t.start + t.latency;
	if (done > out->done) {
		out->done = done;
		out->queued = t.start > now ? t.start - now : 0;
	}
}

static u32 bits_of(u32 x) { return (u32)__builtin_popcount(x); }

/* Sectors of step k. */
static u32 step_mask(const Sectors *s, u32 k)
{
	u32 n = s->step / s->each;
	return ((1u << n) - 1) << k * n;
}

/* A sector may be wider than what L2 fetches at a time. */
static Trip l2_step(MemoryModel *m, u64 address, u32 bytes, L2Access how, double now)
{
	u32 fetch = m->in.dev->l2_fetch_bytes, step = m->sectors.step, n = step > fetch ? step / fetch : 1;
	Trip last = {0, 0};
	for (u32 i = 0; i < n; i++) {
		Trip t = l2_part(m, address + (u64)i * fetch, (bytes + n - 1) / n, how, now);
		last = t.start + t.latency > last.start + last.latency ? t : last;
	}
	return last;
}

static void load_line(MemoryModel *m, u32 cu, u64 address, u32 sectors, bool past, double now, double begin,
                      MemoryTime *out)
{
	const Device *dev = m->in.dev;
	const Sectors *s = &m->sectors;
	u64 line = address >> m->line_shift;
	LevelUse *use = requested(m, LEVEL_l1, dev->line_bytes);
	CacheLine *hit = past ? NULL : cache_find(&m->l1[cu], line);
	u32 missing = hit ? sectors & ~(u32)hit->has : sectors;
	double ready = hit ? hit->ready : 0;
	if (!missing) {
		use->hits++;
		double latency = dev->l1_latency;
		if (ready > begin + latency)
			latency = ready - begin;
		longest(out, now, (Trip){begin, latency});
		return;
	}
	out->past_l1 = true;
	double unused = 0;
	double fill = (double)bits_of(missing) * s->each / dev->l1_fill_bytes;
	double start = pipe(&m->fill_free[cu], now, fill, &unused);
	for (u32 k = 0; k < s->nsteps; k++) {
		u32 want = missing & step_mask(s, k);
		if (!want)
			continue;
		Trip t = l2_step(m, address + (u64)k * s->step, bits_of(want) * s->each, L2_READ, now);
		t = after(start, after(begin, t));
		longest(out, now, t);
		ready = later(ready, t.start + t.latency);
	}
	if (!past)
		cache_bring(&m->l1[cu], line, (u8)missing, ready);
}

static void store_line(MemoryModel *m, u64 address, const CacheLinePart *l, u32 bytes, double now, double begin,
                       MemoryTime *out)
{
	const Device *dev = m->in.dev;
	const Sectors *s = &m->sectors;
	bool fetched = dev->partial_writes == PARTIAL_WRITES_fetched;
	u32 touched = 0;
	m->busy.level[LEVEL_l1].bytes += dev->line_bytes;
	m->busy.level[LEVEL_l1].written += dev->line_bytes;
	for (u32 k = 0; k < s->nsteps; k++)
		touched += (l->sectors & step_mask(s, k)) != 0;
	for (u32 k = 0; k < s->nsteps; k++) {
		u32 want = l->sectors & step_mask(s, k);
		if (!want)
			continue;
		u32 each = fetched ? bits_of(want) * s->each : bytes / touched;
		bool fill = fetched && (want & ~(u32)l->whole);
		Trip t = l2_step(m, address + (u64)k * s->step, each ? each : 1, fill ? L2_FILLED_WRITE : L2_WRITE, now);
		longest(out, now, after(begin, t));
	}
}

/* Atomics are done in L2, each channel's one after the other; the others' share of a channel comes
 * in between. */
static void atomic_parts(MemoryModel *m, u64 base, const Footprint *f, bool swap, double now, double begin,
                         MemoryTime *out)
{
	const Device *dev = m->in.dev;
	for (u32 i = 0; i < f->natomics; i++) {
		u64 at = base + (u64)((i64)f->atomic[i].block * dev->l2_atomic_bytes);
		Trip t = l2_part(m, at, dev->l2_atomic_bytes, L2_ATOMIC, now);
		u32 channel = l2_channel(dev, m->nchannels, at);
		u32 lanes = f->atomic[i].most_lanes;
		double cycles =
		    (swap ? contention_try_cycles(dev, lanes) : lanes * 1000.0 / dev->l2_atomics) / m->in.share;
		double *busy = &m->channel_busy[channel];
		t = after(t.start, (Trip){pipe(&m->channel_free[channel], now, cycles, busy), t.latency});
		longest(out, now, after(begin, t));
		unit_use_add(m->in.use, BUSY_l2, t.start, *busy - m->busy.l2);
		m->busy.l2 = later(m->busy.l2, *busy);
		m->channels_end = later(m->channels_end, m->channel_free[channel]);
	}
}

/* ---- what others want, too ---- */

static void meet(MemoryModel *m, u32 cu, const MemoryAccess *x, double now, MemoryTime *out)
{
	Contention *c = m->contention;
	bool one = x->shape->one && !x->shape->atomic && x->address < PRIVATE_MEMORY, met = false;
	if (x->way == ACCESS_SWAP) {
		double done = contention_swap(c, x->by, x->shape, x->address, now, &met);
		longest(out, now, (Trip){done, m->in.dev->l2_latency});
	} else if (one && x->shape->write)
		met = contention_store(c, cu, x->by, x->address);
	else if (one && x->way == ACCESS_PAST_L1)
		met = contention_load(c, cu, x->by, x->address);
	else
		return;
	if (met)
		out->met = x->way == ACCESS_SWAP ? MEETING_swap : MEETING_channel;
	double before = memory_met(&m->busy);
	m->busy.met[MEETING_channel] = contention_channel(c);
	m->busy.met[MEETING_swap] = contention_swaps(c);
	/* It comes to all at once, and keeps the place one after the other. */
	double more = memory_met(&m->busy) - before, from = later(now, m->met_free);
	unit_use_add(m->in.use, BUSY_contention, from, more);
	m->met_free = more > 0 ? from + more : m->met_free;
}

/* An instruction's accesses on their way. */
typedef struct VectorAccess {
	const MemoryAccess *access;
	u32 n;
	const Footprint *f[MOST_ACCESSES];
	double share[MOST_ACCESSES]; /* cycles of the address unit and L1 for each */
} VectorAccess;

static double tag_cycles(const MemoryModel *m, const Footprint *f, u64 address)
{
	return f->tags ? footprint_tag_cycles(m->in.dev, f, address) : 0;
}

static VectorAccess vector_access(MemoryModel *m, const MemoryAccess *access, u32 n)
{
	VectorAccess v = {.access = access, .n = n};
	footprints_forget(m->footprints);
	for (u32 i = 0; i < n; i++) {
		const Footprint *f = v.f[i] =
		    footprint(m->footprints, access[i].shape, access[i].address, access[i].bytes);
		double lines = later(f->line_cycles, tag_cycles(m, f, access[i].address));
		v.share[i] = later(later(f->address_cycles, lines), (double)f->bytes / m->in.dev->l1_bytes_per_cycle);
	}
	return v;
}

static u64 line_at(const MemoryModel *m, const VectorAccess *v, u32 i, u32 k)
{
	u32 bytes = m->in.dev->line_bytes;
	return (v->access[i].address & ~(u64)(bytes - 1)) + (u64)((i64)v->f[i]->line[k].line * bytes);
}

/* Does an access before the i-th want that line? */
static bool seen_line(const MemoryModel *m, const VectorAccess *v, u32 i, u64 line)
{
	for (u32 k = 0; k < i; k++)
		for (u32 j = 0; j < v->f[k]->nlines; j++)
			if (line_at(m, v, k, j) == line)
				return true;
	return false;
}

/* Access i, from `begin` on; once: but for lines that those before it want. One line after the other: the last lanes'
 * data come so much later. */
static void vector_lines(MemoryModel *m, u32 cu, const VectorAccess *v, u32 i, bool once, double now, double begin,
                         MemoryTime *out)
{
	const Footprint *f = v->f[i];
	const LaneShape *shape = v->access[i].shape;
	u32 line_bytes = m->in.dev->line_bytes, bytes = f->nlines ? f->bytes / f->nlines : 0;
	bytes = bytes < line_bytes ? bytes : line_bytes;
	for (u32 k = 0; k < f->nlines; k++) {
		double turn = begin + v->share[i] * k / f->nlines;
		if (once && seen_line(m, v, i, line_at(m, v, i, k)))
			continue;
		if (shape->write)
			store_line(m, line_at(m, v, i, k), &f->line[k], bytes, now, turn, out);
		else
			load_line(m, cu, line_at(m, v, i, k), f->line[k].sectors, v->access[i].way == ACCESS_PAST_L1,
			          now, turn, out);
	}
}

static MemoryTime begin_vector(MemoryModel *m, u32 cu, double now, double cycles, double *begin)
{
	double free = later(now, m->data_free[cu]);
	*begin = unit_pipe(m, BUSY_address, &m->address_free[cu], free, cycles, &m->busy.address);
	memory_data(m, cu, *begin, cycles);
	return (MemoryTime){.done = *begin + m->in.dev->l1_latency};
}

/* A store leaves the compute unit while the address unit does what comes next, but for one that finds another leaving.
 * Each part of a line is a request, of so many bytes at least. */
static void leave(MemoryModel *m, u32 cu, const Footprint *f, double begin)
{
	const Device *dev = m->in.dev;
	const Sectors *s = &m->sectors;
	double bytes = 0, unused = 0;
	if (!dev->l1_store_bytes)
		return;
	for (u32 i = 0; i < f->nlines; i++)
		for (u32 k = 0; k < s->nsteps; k++) {
			u32 sectors = bits_of(f->line[i].sectors & step_mask(s, k));
			bytes += !sectors ? 0 : later(sectors * s->each, dev->l2_least_bytes);
		}
	double start = pipe(&m->store_free[cu], begin, bytes / dev->l1_store_bytes, &unused);
	m->address_free[cu] = later(m->address_free[cu], start);
}

MemoryTime memory_vector(MemoryModel *m, u32 cu, double now, const MemoryAccess *access, u32 n)
{
	VectorAccess v = vector_access(m, access, n);
	double cycles = 0, begin;
	for (u32 i = 0; i < n; i++)
		cycles += v.share[i];
	MemoryTime out = begin_vector(m, cu, now, cycles, &begin);
	bool writes = n && access[0].shape->write;
	if (writes)
		contention_pass(m->contention, cu);
	for (u32 i = 0; i < n; i++) {
		if (access[i].shape->atomic)
			atomic_parts(m, access[i].address & ~(u64)(m->in.dev->line_bytes - 1), v.f[i],
			             access[i].way == ACCESS_SWAP, now, begin, &out);
		else
			vector_lines(m, cu, &v, i, false, now, begin, &out);
		if (access[i].shape->write && !access[i].shape->atomic)
			leave(m, cu, v.f[i], begin);
		meet(m, cu, &access[i], begin, &out);
		begin += v.share[i];
		out.ways += v.f[i]->ways;
	}
	return out;
}

/* Texels of a lane lie side by side: a line that several want is looked up once. */
MemoryTime memory_image(MemoryModel *m, u32 cu, double now, const ImageAccess *x)
{
	const Device *dev = m->in.dev;
	VectorAccess v = vector_access(m, x->access, x->n);
	bool fetched = x->fetch && dev->texture_fetch_lanes;
	const LaneShape *s = x->n ? x->access->shape : NULL;
	u64 first = x->n ? x->access->address : 0;
	double begin, cycles = fetched ? texture_fetch_cycles(dev, s, first, x->bytes, x->lanes)
	                               : texture_read_cycles(dev, s, first, x->lanes, x->bytes, x->texels);
	for (u32 i = 0; i < x->n; i++) {
		if (fetched) /* rows of a block are in banks of their own, which addresses here do not show */
			v.share[i] = tag_cycles(m, v.f[i], x->access[i].address);
		cycles = later(cycles, v.share[i]);
	}
	/* (A program of another chip's may read images where there is no texture unit.) */
	MemoryTime out = begin_vector(m, cu, now, dev->texture_lanes ? cycles : later(cycles, 1), &begin);
	for (u32 i = 0; i < x->n; i++)
		vector_lines(m, cu, &v, i, true, now, begin, &out);
	return out;
}

/* Lines that the cache of constants does not have yet. Neighbours mostly want the same. */
static u32 constant_misses(MemoryModel *m, u32 cu, double now, const LaneShape *shape, u64 address)
{
	u32 misses = 0;
	u64 before = UINT64_MAX;
	if (!m->in.dev->constant_bytes)
		return 0;
	for (u32 i = 0; i < shape->lanes; i++) {
		u64 line = (address + (u64)shape->offset[i]) / CONSTANT_LINE;
		if (line == before)
			continue;
		before = line;
		if (cache_find(&m->constants[cu], line))
			continue;
		cache_bring(&m->constants[cu], line, 1, now);
		misses++;
	}
	return misses;
}

MemoryTime memory_constant(MemoryModel *m, u32 cu, double now, const LaneShape *shape, u64 address)
{
	const Device *dev = m->in.dev;
	footprints_forget(m->footprints);
	u32 dwords = footprint_dwords(m->footprints, shape, address);
	u32 misses = constant_misses(m, cu, now, shape, address);
	double cycles = (double)dwords * dev->constant_cycles + (double)misses * dev->constant_miss_cycles;
	double start = unit_pipe(m, BUSY_constant, &m->constant_free[cu], now, cycles, &m->busy.constant);
	return (MemoryTime){.done = start + cycles + dev->scalar_latency, .queued = start - now + cycles};
}

MemoryTime memory_scratch(MemoryModel *m, u32 cu, double now, u64 place, u32 bytes, u32 lanes, bool write)
{
	const Device *dev = m->in.dev;
	MemoryTime out = {0};
	u32 row = m->in.wave * 4, used = lanes * 4, dwords = (bytes + 3) / 4;
	double cycles = later((double)used * dwords / dev->l1_bytes_per_cycle, 1);
	double start = unit_pipe(m, BUSY_address, &m->address_free[cu], now, cycles, &m->busy.address);
	out.done = start + dev->l1_latency;
	u8 all = (u8)((1u << m->sectors.count) - 1);
	for (u32 i = 0; i < dwords; i++) {
		u64 base = PRIVATE_MEMORY + place + (u64)i * row;
		for (u64 at = base - base % dev->line_bytes; at < base + used; at += dev->line_bytes) {
			if (!write)
				load_line(m, cu, at, all, false, now, start, &out);
			else
				store_line(m, at, &(CacheLinePart){0, all, all}, dev->line_bytes, now, start, &out);
		}
	}
	return out;
}

MemoryTime memory_scalar(MemoryModel *m, u32 cu, double now, u64 address, u32 bytes)
{
	const Device *dev = m->in.dev;
	MemoryTime out = {.done = now + dev->scalar_latency};
	for (u64 line = address / SCALAR_LINE; line <= (address + bytes - 1) / SCALAR_LINE; line++) {
		CacheLine *hit = cache_find(&m->scalar[cu], line);
		LevelUse *use = requested(m, LEVEL_scalar, SCALAR_LINE);
		if (hit) {
			use->hits++;
			out.done = later(out.done, hit->ready);
			continue;
		}
		Trip t = l2_part(m, line * SCALAR_LINE, SCALAR_LINE, L2_READ, now);
		longest(&out, now, t);
		cache_bring(&m->scalar[cu], line, 1, t.start + t.latency);
	}
	return out;
}

/* The address unit is held, and L1 does not look for anything. What it does last is there then. */
static MemoryTime address_only(MemoryModel *m, u32 cu, double now, double cycles)
{
	double start = unit_pipe(m, BUSY_address, &m->address_free[cu], now, cycles, &m->busy.address);
	return (MemoryTime){.done = start + cycles - 1 + m->in.dev->l1_latency, .queued = start - now};
}

MemoryTime memory_empty(MemoryModel *m, u32 cu, double now) { return address_only(m, cu, now, 1); }

MemoryTime memory_query(MemoryModel *m, u32 cu, double now, u32 figures)
{
	return address_only(m, cu, now, (double)figures * m->in.dev->texture_query_cycles);
}
