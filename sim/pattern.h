/* The shape of one wave access: where its lanes lie relative to the first active
 * one. Kernels repeat few shapes many times, and the bank cycles, the cache lines
 * and the fastest way to move the bytes depend on the shape alone (and on where
 * it starts within a dword or a line). So each memory instruction remembers a few
 * shapes; recognising one costs a comparison of one row. */
#ifndef WAVESIM_PATTERN_H
#define WAVESIM_PATTERN_H

#include "sim/wave.h"

typedef enum {
	SHAPE_ANY,
	SHAPE_SAME,   /* every active lane at one address */
	SHAPE_RUN,    /* lane l at first + l * bytes */
	SHAPE_WINDOW, /* 4-byte elements within WINDOW dwords: a permutation of one window */
} PatternShape;

enum { WINDOW = 64, PATTERNS = 8 }; /* dwords; shapes remembered by each instruction */

struct Pattern {
	Mask mask;
	bool valid;
	u8 shape;      /* PatternShape */
	bool solid;    /* the active lanes are consecutive */
	u32 first, last; /* active lanes */
	i64 low, high; /* of the offsets of active lanes; high is the last byte + 1 */
	u64 bits;      /* set in any of these offsets: its low ones give the alignment */
	u32 window[MAX_WAVE]; /* of SHAPE_WINDOW: dword of each lane from low */
	bool counted;  /* the counts below, and those of views.c, hold for accesses that start at phase */
	bool screened; /* check_screen.c has its units, or race_places.c its places */
	bool has_shape; /* shape_number is its number in Worker.shapes */
	u32 shape_number;
	u64 phase;     /* first address modulo 4 (LDS) or the line (global) */
	ViewCount count; /* of the machine that runs */
	union {
		u32 o32[MAX_WAVE];
		u64 o64[MAX_WAVE];
	} offset; /* of each lane from the first active one */
};

/* The shape of the active lanes' addresses in row (u64 when wide, else u32). */
Pattern *pattern_of(Wave *w, const Access *a, const u8 *row, bool wide);

static FORCE_INLINE u64 row_address(const u8 *row, u32 lane, const bool wide)
{
	return wide ? ((const u64 *)(const void *)row)[lane] : ((const u32 *)(const void *)row)[lane];
}

static inline i64 pattern_offset(const Pattern *p, u32 lane, const bool wide)
{
	return wide ? (i64)p->offset.o64[lane] : (i32)p->offset.o32[lane];
}

#endif
