/* The shape of one wave access: where its lanes lie relative to the first active
 * one. Kernels repeat few shapes many times, and the bank cycles, the cache lines
 * and the fastest way to move the bytes depend on the shape alone (and on where
 * it starts within a dword or a line). So each row of addresses remembers a few
 * shapes; recognising one costs a comparison of the row, and nothing where an access
 * before it in the block had the same row (Access.again). What is counted of a shape
 * is remembered by each memory instruction (PatternUse). */
#ifndef WAVESIM_PATTERN_H
#define WAVESIM_PATTERN_H

#include "sim/wave.h"

typedef enum {
	SHAPE_ANY,
	SHAPE_SAME,   /* every active lane at one address */
	SHAPE_RUN,    /* lane l at first + l * bytes */
	SHAPE_WINDOW, /* 4-byte elements within WINDOW dwords: a permutation of one window */
} PatternShape;

enum { WINDOW = 64, PATTERNS = 8 }; /* dwords; shapes remembered of each row */

/* Lanes whose bytes follow each other without a gap. */
typedef struct PatternPiece {
	i64 offset; /* where they begin, from the first active lane */
	u64 bytes;
} PatternPiece;
enum { MOST_PIECES = 16 };

struct Pattern {
	Mask mask;
	u8 way;        /* which of PATTERNS it is */
	u8 shape;      /* PatternShape */
	bool solid;    /* the active lanes are consecutive */
	u32 first, last; /* active lanes */
	i64 low, high; /* of the offsets of active lanes; high is the last byte + 1 */
	u64 bits;      /* set in any of these offsets: its low ones give the alignment */
	u32 window[MAX_WAVE]; /* of SHAPE_WINDOW: dword of each lane from low */
	PatternPiece piece[MOST_PIECES]; /* all that is accessed, npieces of them; of global memory */
	u32 npieces;   /* 0: more than there is room for */
	bool screened; /* check_screen.c has its units, or race_places.c its places */
	u64 serial;    /* another one for each shape */
	union {
		u32 o32[MAX_WAVE];
		u64 o64[MAX_WAVE];
	} offset; /* of each lane from the first active one */
};

struct PatternRow {
	u64 key[PATTERNS]; /* of its patterns; 0: there is none yet */
	u64 serial;        /* of the latest */
	Pattern *last;     /* the one that an access of wave had … */
	const Wave *wave;  /* … or NULL */
};

struct PatternUse {
	u64 counted;  /* Pattern.serial of which count, and what views.c keeps, hold for accesses that start at phase */
	u64 recorded; /* … of which shape is the number in Worker.shapes */
	u64 phase;    /* first address modulo 4 (LDS) or the line (global) */
	u32 shape;
	u64 times;    /* that count was met and not added up yet (observe_settle) */
	u64 asked;    /* bytes of all lanes */
	ViewCount count; /* of the machine that runs */
};

/* The shape of the active lanes' addresses in row (u64 when wide, else u32). */
Pattern *pattern_find(Wave *w, const Access *a, const u8 *row, bool wide);

static FORCE_INLINE Pattern *pattern_of(Wave *w, const Access *a, const u8 *row, const bool wide)
{
	PatternRow *r = &w->worker->rows[a->row];
	if (!a->again || r->wave != w) {
		r->last = pattern_find(w, a, row, wide);
		r->wave = w;
	}
	return r->last;
}

static inline PatternUse *pattern_use(const Wave *w, const Access *a, const Pattern *p)
{
	return &w->worker->uses[(size_t)a->index * PATTERNS + p->way];
}

static FORCE_INLINE u64 row_address(const u8 *row, u32 lane, const bool wide)
{
	return wide ? ((const u64 *)(const void *)row)[lane] : ((const u32 *)(const void *)row)[lane];
}

static inline i64 pattern_offset(const Pattern *p, u32 lane, const bool wide)
{
	return wide ? (i64)p->offset.o64[lane] : (i32)p->offset.o32[lane];
}

#endif
