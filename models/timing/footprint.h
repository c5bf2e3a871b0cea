/* What lanes of an access touch: lines, sectors of lines, addresses. Worked out once for each shape
 * (isa/event.h) and alignment. */
#ifndef WAVESIM_FOOTPRINT_H
#define WAVESIM_FOOTPRINT_H

#include "isa/event.h"
#include "models/device/device.h"

enum { MOST_SECTORS = 8 }; /* of a line; masks of them are a byte */
u32 footprint_sector(const Device *dev); /* bytes of one */

typedef struct CacheLinePart {
	i32 line;   /* relative to that of the first address */
	u8 sectors; /* mask: touched */
	u8 whole;   /* mask: every byte of them */
} CacheLinePart;

/* Addresses that an atomic unit of L2 works on at a time, and how often. */
typedef struct AtomicPart {
	i32 block;  /* of l2_atomic_bytes, relative to the line of the first address */
	u32 most_lanes; /* lanes on the address that most of them want */
} AtomicPart;

typedef struct Footprint {
	const LaneShape *shape;
	u32 phase; /* first address modulo the line */
	u32 each;  /* bytes of a lane */
	u32 nlines, natomics;
	CacheLinePart *line;
	AtomicPart *atomic; /* of an atomic */
	u32 dwords;         /* footprint_dwords; 0: nobody asked */
	u32 line_cycles;    /* to look its lines up (but for tags), and to read their banks */
	u32 ways;           /* of the cycles for its banks, those that conflicts cost */
	bool tags;          /* footprint_tag_cycles says how long it looks its lines up */
	u32 address_cycles;
	u32 bytes; /* asked for */
	struct Footprint *same_key, *before; /* those of the same key; all that are kept */
} Footprint;

typedef struct Footprints Footprints;
Footprints *footprints_new(const Device *dev, bool ideal_coalescing);
void footprints_free(Footprints *x);
/* Each lane's `each` bytes at its offset from the address: those of the shape, a part of them, or more. Valid until they
 * are forgotten. */
const Footprint *footprint(Footprints *x, const LaneShape *s, u64 address, u32 each);
/* The different dwords that its lanes begin in, one at least. */
u32 footprint_dwords(Footprints *x, const LaneShape *s, u64 address);
/* Forgets all of them where there are many, which bounds their memory: nobody may hold one. */
void footprints_forget(Footprints *x);
/* Cycles to look up its lines in banks of tags (Device.l1_tag_banks), at that address. */
u32 footprint_tag_cycles(const Device *dev, const Footprint *f, u64 address);
/* Would none of those asked for so far be another with ideal_coalescing? */
bool footprints_are_ideal(const Footprints *x);

#endif
