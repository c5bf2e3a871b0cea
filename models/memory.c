/* Vector and scalar memory: see memory.h.
 *
 * An access passes the address unit (so many lanes a cycle; neighbours of 4 bytes together), L1
 * (so many lines a cycle, so many bytes a cycle back), then for each missing line L2, L3, DRAM.
 * Each of these is a pipe: an access waits until it is free, holds it for its bytes, and its
 * latency counts from there. Latencies are those of a pointer chase, so each is the whole trip.
 *
 * The simulated compute units have a share of L2, L3 and DRAM: bandwidth and capacity are scaled
 * by it. Lines that other work-groups use too are in L2 already when those came first: of the
 * lines that are new here only the part that is new to the whole launch comes from DRAM. */
#include "models/memory.h"

enum { SEEN_SLOTS = 1u << 12, MOST_LINES = MAX_WAVE * 64 };

/* The lines of a shape at an alignment, worked out once. */
typedef struct Footprint {
	const LaneShape *shape;
	u32 phase;     /* first address modulo the line */
	u32 part, parts;
	u32 nlines;
	i32 *line;     /* relative to that of the first address */
	u32 address_cycles;
	u32 bytes;     /* asked for */
	struct Footprint *next;
} Footprint;

struct Memory {
	MemoryInput in;
	Arena *arena;
	Footprint *seen[SEEN_SLOTS];
	Cache *l1, *scalar; /* per compute unit */
	double *address_free, *fill_free;
	Cache gl1, l2, l3;
	double l2_free, l3_free, dram_free;
	double l2_rate, l3_rate, dram_rate; /* bytes a cycle */
	u64 *known; /* open hash of L2 lines touched so far, + 1 */
	u64 nknown, known_slots;
	double new_sum, write_sum; /* carry of MemoryInput.new_lines */
	MemoryBusy busy;
};

Memory *memory_new(const MemoryInput *in, Arena *a)
{
	const Device *dev = in->dev;
	Memory *m = ARENA_NEW(a, Memory);
	m->in = *in;
	m->arena = a;
	m->l1 = ARENA_ARRAY(a, Cache, in->cus);
	m->scalar = ARENA_ARRAY(a, Cache, in->cus);
	m->address_free = ARENA_ARRAY(a, double, in->cus);
	m->fill_free = ARENA_ARRAY(a, double, in->cus);
	for (u32 i = 0; i < in->cus; i++) {
		m->l1[i] = cache_new(a, dev->l1_bytes, dev->line_bytes, dev->l1_ways);
		m->scalar[i] = cache_new(a, dev->scalar_cache_bytes / dev->scalar_cache_cus, 64, 4);
	}
	double hz = dev->clock_mhz * 1e6;
	m->l2_rate = (double)dev->l2_channels * in->dies * dev->l2_bytes_per_cycle * in->share;
	m->l3_rate = dev->l3_bytes_per_cycle * in->share;
	m->dram_rate = dev->dram_mb_per_s * 1e6 * dev->dram_percent / 100 / hz * in->share;
	/* What groups share is there once for all of them. */
	double part = in->new_lines > in->share ? in->share / in->new_lines : 1;
	m->l2 = cache_new(a, (u64)((double)dev->l2_bytes * in->dies * part), dev->l2_line_bytes, 16);
	m->l3 = cache_new(a, (u64)((double)dev->l3_bytes * part), dev->l2_line_bytes, 16);
	m->gl1 = cache_new(a, dev->gl1_bytes, dev->line_bytes, 16);
	m->known_slots = 1u << 16;
	m->known = xcalloc(m->known_slots, sizeof *m->known);
	return m;
}

void memory_free(Memory *m) { free(m->known); }

const MemoryBusy *memory_busy(const Memory *m) { return &m->busy; }

/* ---- lines ---- */

static u32 shape_bytes(const LaneShape *s, u32 parts)
{
	u32 b = s->bytes / parts;
	return b ? b : 1;
}

static i64 line_of(i64 at, u32 line_bytes)
{
	return at >= 0 ? at / line_bytes : -((line_bytes - 1 - at) / line_bytes);
}

static void add_line(i32 *line, u32 *n, i32 l)
{
	for (u32 i = *n; i-- > 0;)
		if (line[i] == l)
			return;
	if (*n < MOST_LINES)
		line[(*n)++] = l;
}

/* Lanes [from, to) that are served together: the bank with the most elements takes so long. */
static u32 busiest_bank(const LaneShape *s, u32 from, u32 to, u32 bytes, u32 phase, u32 banks)
{
	i64 element[MAX_WAVE];
	u8 count[MAX_WAVE] = {0}; /* a device has at most that many banks */
	u32 n = 0, most = 1;
	for (u32 i = from; i < to; i++) {
		i64 e = line_of(s->offset[i] + phase, bytes);
		u32 k = 0;
		while (k < n && element[k] != e)
			k++;
		if (k < n)
			continue;
		element[n++] = e;
		u32 c = ++count[(u64)e % banks];
		most = c > most ? c : most;
	}
	return most;
}

/* Cycles of the address unit: groups of lanes that one cycle could take. Loads of 4 bytes (or
 * less) from neighbours go together when they lie in one line; others take a few lanes a cycle,
 * and longer when many of their elements lie in the same bank. */
static u32 address_cycles(const Device *dev, const LaneShape *s, u32 bytes, u32 phase)
{
	if (s->write || s->atomic)
		return (s->lanes + dev->vmem_store_lanes - 1) / dev->vmem_store_lanes;
	u32 many = dev->vmem_linear_lanes, few = dev->vmem_lanes, cycles = 0;
	for (u32 i = 0; i < s->lanes; i += many) {
		u32 n = s->lanes - i < many ? s->lanes - i : many;
		bool near = bytes <= 4;
		i64 line = line_of(s->offset[i] + phase, dev->line_bytes);
		for (u32 k = i + 1; near && k < i + n; k++) {
			i64 step = s->offset[k] - s->offset[k - 1];
			near = (step == 0 || step == (i64)bytes) && line_of(s->offset[k] + phase, dev->line_bytes) == line;
		}
		u32 banks = bytes == 4 ? dev->vmem_banks : bytes == 8 ? dev->vmem_banks_wide : 0;
		u32 spread = (n + few - 1) / few, most = banks ? busiest_bank(s, i, i + n, bytes, phase, banks) : 1;
		cycles += near ? 1 : most > spread ? most : spread;
	}
	return cycles;
}

static Footprint *footprint(Memory *m, const LaneShape *s, u64 address, u32 part, u32 parts)
{
	const Device *dev = m->in.dev;
	u32 phase = (u32)(address & (dev->line_bytes - 1));
	u64 h = ((u64)(size_t)s >> 4) * 0x9E3779B97F4A7C15u ^ (u64)phase * 0xD6E8FEB86659FD93u ^ part << 7 ^ parts;
	Footprint **slot = &m->seen[(h >> 40) % SEEN_SLOTS];
	for (Footprint *f = *slot; f; f = f->next)
		if (f->shape == s && f->phase == phase && f->part == part && f->parts == parts)
			return f;
	i32 line[MOST_LINES];
	u32 bytes = shape_bytes(s, parts), n = 0;
	for (u32 i = 0; i < s->lanes; i++) {
		i64 at = s->offset[i] + phase + (i64)part * bytes;
		for (i64 l = line_of(at, dev->line_bytes); l <= line_of(at + bytes - 1, dev->line_bytes); l++)
			add_line(line, &n, (i32)l);
	}
	Footprint *f = ARENA_NEW(m->arena, Footprint);
	*f = (Footprint){.shape = s, .phase = phase, .part = part, .parts = parts, .next = *slot};
	f->bytes = bytes * s->lanes;
	f->address_cycles = address_cycles(dev, s, bytes, phase);
	if (m->in.ideal_coalescing) {
		u32 ideal = (f->bytes + dev->line_bytes - 1) / dev->line_bytes;
		n = ideal < n ? ideal : n;
		u32 best = (s->lanes + dev->vmem_linear_lanes - 1) / dev->vmem_linear_lanes;
		u32 data = (f->bytes + dev->l1_bytes_per_cycle - 1) / dev->l1_bytes_per_cycle;
		best = best > data ? best : data;
		f->address_cycles = best < f->address_cycles ? best : f->address_cycles;
	}
	f->nlines = n;
	f->line = ARENA_ARRAY(m->arena, i32, n);
	memcpy(f->line, line, n * sizeof *line);
	return *slot = f;
}

/* ---- L2 and beyond ---- */

static void grow_known(Memory *m)
{
	u64 *old = m->known, slots = m->known_slots;
	m->known_slots *= 2;
	m->known = xcalloc(m->known_slots, sizeof *m->known);
	for (u64 i = 0; i < slots; i++) {
		if (!old[i])
			continue;
		u64 h = old[i] * 0x9E3779B97F4A7C15u >> 20 & (m->known_slots - 1);
		while (m->known[h])
			h = (h + 1) & (m->known_slots - 1);
		m->known[h] = old[i];
	}
	free(old);
}

/* Was the line touched before by what is simulated? It is from now on. */
static bool seen_before(Memory *m, u64 line)
{
	u64 h = (line + 1) * 0x9E3779B97F4A7C15u >> 20 & (m->known_slots - 1);
	for (; m->known[h]; h = (h + 1) & (m->known_slots - 1))
		if (m->known[h] == line + 1)
			return true;
	m->known[h] = line + 1;
	if (++m->nknown * 2 > m->known_slots)
		grow_known(m);
	return false;
}

/* One of so many counts: error diffusion of a share. */
static bool every(double *sum, double share)
{
	*sum += share;
	if (*sum < 1)
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

static double later(double a, double b) { return a > b ? a : b; }

double memory_end(const Memory *m) { return later(m->dram_free, later(m->l2_free, m->l3_free)); }

static Trip after(double start, Trip t)
{
	t.start = later(start, t.start);
	return t;
}

static Trip dram(Memory *m, double now, u32 bytes)
{
	m->busy.dram_bytes += bytes;
	double start = pipe(&m->dram_free, now, bytes / m->dram_rate, &m->busy.dram);
	return (Trip){start, m->in.dev->dram_latency};
}

static Trip below_l2(Memory *m, u64 line, double now, u32 bytes, bool fresh)
{
	const Device *dev = m->in.dev;
	if (!dev->l3_bytes)
		return dram(m, now, bytes);
	bool hit = cache_find(&m->l3, line) != NULL;
	double start = pipe(&m->l3_free, now, bytes / m->l3_rate, &m->busy.l3);
	if (hit || (!fresh && m->in.fits_l3))
		return (Trip){start, dev->l3_latency};
	cache_put(&m->l3, line, start);
	return after(start, dram(m, now, bytes));
}

/* Bytes of one L2 line; when they are there, and how long the way was. */
static Trip l2_line(Memory *m, u64 address, u32 bytes, bool write, double now)
{
	const Device *dev = m->in.dev;
	u64 line = address / dev->l2_line_bytes;
	Trip t = {pipe(&m->l2_free, now, bytes / m->l2_rate, &m->busy.l2), dev->l2_latency};
	CacheLine *hit = cache_find(&m->l2, line);
	m->busy.l2_lines++;
	if (hit) {
		m->busy.l2_hits++;
		if (hit->ready > t.start + t.latency)
			t.latency = hit->ready - t.start;
		return t;
	}
	bool known = seen_before(m, line), fresh = !known && every(&m->new_sum, m->in.new_lines);
	bool here = known ? m->in.fits_l2 : !fresh;
	if (write) {
		/* Written lines leave for DRAM once; what fits into L2 stays. */
		if (!here && !m->in.fits_l2)
			t.start = later(t.start, dram(m, now, dev->l2_line_bytes).start);
	} else if (!here) {
		t = after(t.start, below_l2(m, line, now, dev->l2_line_bytes, fresh));
	} else {
		m->busy.l2_hits++;
	}
	cache_put(&m->l2, line, t.start + t.latency);
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

static void load_line(Memory *m, u32 cu, u64 address, double now, double begin, MemoryTime *out)
{
	const Device *dev = m->in.dev;
	u64 line = address / dev->line_bytes;
	m->busy.l1_lines++;
	CacheLine *hit = cache_find(&m->l1[cu], line);
	if (hit) {
		m->busy.l1_hits++;
		double latency = dev->l1_latency;
		if (hit->ready > begin + latency)
			latency = hit->ready - begin;
		longest(out, now, (Trip){begin, latency});
		return;
	}
	double unused = 0;
	double start = pipe(&m->fill_free[cu], now, (double)dev->line_bytes / dev->l1_fill_bytes, &unused);
	Trip t = after(start, after(begin, l2_line(m, address, dev->line_bytes, false, now)));
	longest(out, now, t);
	cache_put(&m->l1[cu], line, t.start + t.latency);
}

MemoryTime memory_vector(Memory *m, u32 cu, double now, const LaneShape *const *shape, const u64 *address,
                         u32 n, u32 part, u32 parts)
{
	const Device *dev = m->in.dev;
	MemoryTime out = {0};
	double cycles = 0;
	Footprint *f[8];
	n = n < COUNT(f) ? n : (u32)COUNT(f);
	for (u32 i = 0; i < n; i++) {
		f[i] = footprint(m, shape[i], address[i], part, parts);
		double c = f[i]->address_cycles;
		c = later(c, (double)f[i]->nlines / dev->l1_lines_per_cycle);
		cycles += later(c, (double)f[i]->bytes / dev->l1_bytes_per_cycle);
	}
	double start = pipe(&m->address_free[cu], now, cycles, &m->busy.address);
	out.done = start + dev->l1_latency;
	for (u32 i = 0; i < n; i++) {
		u64 base = address[i] & ~(u64)(dev->line_bytes - 1);
		bool load = !shape[i]->write && !shape[i]->atomic;
		u32 line_part = f[i]->nlines ? f[i]->bytes / f[i]->nlines : 0;
		for (u32 k = 0; k < f[i]->nlines; k++) {
			u64 at = base + (u64)((i64)f[i]->line[k] * dev->line_bytes);
			if (load) {
				load_line(m, cu, at, now, start, &out);
				continue;
			}
			u32 bytes = line_part < dev->line_bytes ? line_part : dev->line_bytes;
			/* Atomics: a dword of a channel each cycle, as many bytes of its time as a read of them. */
			if (shape[i]->atomic)
				bytes = line_part / 4 * dev->l2_bytes_per_cycle;
			longest(&out, now, after(start, l2_line(m, at, bytes ? bytes : 1, true, now)));
		}
	}
	return out;
}

MemoryTime memory_scratch(Memory *m, u32 cu, double now, u64 number, u32 bytes, bool write)
{
	const Device *dev = m->in.dev;
	MemoryTime out = {0};
	u64 base = (u64)1 << 60 | number * bytes;
	double cycles = later((double)bytes / dev->l1_bytes_per_cycle, 1);
	double start = pipe(&m->address_free[cu], now, cycles, &m->busy.address);
	out.done = start + dev->l1_latency;
	for (u64 at = base; at < base + bytes; at += dev->line_bytes) {
		if (!write)
			load_line(m, cu, at, now, start, &out);
		else
			longest(&out, now, after(start, l2_line(m, at, dev->line_bytes, true, now)));
	}
	return out;
}

MemoryTime memory_scalar(Memory *m, u32 cu, double now, u64 address, u32 bytes)
{
	const Device *dev = m->in.dev;
	MemoryTime out = {now + dev->scalar_latency, 0};
	for (u64 line = address / 64; line <= (address + bytes - 1) / 64; line++) {
		CacheLine *hit = cache_find(&m->scalar[cu], line);
		if (hit) {
			out.done = later(out.done, hit->ready);
			continue;
		}
		Trip t = l2_line(m, line * 64, 64, false, now);
		longest(&out, now, t);
		cache_put(&m->scalar[cu], line, t.start + t.latency);
	}
	return out;
}

MemoryTime memory_empty(Memory *m, u32 cu, double now)
{
	double start = pipe(&m->address_free[cu], now, 1, &m->busy.address);
	return (MemoryTime){start + m->in.dev->l1_latency, start - now};
}
