/* One component of an element of a buffer: its bits, its value as text, distances of floats. */
#ifndef WAVESIM_ELEMENT_H
#define WAVESIM_ELEMENT_H

#include "traces/launch/launch.h"

u64 element_bits(const u8 *p, u32 bytes);
const char *element_text(Arena *arena, const ElemShape *s, u64 bits);
/* The shape to compare a buffer of so many bytes by: its own, or bytes where that does not fit. */
ElemShape element_shape(const LaunchArg *arg, u64 size);

/* n elements of two buffers, bit for bit; a NaN equals every other NaN, and floats may lie some way apart. */
typedef struct ElementCompare {
	ElemShape shape;
	const u8 *a, *b;
	u64 n;
	const u8 *before; /* elements of a that are the same here do not count; NULL: all count */
	double ulps[3];   /* that are allowed: of halfs, floats, doubles */
	bool flush_f32;   /* subnormal floats equal each other */
	void (*differs)(void *ctx, u64 index, u32 component, u64 x, u64 y); /* the first component that does */
	void *ctx;
	/* found */
	u64 different, within; /* elements; within: different bits, but allowed */
	bool has_ulp;
	double max_ulp;
} ElementCompare;
void element_compare(ElementCompare *c);

#endif
