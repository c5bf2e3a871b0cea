/* One component of an element of a buffer: its bits, its value as text, distances of floats. */
#ifndef WAVESIM_ELEMENT_H
#define WAVESIM_ELEMENT_H

#include "traces/launch/launch.h"

const char *element_text(Arena *arena, const ElemShape *s, u64 bits);
/* The shape to compare a buffer by: its own, that of the floats which the kernel stores in bytes, or bytes where that
 * is not known. Of structs with floats, one component is a byte. */
ElemShape element_shape(const LaunchArg *arg, const KernelArg *k);
/* One shape for two buffers that are compared: theirs, or bytes where they differ. */
ElemShape element_shape_of_both(ElemShape a, ElemShape b);
/* Elements in so many bytes; the last one may be cut off. */
u64 element_count(const ElemShape *s, u64 bytes);

/* Elements of this size: the first from `at`, at a multiple of it, that may differ, or the last. What is equal is left
 * out in blocks; a block is looked at once. */
u64 element_next(const u8 *a, const u8 *b, u64 at, u64 size, u32 stride);

/* Memory that both sides have, each at an address of its own. */
typedef struct ElementPointee {
	u64 address, bytes; /* as a sees it */
	u64 other;          /* as b does; 0: not known yet */
	bool packed;        /* it is a variable of the program: b has it right behind another */
	bool scattered; /* b has it in many places, as each thread its own local memory: any address there will do */
} ElementPointee;

/* The same buffer of runs whose built-in functions err as far as they may, and where they are open (repeat.c). What a
 * component moves in these, so many times, it may be off; where it is open, anything. */
enum { MOST_SHAKEN = 3 };
typedef struct ElementShaken {
	const u8 *plain, *moved[MOST_SHAKEN], *open; /* open: or NULL */
	double times;
} ElementShaken;

/* The elements of two buffers, bit for bit; a NaN equals every other NaN, and floats may lie some way apart. */
typedef struct ElementCompare {
	ElemShape shape;
	const u8 *floats; /* KernelArg.floats */
	const u8 *a, *b;
	u64 size;         /* bytes of each */
	u32 front;        /* bytes of the memory in front of a and b, which are compared apart: a pipe's */
	const u8 *before; /* elements of a that are the same here do not count; NULL: all count */
	double ulps[3];   /* that are allowed: of halfs, floats, doubles */
	double most;      /* so far apart they may be, too */
	const ElementShaken *shaken; /* or so far; NULL */
	bool flush_f32;   /* subnormal floats equal each other */
	ElementPointee *pointees; /* words that point into these are the same where they point as far */
	u32 npointees;
	/* The first component that differs, which is of that class and size; or NULL. */
	void (*differs)(void *ctx, u64 index, u32 component, const ElemShape *s, u64 x, u64 y);
	void *ctx;
	/* found */
	u64 different, within,
	    open;     /* elements; within: different bits, but allowed; open: allowed only as they are open */
	u64 pointers; /* words that are equal only as pointers */
	u64 pointers_to; /* the byte behind the last of them */
	bool has_ulp;
	double max_ulp;
} ElementCompare;
void element_compare(ElementCompare *c);
/* Elements that are open, whether they differ or not. */
u64 element_open(const ElementCompare *c);
/* Elements that errors move far in one of the runs and hardly in another: tests of values went another way. */
u64 element_unsteady(const ElementCompare *c);
/* The largest size of a number that b holds. */
double element_largest(const ElementCompare *c);

#endif
