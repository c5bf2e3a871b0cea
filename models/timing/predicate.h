/* Short branches whose sides a compiler leaves in one piece of code, each instruction under a predicate: NVIDIA's. */
#ifndef WAVESIM_PREDICATE_H
#define WAVESIM_PREDICATE_H

#include "isa/isa.h"
#include "models/device/device.h"

#define NO_PREDICATE UINT32_MAX

typedef struct Predicates {
	u32 *head; /* per block: the one that its code is part of; itself where that is none */
	u32 *next; /* per block: the next one whose code is part of the same, or NO_BLOCK */
	u32 *by;   /* per instruction: the register that it waits for, besides what it reads; or NO_PREDICATE */
} Predicates;

Predicates predicates_find(const Device *dev, const Program *p, Arena *a);
/* Is there no branch at the end of the block, but predicates? */
static inline bool predicates_end(const Predicates *x, u32 block) { return x->next[block] != NO_BLOCK; }

#endif
