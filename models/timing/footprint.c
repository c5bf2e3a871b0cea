/* Footprints: see footprint.h. */
#include "models/timing/footprint.h"

#include "base/hash.h"

enum {
	MOST_KEPT = 1 << 14, /* lanes at indices of their own seldom make the same shape twice */
	MOST_LINES = MAX_WAVE * 64
};

struct Footprints {
	const Device *dev;
	bool ideal, differ; /* differ: one that is no longer kept would be another with ideal_coalescing */
	u32 sector; /* bytes */
	Arena *arena; /* of those that are kept */
	Map *kept;
	Footprint *last;
	u32 n;
};

static void forget_all(Footprints *x)
{
	x->arena = arena_new();
	x->kept = map_new(x->arena);
	x->last = NULL;
	x->n = 0;
}

Footprints *footprints_new(const Device *dev, bool ideal_coalescing)
{
	Footprints *x = xcalloc(1, sizeof *x);
	*x = (Footprints){.dev = dev, .ideal = ideal_coalescing, .sector = footprint_sector(dev)};
	forget_all(x);
	return x;
}

void footprints_free(Footprints *x)
{
	arena_free(x->arena);
	free(x);
}

static i64 line_of(i64 at, u32 line_bytes)
{
	return at >= 0 ? at / line_bytes : -((line_bytes - 1 - at) / line_bytes);
}

/* A line, and what of its sectors the lanes touch. */
typedef struct Touched {
	i32 line;
	u32 bytes[MOST_SECTORS]; /* those that several lanes touch counted once; 0: none */
	i64 end[MOST_SECTORS];   /* up to here they are counted */
} Touched;

static Touched *find_line(Touched *t, u32 *n, i32 line)
{
	for (u32 i = *n; i-- > 0;)
		if (t[i].line == line)
			return &t[i];
	if (*n == MOST_LINES)
		return NULL;
	t[*n] = (Touched){.line = line};
	return &t[(*n)++];
}

u32 footprint_sector(const Device *dev)
{
	u32 least = dev->line_bytes / MOST_SECTORS;
	return dev->sector_bytes > least ? dev->sector_bytes : least;
}

/* One lane's bytes. Lanes mostly lie in ascending order; where they do not, a sector may seem less
 * full than it is. */
static void touch(const Footprints *f, Touched *t, u32 *n, i64 at, u32 bytes)
{
	u32 line_bytes = f->dev->line_bytes;
	for (i64 from = at; from < at + bytes;) {
		i64 line = line_of(from, line_bytes), in_line = from - line * line_bytes;
		u32 k = (u32)(in_line / f->sector);
		i64 end = line * line_bytes + (i64)(k + 1) * f->sector;
		end = end < at + bytes ? end : at + bytes;
		Touched *x = find_line(t, n, (i32)line);
		if (x) {
			bool first = !x->bytes[k];
			i64 fresh = !first && x->end[k] > from ? x->end[k] : from;
			x->bytes[k] += end > fresh ? (u32)(end - fresh) : 0;
			x->end[k] = first || end > x->end[k] ? end : x->end[k];
		}
		from = end;
	}
}

/* Lanes [from, to) that are served together, at s->offset + phase: the most different elements of so many
 * bytes that lie in one of the banks. */
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

/* Cycles of a cache whose data lie in banks of 4 bytes, like local memory's: of as many lanes at a
 * time as one cycle has data for, the bank that most different dwords are wanted of. */
static u32 banked_cycles(const Device *dev, Footprint *f, const LaneShape *s, u32 bytes)
{
	u32 group = dev->l1_bytes_per_cycle > bytes ? dev->l1_bytes_per_cycle / bytes : 1, cycles = 0;
	for (u32 from = 0, to; from < s->lanes; from = to) {
		to = s->lanes - from < group ? s->lanes : from + group;
		u32 most = busiest_bank(s, from, to, 4, f->phase, dev->l1_data_banks);
		cycles += most;
		f->ways += most - 1;
	}
	return cycles;
}

/* So many elements lie side by side from the first lane's on. */
static u32 neighbours(const LaneShape *s, u32 bytes)
{
	u32 n = 1, i = 0;
	while (n < s->lanes && i < s->lanes) {
		for (i = 0; i < s->lanes && s->offset[i] != s->offset[0] + (i64)n * bytes;)
			i++;
		n += i < s->lanes;
	}
	return n;
}

static void put_cache_lines(Footprints *x, Footprint *f, const LaneShape *s)
{
	u32 n = 0, bytes = f->each, most = x->dev->line_bytes / x->sector;
	/* A lane's bytes lie in as many lines as they are long, and one more. */
	u32 room = s->lanes * (bytes / x->dev->line_bytes + 2);
	Touched *t = xcalloc(room < MOST_LINES ? room : (u32)MOST_LINES, sizeof *t);
	for (u32 i = 0; i < s->lanes; i++)
		touch(x, t, &n, s->offset[i] + f->phase, bytes);
	u32 touched = n, first = 0, ideal = (f->bytes + x->dev->line_bytes - 1) / x->dev->line_bytes;
	/* Accesses that touch the same lines in other places take others of them: together they bring what all of them
	 * want, and none finds what is not its own. */
	if (x->ideal && ideal < n) {
		n = ideal;
		first = (u32)((u64)(f->phase / (bytes * neighbours(s, bytes))) * ideal % touched);
	}
	f->nlines = n;
	f->line = ARENA_ARRAY(x->arena, CacheLinePart, n);
	for (u32 i = 0; i < n; i++) {
		const Touched *from = &t[(first + i) % touched];
		f->line[i].line = from->line;
		for (u32 k = 0; k < most; k++) {
			f->line[i].sectors |= (u8)((from->bytes[k] > 0 || x->ideal) << k);
			f->line[i].whole |= (u8)((from->bytes[k] >= x->sector || x->ideal) << k);
		}
	}
	free(t);
	bool load = !s->write && !s->atomic;
	f->tags = load && x->dev->l1_tag_banks;
	f->line_cycles = f->tags ? 1 : (n + x->dev->l1_lines_per_cycle - 1) / x->dev->l1_lines_per_cycle;
	if (x->dev->l1_data_banks && !x->ideal && load) {
		u32 c = banked_cycles(x->dev, f, s, bytes);
		f->line_cycles = c > f->line_cycles ? c : f->line_cycles;
	}
}

/* ---- lanes that meet in an address ---- */

static int by_offset(const void *va, const void *vb)
{
	i64 a = *(const i64 *)va, b = *(const i64 *)vb;
	return a < b ? -1 : a > b;
}

/* Where its lanes' bytes begin, in ascending order. */
static void sort_lanes(const Footprint *f, i64 *at)
{
	const LaneShape *s = f->shape;
	for (u32 i = 0; i < s->lanes; i++)
		at[i] = s->offset[i] + f->phase;
	qsort(at, s->lanes, sizeof *at, by_offset);
}

static void put_atomics(Footprints *x, Footprint *f)
{
	i64 at[MAX_WAVE];
	sort_lanes(f, at);
	f->atomic = ARENA_ARRAY(x->arena, AtomicPart, f->shape->lanes);
	for (u32 i = 0, same = 0; i < f->shape->lanes; i++) {
		same = i && at[i] == at[i - 1] ? same + 1 : 1;
		i32 u = (i32)line_of(at[i], x->dev->l2_atomic_bytes);
		if (!f->natomics || f->atomic[f->natomics - 1].block != u)
			f->atomic[f->natomics++] = (AtomicPart){u, 0};
		AtomicPart *p = &f->atomic[f->natomics - 1];
		p->most_lanes = same > p->most_lanes ? same : p->most_lanes;
	}
}

static u32 count_dwords(const Footprint *f)
{
	i64 at[MAX_WAVE];
	u32 n = 0;
	sort_lanes(f, at);
	for (u32 i = 0; i < f->shape->lanes; i++)
		n += !i || line_of(at[i], 4) != line_of(at[i - 1], 4);
	return n;
}

/* ---- the address unit ---- */

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
			near = (step == 0 || step == (i64)bytes) &&
			       line_of(s->offset[k] + phase, dev->line_bytes) == line;
		}
		u32 banks = bytes == 4 ? dev->vmem_banks : bytes == 8 ? dev->vmem_banks_wide : 0;
		u32 spread = (n + few - 1) / few,
		    most = banks ? busiest_bank(s, i, i + n, bytes, phase, banks) : 1;
		cycles += near ? 1 : most > spread ? most : spread;
	}
	return cycles;
}

/* Of the same access where each lane's bytes follow those of the lane before it. */
static u32 ideal_cycles(const Device *dev, const LaneShape *s, u32 bytes)
{
	i64 offset[MAX_WAVE];
	LaneShape ideal = *s;
	ideal.offset = offset;
	for (u32 i = 0; i < s->lanes; i++)
		offset[i] = (i64)i * bytes;
	return address_cycles(dev, &ideal, bytes, 0);
}

static Footprint *footprint_of(Footprints *x, const LaneShape *s, u64 address, u32 each)
{
	const Device *dev = x->dev;
	u32 phase = (u32)(address & (dev->line_bytes - 1));
	u64 key = hash_mix((u64)(uintptr_t)s ^ hash_mix((u64)each << 32 | phase)) | 1; /* a map's keys are not 0 */
	Footprint **slot = (Footprint **)map_slot(x->kept, key);
	for (Footprint *f = *slot; f; f = f->same_key)
		if (f->shape == s && f->phase == phase && f->each == each)
			return f;
	Footprint *f = ARENA_NEW(x->arena, Footprint);
	*f = (Footprint){.shape = s, .phase = phase, .each = each, .same_key = *slot, .before = x->last};
	x->last = *slot = f;
	x->n++;
	f->bytes = each * s->lanes;
	f->address_cycles = address_cycles(dev, s, each, phase);
	if (x->ideal) {
		u32 best = ideal_cycles(dev, s, each);
		f->address_cycles = best < f->address_cycles ? best : f->address_cycles;
	}
	put_cache_lines(x, f, s);
	if (s->atomic)
		put_atomics(x, f);
	return f;
}

const Footprint *footprint(Footprints *x, const LaneShape *s, u64 address, u32 each)
{
	return footprint_of(x, s, address, each);
}

u32 footprint_dwords(Footprints *x, const LaneShape *s, u64 address)
{
	Footprint *f = footprint_of(x, s, address, s->bytes);
	f->dwords = f->dwords ? f->dwords : count_dwords(f);
	return f->dwords;
}

/* Of the number of the bank of tags that a line is in, bit k is the parity of what mask k leaves of the line's number:
 * the linear hash of those tried that an H200's times of 15 patterns of lines fit best. */
static const u32 tag_hash[] = {0x7bd, 0xe66};

static u32 tag_bank(u32 line, u32 banks)
{
	u32 at = 0;
	for (u32 k = 0; k < COUNT(tag_hash); k++)
		at |= (u32)__builtin_parity(line & tag_hash[k]) << k;
	return at % banks;
}

u32 footprint_tag_cycles(const Device *dev, const Footprint *f, u64 address)
{
	u32 first = (u32)(address / dev->line_bytes), n[1u << COUNT(tag_hash)] = {0}, most = 0;
	for (u32 i = 0; i < f->nlines; i++) {
		u32 c = ++n[tag_bank(first + (u32)f->line[i].line, dev->l1_tag_banks)];
		most = c > most ? c : most;
	}
	return most;
}

static bool equal(const Footprint *a, const Footprint *b)
{
	bool same =
	    a->nlines == b->nlines && a->line_cycles == b->line_cycles && a->address_cycles == b->address_cycles;
	for (u32 i = 0; same && i < a->nlines; i++)
		same = a->line[i].line == b->line[i].line && a->line[i].sectors == b->line[i].sectors &&
		       a->line[i].whole == b->line[i].whole;
	return same;
}

static bool kept_differ(const Footprints *x)
{
	Footprints *ideal = footprints_new(x->dev, true);
	bool differ = false;
	for (const Footprint *f = x->last; f && !differ; f = f->before)
		differ = !equal(f, footprint(ideal, f->shape, f->phase, f->each));
	footprints_free(ideal);
	return differ;
}

bool footprints_are_ideal(const Footprints *x) { return x->ideal || (!x->differ && !kept_differ(x)); }

void footprints_forget(Footprints *x)
{
	if (x->n < MOST_KEPT)
		return;
	x->differ = !footprints_are_ideal(x);
	arena_free(x->arena);
	forget_all(x);
}
