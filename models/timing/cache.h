/* A cache: sets of lines, the least recently used one leaves. Each line knows when its bytes
 * arrive, so that an access to a line under way waits for it. */
#ifndef WAVESIM_CACHE_H
#define WAVESIM_CACHE_H

#include "base/base.h"

/* Of two times. */
static inline double later(double a, double b) { return a > b ? a : b; }

typedef struct CacheLine {
	u64 tag; /* line number + 1; 0: empty */
	u8 has;   /* mask: parts of the line that are there */
	u8 dirty; /* mask: parts that were written, so that they go to the next level when the line leaves */
	double ready;
} CacheLine;

typedef struct Cache {
	u32 sets, ways;
	u128 inverse; /* of sets */
	bool folded;
	CacheLine *line; /* [set][way], last used first */
} Cache;

/* A cache of so many bytes; none when that is 0. folded: upper bits of a line's number count for its set, too, so that
 * lines a power of two apart spread over the sets. */
static inline Cache cache_new(Arena *a, u64 bytes, u32 line_bytes, u32 ways, bool folded)
{
	u64 lines = bytes / line_bytes;
	Cache c = {.folded = folded, .ways = lines && lines < ways ? (u32)lines : ways};
	c.sets = lines ? (u32)((lines + c.ways - 1) / c.ways) : 0;
	c.inverse = c.sets ? ~(u128)0 / c.sets + 1 : 0;
	c.line = ARENA_ARRAY(a, CacheLine, (size_t)c.sets * c.ways);
	return c;
}

/* number % c->sets, without the division, which takes longer than all else here (Lemire, Kaser and Kurz, "Faster
 * remainder by direct computation", 2019). With one set the inverse is 0, and so is the remainder. */
static inline u64 cache_remainder(const Cache *c, u64 number)
{
	u128 part = c->inverse * number;
	return (u64)(((part >> 64) * c->sets + ((u128)(u64)part * c->sets >> 64)) >> 64);
}

/* Where its set begins. */
static inline CacheLine *cache_set(const Cache *c, u64 line)
{
	u64 number = c->folded ? line ^ line >> 7 ^ line >> 13 ^ line >> 19 : line;
	return c->line + (size_t)cache_remainder(c, number) * c->ways;
}

/* The line, moved to the front of its set, or NULL. */
static inline CacheLine *cache_find(Cache *c, u64 line)
{
	if (!c->sets)
		return NULL;
	CacheLine *set = cache_set(c, line);
	for (u32 i = 0; i < c->ways; i++) {
		if (set[i].tag != line + 1)
			continue;
		CacheLine hit = set[i];
		memmove(set + 1, set, i * sizeof *set);
		set[0] = hit;
		return set;
	}
	return NULL;
}

/* Parts of a line come, the line itself when it is not there. */
static inline void cache_bring(Cache *c, u64 line, u8 parts, double ready)
{
	if (!c->sets)
		return;
	CacheLine *set = cache_find(c, line);
	if (set) {
		set->has |= parts;
		set->ready = ready > set->ready ? ready : set->ready;
		return;
	}
	set = cache_set(c, line);
	memmove(set + 1, set, (c->ways - 1) * sizeof *set);
	set[0] = (CacheLine){.tag = line + 1, .has = parts, .ready = ready};
}

/* Parts of the line that was used last are written. True: they were not before. */
static inline bool cache_dirty(Cache *c, u64 line, u8 parts)
{
	if (!c->sets)
		return true;
	CacheLine *set = cache_set(c, line);
	bool first = (set->dirty & parts) != parts;
	set->dirty |= parts;
	return first;
}

#endif
