/* A binary heap of numbers: the smallest comes first. */
#ifndef WAVESIM_HEAP_H
#define WAVESIM_HEAP_H

#include "base/base.h"

typedef ARRAY(u64) Heap;

static inline void heap_put(Heap *h, u64 x)
{
	array_push(h, x);
	u32 i = h->n - 1;
	for (; i && h->v[(i - 1) / 2] > x; i = (i - 1) / 2)
		h->v[i] = h->v[(i - 1) / 2];
	h->v[i] = x;
}

static inline u64 heap_take(Heap *h)
{
	u64 top = h->v[0], x = h->v[--h->n];
	u32 i = 0;
	for (;;) {
		u32 l = 2 * i + 1;
		if (l + 1 < h->n && h->v[l + 1] < h->v[l])
			l++;
		if (l >= h->n || h->v[l] >= x)
			break;
		h->v[i] = h->v[l];
		i = l;
	}
	h->v[i] = x;
	return top;
}

#endif
