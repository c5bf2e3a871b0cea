/* Who wrote an element of a pair's results (private to engine/pair_*.c). */
#ifndef WAVESIM_ENGINE_PAIR_WRITERS_H
#define WAVESIM_ENGINE_PAIR_WRITERS_H

#include "engine/pair.h"

/* Which work-item wrote these bytes of an argument last, and what it had read. */
typedef struct WriterQuestion {
	u32 arg;
	u64 offset, bytes;
	CompareWriter *answer;
} WriterQuestion;
void pair_find_writers(Pair *p, u32 side, WriterQuestion *q, u32 n);

#endif
