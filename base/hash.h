/* Hash sets and tables: open addressing, at most half full, growing. Nothing is taken out, and they are not iterated,
 * so no hash and no address decides an order. Memory of sets is their own; hash_set_free gives it back.
 *
 *   Map        from numbers or addresses to pointers, in an arena
 *   HashSet    of numbers
 *   HashIndex  of the numbers of elements that the caller keeps, by a hash that it computes */
#ifndef WAVESIM_HASH_H
#define WAVESIM_HASH_H

#include "base/base.h"

static inline u64 hash_mix(u64 h)
{
	h ^= h >> 32;
	h *= 0xD6E8FEB86659FD93u;
	return h ^ h >> 29;
}

/* Of NULL as of nothing. */
static inline u64 hash_text(const char *text)
{
	u64 h = 0;
	for (; text && *text; text++)
		h = hash_mix(h + (u8)*text);
	return h;
}

/* ---- pointers by keys ---- */

typedef struct Map Map;
Map *map_new(Arena *a);
/* Where the value of a key (not 0) is kept; NULL there before. Valid until the next call. */
void **map_slot(Map *m, u64 key);
void *map_get(const Map *m, u64 key);

/* By address. */
static inline void **ptrmap_slot(Map *m, const void *key) { return map_slot(m, (u64)(uintptr_t)key); }
static inline void *ptrmap_get(const Map *m, const void *key) { return map_get(m, (u64)(uintptr_t)key); }

/* ---- numbers below 2^64 - 1 ---- */

typedef struct HashSet {
	u64 *slot;    /* number + 1; 0: empty */
	u64 slots, n; /* a power of two, or 0; how many are in it */
	u64 *lent;    /* the caller's first slots, or NULL */
} HashSet;

/* An empty set that needs no memory of its own while it has at most `slots` / 2 numbers: slots is a power of
 * two and they are zeros. ({0} is an empty set, too.) */
static inline HashSet hash_set_lent(u64 *lent, u64 slots)
{
	return (HashSet){.slot = lent, .slots = slots, .lent = lent};
}

void hash_set_grow(HashSet *s);
static inline void hash_set_free(HashSet *s)
{
	if (s->slot != s->lent)
		free(s->slot);
}

/* Add a number; false: it was there. */
static inline bool hash_set_add(HashSet *s, u64 x)
{
	if (s->n * 2 >= s->slots)
		hash_set_grow(s);
	u64 h = (x + 1) * 0x9E3779B97F4A7C15u >> 20 & (s->slots - 1);
	for (; s->slot[h]; h = (h + 1) & (s->slots - 1))
		if (s->slot[h] == x + 1)
			return false;
	s->slot[h] = x + 1;
	s->n++;
	return true;
}

/* ---- elements of the caller ---- */

typedef struct HashIndex {
	u64 *slot;     /* upper half of the hash, number + 1; 0: empty */
	u32 slots, n;
} HashIndex;

void hash_index_grow(HashIndex *x);
static inline void hash_index_free(HashIndex *x) { free(x->slot); }

/* The numbers with a hash, one by one: for (u32 at = 0, i; hash_index_next(x, hash, &at, &i);) */
static inline bool hash_index_next(const HashIndex *x, u64 hash, u32 *at, u32 *number)
{
	for (u32 h = (u32)(hash >> 32); x->slots; (*at)++) {
		u64 slot = x->slot[(h + *at) & (x->slots - 1)];
		if (!slot)
			return false;
		if ((u32)(slot >> 32) != h)
			continue;
		*number = (u32)slot - 1;
		(*at)++;
		return true;
	}
	return false;
}

/* Add a number, which is not there yet. */
static inline void hash_index_add(HashIndex *x, u64 hash, u32 number)
{
	if (x->n * 2 >= x->slots)
		hash_index_grow(x);
	u32 h = (u32)(hash >> 32);
	u32 at = h & (x->slots - 1);
	while (x->slot[at])
		at = (at + 1) & (x->slots - 1);
	x->slot[at] = (u64)h << 32 | (number + 1);
	x->n++;
}

#endif
