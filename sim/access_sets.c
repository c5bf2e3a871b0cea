/* Access sets: see access_sets.h. A set has two bits for each granule of a segment (read, written), and
 * for each page whether it has any; memory that is never touched is never made, because calloc
 * leaves that to the system. Only its worker changes a set; others may look at it meanwhile, so
 * words are relaxed atomics. */
#include "sim/observe.h"

#include <sched.h>
#include <sys/mman.h>

enum { PAGE_SHIFT = 12, PAGE_BYTES = 1 << PAGE_SHIFT, LARGE_PAGE = 1 << 21 };
enum { READ = 1, WRITTEN = 2, UPDATED = 4 }; /* what a page has */

typedef struct SegSet {
	u8 *pages;           /* READ … */
	u64 *read, *written; /* a bit for each granule */
	u8 *update;          /* by granule: the class of commuting atomics that changed it; NULL: none did */
} SegSet;

struct AccessSet {
	AccessSets *all;
	SegSet *segs;
	bool strayed; /* wrote into a segment that the program was not expected to write */
};

/* First contents of a segment: pages that somebody writes are copied first. */
typedef enum { PAGE_CLEAN, PAGE_COPYING, PAGE_SAVED } PageState;
typedef struct Saved {
	u8 *state; /* PageState by page; NULL: nobody can write */
	u8 *bytes;
} Saved;

struct AccessSets {
	const Seg *segs;
	u32 nsegs, nworkers;
	u32 granule_shift;
	const bool *stored;
	Saved *saved;
	AccessSet *sets;
};

static u64 pages_of(const Seg *seg) { return (seg->size + PAGE_BYTES - 1) >> PAGE_SHIFT; }

/* Of whole pages, at least one. */
static u64 granules_of(const AccessSets *all, u32 seg)
{
	return (pages_of(&all->segs[seg]) + 1) << (PAGE_SHIFT - all->granule_shift);
}

/* Room for first contents. Large ones are in large pages: the system makes fewer of them. */
static u8 *saved_room(u64 bytes)
{
	if (bytes < LARGE_PAGE)
		return xmalloc(bytes + 1);
	u64 rounded = (bytes + LARGE_PAGE - 1) & ~(u64)(LARGE_PAGE - 1);
	u8 *room = aligned_alloc(LARGE_PAGE, rounded);
	if (!room)
		return xmalloc(rounded); /* or says so and ends */
	madvise(room, rounded, MADV_HUGEPAGE);
	return room;
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
		u64 words = granules_of(all, i) / 64;
		all->saved[i] = (Saved){xcalloc(pages_of(&segs[i]) + 1, 1), saved_room(segs[i].size)};
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
	}
	for (u32 i = 0; i < all->nsegs; i++) {
		free(all->saved[i].state);
		free(all->saved[i].bytes);
	}
	free(all->saved);
	free(all->sets);
	free(all);
}

AccessSet *access_set(AccessSets *all, u32 worker) { return &all->sets[worker]; }

/* ---- marking ---- */

/* Keep the contents of a page, unless another worker does or did. */
static void page_save(AccessSets *all, u32 seg, u64 page)
{
	const Seg *from = &all->segs[seg];
	u8 *state = &all->saved[seg].state[page], clean = PAGE_CLEAN;
	u64 at = page << PAGE_SHIFT, left = from->size - at;
	if (__atomic_compare_exchange_n(state, &clean, PAGE_COPYING, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		memcpy(all->saved[seg].bytes + at, from->data + at, left < PAGE_BYTES ? left : PAGE_BYTES);
		__atomic_store_n(state, PAGE_SAVED, __ATOMIC_RELEASE);
		return;
	}
	while (__atomic_load_n(state, __ATOMIC_ACQUIRE) == PAGE_COPYING)
		sched_yield();
}

static NO_INLINE void page_first(AccessSet *s, u32 seg, u64 page, u8 has)
{
	u8 *pages = s->segs[seg].pages;
	if (has != READ && !(pages[page] & (WRITTEN | UPDATED)))
		page_save(s->all, seg, page);
	if (has != READ && !s->all->stored[seg])
		__atomic_store_n(&s->strayed, true, __ATOMIC_RELAXED);
	__atomic_store_n(&pages[page], pages[page] | has, __ATOMIC_RELEASE);
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
static FORCE_INLINE void pages_have(AccessSet *s, u32 seg, u64 at, u64 bytes, const u8 has)
{
	const u8 *pages = s->segs[seg].pages;
	for (u64 page = at >> PAGE_SHIFT, last = (at + bytes - 1) >> PAGE_SHIFT; page <= last; page++)
		if (UNLIKELY(!(pages[page] & has)))
			page_first(s, seg, page, has);
}

static FORCE_INLINE void mark(AccessSet *s, u32 seg, u64 at, u64 bytes, const u8 has)
{
	u32 shift = s->all->granule_shift;
	pages_have(s, seg, at, bytes, has);
	bits_set(has == READ ? s->segs[seg].read : s->segs[seg].written, at >> shift,
	         ((at + bytes - 1) >> shift) + 1);
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
		u64 granule = (at + (u64)pattern_offset(p, l, true)) >> shift, *word = &words[granule / 64];
		u64 page = granule >> (PAGE_SHIFT - shift);
		if (UNLIKELY(!(pages[page] & has)))
			page_first(s, seg, page, has);
		__atomic_store_n(word, *word | (u64)1 << granule % 64, __ATOMIC_RELAXED);
	}
}

static FORCE_INLINE void mark_lanes(AccessSet *s, const WaveAccess *x, const u8 has)
{
	u32 seg = seg_of(x->first);
	u64 at = offset_of(x->first), run = access_run(x);
	if (run)
		mark(s, seg, at, run, has);
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
		set->update = xcalloc(granules_of(s->all, seg), 1); /* seen by who sees UPDATED */
	pages_have(s, seg, at, bytes, UPDATED);
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

/* What the workers before accessed in a page; words and classes by granule. */
typedef struct Seen {
	u64 read[PAGE_BYTES / 64], written[PAGE_BYTES / 64], updated[PAGE_BYTES / 64];
	u8 update[PAGE_BYTES];
	u8 pages;
} Seen;

/* The granules of word i that have a class; it is noted. *differ: another one than seen before. */
static u64 updates_see(Seen *seen, const u8 *update, u32 word, bool *differ)
{
	u64 updated = 0;
	for (u32 bit = 0; bit < 64; bit++) {
		u8 u = __atomic_load_n(&update[word * 64 + bit], __ATOMIC_RELAXED), *before = &seen->update[word * 64 + bit];
		if (!u)
			continue;
		*differ |= (seen->updated[word] >> bit & 1) && *before != u;
		*before = u;
		updated |= (u64)1 << bit;
	}
	return updated;
}

/* Does a worker's access to a page meet those seen before? Then they are seen, too. */
static bool page_meets(const AccessSets *all, Seen *seen, const SegSet *set, u8 has, u64 page)
{
	u32 granules = PAGE_BYTES >> all->granule_shift;
	u64 first = page * granules / 64;
	const u8 *update = has & UPDATED ? set->update + page * granules : NULL;
	bool meets = false;
	for (u32 i = 0; i < granules / 64; i++) {
		u64 read = has & READ ? load(&set->read[first + i]) : 0;
		u64 written = has & WRITTEN ? load(&set->written[first + i]) : 0;
		u64 updated = update ? updates_see(seen, update, i, &meets) : 0;
		meets |= (written & (seen->read[i] | seen->written[i] | seen->updated[i])) ||
		         (read & (seen->written[i] | seen->updated[i])) ||
		         (updated & (seen->read[i] | seen->written[i]));
		seen->read[i] |= read;
		seen->written[i] |= written;
		seen->updated[i] |= updated;
	}
	return meets;
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
	Seen seen = {0};
	for (u32 k = 0; k < all->nworkers; k++) {
		const SegSet *set = &all->sets[k].segs[seg];
		u8 has = __atomic_load_n(&set->pages[page], __ATOMIC_ACQUIRE);
		if (has && page_meets(all, &seen, set, has, page))
			return true;
	}
	return false;
}

bool access_sets_conflict(const AccessSets *all)
{
	for (u32 k = 0; k < all->nworkers; k++)
		if (__atomic_load_n(&all->sets[k].strayed, __ATOMIC_RELAXED))
			return true;
	for (u32 i = 1; i < all->nsegs; i++)
		for (u64 page = 0; all->saved[i].state && page < pages_of(&all->segs[i]); page++)
			if (page_conflict(all, i, page))
				return true;
	return false;
}

void access_sets_restore(const AccessSets *all)
{
	for (u32 i = 1; i < all->nsegs; i++)
		for (u64 page = 0; all->saved[i].state && page < pages_of(&all->segs[i]); page++) {
			u64 at = page << PAGE_SHIFT, left = all->segs[i].size - at;
			if (all->saved[i].state[page] == PAGE_SAVED)
				memcpy(all->segs[i].data + at, all->saved[i].bytes + at, left < PAGE_BYTES ? left : PAGE_BYTES);
		}
}
