/* Access sets: see access_sets.h. A set has two bits for each granule of a segment (read, written), and
 * for each page whether it has any; memory that is never touched is never made, because calloc
 * leaves that to the system. Only its worker changes a set; others may look at it meanwhile, so
 * words are relaxed atomics. */
#include "sim/observe.h"

#include "base/reserve.h"

#include <sys/mman.h>

enum { PAGE_SHIFT = 12, PAGE_BYTES = 1 << PAGE_SHIFT };
enum { POOL_PAGES = 64 }; /* allocated at once: a system call for each would cost more than to fill them */
enum { READ = 1, WRITTEN = 2, UPDATED = 4 }; /* what a page has */

typedef struct SegSet {
	u8 *pages;           /* READ … */
	u64 *read, *written; /* a bit for each granule, page_slot() after page_slot() */
	u8 *update;          /* by granule: the class of commuting atomics that changed it; NULL: none did */
} SegSet;

struct AccessSet {
	AccessSets *all;
	SegSet *segs;
	ARRAY(u8 *) pools; /* room for first contents, of POOL_PAGES each */
	u32 used;          /* pages of the last one */
	bool strayed; /* wrote into a segment that the program was not expected to write */
};

struct AccessSets {
	const Seg *segs;
	u32 nsegs, nworkers;
	u32 granule_shift;
	const bool *stored;
	u8 ***saved; /* by segment (NULL: read-only), then page: its first contents, once it is written */
	AccessSet *sets;
};

static u64 pages_of(const Seg *seg) { return (seg->size + PAGE_BYTES - 1) >> PAGE_SHIFT; }

/* Of whole pages, at least one. */
static u64 granules_of(const AccessSets *all, u32 seg)
{
	return (pages_of(&all->segs[seg]) + 1) << (PAGE_SHIFT - all->granule_shift);
}

/* Where the bits of a page are. Lanes whose addresses are a power of two apart are common, and in
 * equal distances their bits would want the same places of the host's caches. */
static u64 page_slot(u64 page) { return page ^ page >> 4 ^ page >> 8; }

static u64 slots_of(const Seg *seg)
{
	u64 slots = 1;
	while (slots < pages_of(seg))
		slots *= 2;
	return slots;
}

static u64 *page_bits(const AccessSets *all, u64 *words, u64 page)
{
	return words + (page_slot(page) << (PAGE_SHIFT - all->granule_shift) >> 6);
}

AccessSets *access_sets_new(const Seg *segs, u32 nsegs, const bool *stored, u32 granule, u32 nworkers)
{
	AccessSets *all = xcalloc(1, sizeof *all);
	*all = (AccessSets){.segs = segs, .nsegs = nsegs, .nworkers = nworkers, .stored = stored,
	                    .granule_shift = (u32)__builtin_ctz(granule)};
	all->saved = xcalloc(nsegs, sizeof *all->saved);
	all->sets = xcalloc(nworkers, sizeof *all->sets);
	for (u32 k = 0; k < nworkers; k++)
		all->sets[k] = (AccessSet){.all = all, .segs = xcalloc(nsegs, sizeof(SegSet))};
	for (u32 i = 1; i < nsegs; i++) {
		if (!segs[i].writable)
			continue;
		u64 words = (slots_of(&segs[i]) << (PAGE_SHIFT - all->granule_shift)) / 64;
		all->saved[i] = xcalloc(pages_of(&segs[i]) + 1, sizeof **all->saved);
		for (u32 k = 0; k < nworkers; k++)
			all->sets[k].segs[i] = (SegSet){.pages = xcalloc(pages_of(&segs[i]) + 1, 1),
			                                .read = xcalloc(words, 8), .written = xcalloc(words, 8)};
	}
	return all;
}

void access_sets_free(AccessSets *all)
{
	if (!all)
		return;
	for (u32 k = 0; k < all->nworkers; k++) {
		for (u32 i = 0; i < all->nsegs; i++) {
			free(all->sets[k].segs[i].pages);
			free(all->sets[k].segs[i].read);
			free(all->sets[k].segs[i].written);
			free(all->sets[k].segs[i].update);
		}
		free(all->sets[k].segs);
		for (u32 i = 0; i < all->sets[k].pools.n; i++)
			munmap(all->sets[k].pools.v[i], POOL_PAGES * PAGE_BYTES);
		array_free(&all->sets[k].pools);
	}
	for (u32 i = 0; i < all->nsegs; i++)
		free(all->saved[i]);
	free(all->saved);
	free(all->sets);
	free(all);
}

AccessSet *access_set(AccessSets *all, u32 worker) { return &all->sets[worker]; }

/* ---- marking ---- */

static u8 *page_room(AccessSet *s)
{
	if (!s->pools.n || s->used == POOL_PAGES) {
		u8 *pool;
		while ((pool = mmap(NULL, POOL_PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
		                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0)) == MAP_FAILED)
			reserve_need(POOL_PAGES * PAGE_BYTES);
		array_push(&s->pools, pool);
		s->used = 0;
	}
	return s->pools.v[s->pools.n - 1] + s->used++ * PAGE_BYTES;
}

static u64 bytes_of(const Seg *seg, u64 page)
{
	u64 left = seg->size - (page << PAGE_SHIFT);
	return left < PAGE_BYTES ? left : PAGE_BYTES;
}

static u8 zeros[PAGE_BYTES]; /* the contents of most results before a launch: such pages need no copy */

/* Memory that was never touched is made once, for writing, not first for reading: when the system replaces
 * what it gave for that, every thread has to stop. */
static void make(void *at) { __atomic_fetch_or((u8 *)at, 0, __ATOMIC_RELAXED); }

/* Keep the contents of a page, unless another worker did. Two may copy it at the same time rather than wait for
 * each other, as threads that begin with the same pages would at each of them: none writes there before a copy
 * is complete, and only the first complete one counts. */
static void page_save(AccessSet *s, u32 seg, u64 page)
{
	const Seg *from = &s->all->segs[seg];
	u8 **slot = &s->all->saved[seg][page], *none = NULL, *room = zeros, *first = from->data + (page << PAGE_SHIFT);
	u64 bytes = bytes_of(from, page);
	if (__atomic_load_n(slot, __ATOMIC_ACQUIRE))
		return;
	make(first);
	make(first + bytes - 1);
	if (memcmp(first, zeros, bytes)) {
		room = page_room(s);
		memcpy(room, first, bytes);
	}
	if (!__atomic_compare_exchange_n(slot, &none, room, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		s->used -= room != zeros;
}

static NO_INLINE void page_first(AccessSet *s, u32 seg, u64 page, u8 has)
{
	const SegSet *set = &s->segs[seg];
	if (has != READ && !(set->pages[page] & (WRITTEN | UPDATED)))
		page_save(s, seg, page);
	if (has != READ && !s->all->stored[seg])
		__atomic_store_n(&s->strayed, true, __ATOMIC_RELAXED);
	make(has == UPDATED ? (void *)&set->update[page << (PAGE_SHIFT - s->all->granule_shift)]
	                    : (void *)page_bits(s->all, has == READ ? set->read : set->written, page));
	__atomic_store_n(&set->pages[page], set->pages[page] | has, __ATOMIC_RELEASE);
}

static FORCE_INLINE void bits_set(u64 *words, u64 first, u64 end)
{
	while (first < end) {
		u64 bit = first % 64, take = end - first < 64 - bit ? end - first : 64 - bit;
		u64 bits = (~(u64)0 >> (64 - take)) << bit, *word = &words[first / 64];
		if ((*word & bits) != bits)
			__atomic_store_n(word, *word | bits, __ATOMIC_RELAXED);
		first += take;
	}
}

/* What a page has, READ … */
static FORCE_INLINE void page_has(AccessSet *s, u32 seg, u64 page, const u8 has)
{
	if (UNLIKELY(!(s->segs[seg].pages[page] & has)))
		page_first(s, seg, page, has);
}

static FORCE_INLINE void mark(AccessSet *s, u32 seg, u64 at, u64 bytes, const u8 has)
{
	u32 shift = s->all->granule_shift;
	u64 *words = has == READ ? s->segs[seg].read : s->segs[seg].written;
	for (u64 end = at + bytes; at < end;) {
		u64 page = at >> PAGE_SHIFT, start = page << PAGE_SHIFT;
		u64 stop = start + PAGE_BYTES < end ? start + PAGE_BYTES : end;
		page_has(s, seg, page, has);
		bits_set(page_bits(s->all, words, page), (at - start) >> shift, ((stop - start - 1) >> shift) + 1);
		at = stop;
	}
}

static u32 seg_of(u64 address) { return (u32)(address >> SEG_SHIFT); }
static u64 offset_of(u64 address) { return address & (((u64)1 << SEG_SHIFT) - 1); }

void mark_read(AccessSet *s, u64 address, u64 bytes)
{
	if (s->all->stored[seg_of(address)])
		mark(s, seg_of(address), offset_of(address), bytes, READ);
}

void mark_write(AccessSet *s, u64 address, u64 bytes)
{
	mark(s, seg_of(address), offset_of(address), bytes, WRITTEN);
}

/* Lanes that access one granule each. */
static FORCE_INLINE void mark_granules(AccessSet *s, const Pattern *p, u32 seg, u64 at, const u8 has)
{
	const u8 *pages = s->segs[seg].pages;
	u64 *words = has == READ ? s->segs[seg].read : s->segs[seg].written;
	u32 shift = s->all->granule_shift;
	Mask m = p->mask;
	for (u32 l = p->first; l <= p->last; l++) {
		if (!p->solid) {
			l = mask_lowest(m);
			m = mask_drop(m);
		}
		u64 lane = at + (u64)pattern_offset(p, l, true), page = lane >> PAGE_SHIFT;
		u64 granule = lane % PAGE_BYTES >> shift, *word = page_bits(s->all, words, page) + granule / 64;
		if (UNLIKELY(!(pages[page] & has)))
			page_first(s, seg, page, has);
		__atomic_store_n(word, *word | (u64)1 << granule % 64, __ATOMIC_RELAXED);
	}
}

static FORCE_INLINE void mark_lanes(AccessSet *s, const WaveAccess *x, const u8 has)
{
	u32 seg = seg_of(x->first);
	u64 at = offset_of(x->first), run = access_run(x);
	u32 pieces = x->p ? x->p->npieces : 0;
	if (run)
		mark(s, seg, at, run, has);
	else if (pieces && pieces <= x->lanes / 4)
		for (u32 i = 0; i < pieces; i++)
			mark(s, seg, at + (u64)x->p->piece[i].offset, x->p->piece[i].bytes, has);
	else if (x->bytes == 1u << s->all->granule_shift && !((at | x->p->bits) & (x->bytes - 1)))
		mark_granules(s, x->p, seg, at, has);
	else
		for (Mask m = x->mask; m; m = mask_drop(m))
			mark(s, seg, offset_of(access_at(x, mask_lowest(m))), x->bytes, has);
}

void mark_access(AccessSet *s, const WaveAccess *x)
{
	if (x->kind == ACCESS_STORE)
		mark_lanes(s, x, WRITTEN);
	else if (s->all->stored[seg_of(x->first)])
		mark_lanes(s, x, READ);
}

void mark_update(AccessSet *s, u64 address, u64 bytes, u8 update)
{
	u32 seg = seg_of(address), shift = s->all->granule_shift;
	u64 at = offset_of(address);
	SegSet *set = &s->segs[seg];
	if (UNLIKELY(!set->update))
		set->update = xcalloc(granules_of(s->all, seg), 1); /* visible to threads that see UPDATED */
	page_has(s, seg, at >> PAGE_SHIFT, UPDATED); /* it is aligned, so it is in one */
	for (u64 i = at >> shift; i <= (at + bytes - 1) >> shift; i++) {
		if (set->update[i] == update)
			continue;
		if (set->update[i])
			mark(s, seg, i << shift, 1, WRITTEN);
		else
			__atomic_store_n(&set->update[i], update, __ATOMIC_RELAXED);
	}
}

/* ---- conflicts ---- */

static u64 load(const u64 *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

/* What the workers before accessed in 64 granules of a page. */
typedef struct Seen {
	u64 read, written, updated;
	u8 update[64]; /* classes of those updated */
} Seen;

/* Those that have a class; it is noted. *differ: another one than seen before. */
static u64 updates_see(Seen *seen, const u8 *update, bool *differ)
{
	u64 updated = 0;
	for (u32 bit = 0; bit < 64; bit++) {
		u8 u = __atomic_load_n(&update[bit], __ATOMIC_RELAXED);
		if (!u)
			continue;
		*differ |= (seen->updated >> bit & 1) && seen->update[bit] != u;
		seen->update[bit] = u;
		updated |= (u64)1 << bit;
	}
	return updated;
}

/* Has a worker's access to word i of a page a conflict with those seen before? Then they are seen, too. */
static bool word_conflict(const AccessSets *all, Seen *seen, const SegSet *set, u8 has, u64 page, u32 i)
{
	bool conflict = false;
	u64 read = has & READ ? load(&page_bits(all, set->read, page)[i]) : 0;
	u64 written = has & WRITTEN ? load(&page_bits(all, set->written, page)[i]) : 0;
	u64 updated = 0;
	if (has & UPDATED)
		updated = updates_see(seen, set->update + (page << (PAGE_SHIFT - all->granule_shift)) + i * 64,
		                      &conflict);
	conflict |= (written & (seen->read | seen->written | seen->updated)) ||
	            (read & (seen->written | seen->updated)) || (updated & (seen->read | seen->written));
	seen->read |= read;
	seen->written |= written;
	seen->updated |= updated;
	return conflict;
}

static bool page_conflict(const AccessSets *all, u32 seg, u64 page)
{
	u32 have = 0;
	u8 any = 0;
	for (u32 k = 0; k < all->nworkers; k++) {
		u8 has = __atomic_load_n(&all->sets[k].segs[seg].pages[page], __ATOMIC_ACQUIRE);
		have += has != 0;
		any |= has;
	}
	if (have < 2 || any == READ)
		return false;
	for (u32 i = 0; i < (u32)PAGE_BYTES >> all->granule_shift >> 6; i++) {
		Seen seen;
		seen.read = seen.written = seen.updated = 0;
		for (u32 k = 0; k < all->nworkers; k++) {
			const SegSet *set = &all->sets[k].segs[seg];
			u8 has = __atomic_load_n(&set->pages[page], __ATOMIC_ACQUIRE);
			if (has && word_conflict(all, &seen, set, has, page, i))
				return true;
		}
	}
	return false;
}

bool access_sets_conflict(const AccessSets *all)
{
	for (u32 k = 0; k < all->nworkers; k++)
		if (__atomic_load_n(&all->sets[k].strayed, __ATOMIC_RELAXED))
			return true;
	for (u32 i = 1; i < all->nsegs; i++)
		for (u64 page = 0; all->saved[i] && page < pages_of(&all->segs[i]); page++)
			if (page_conflict(all, i, page))
				return true;
	return false;
}

void access_sets_restore(const AccessSets *all)
{
	for (u32 i = 1; i < all->nsegs; i++)
		for (u64 page = 0; all->saved[i] && page < pages_of(&all->segs[i]); page++)
			if (all->saved[i][page])
				memcpy(all->segs[i].data + (page << PAGE_SHIFT), all->saved[i][page],
				       bytes_of(&all->segs[i], page));
}
