/* What the fuzz targets of the store share: reading it in one of the ways that there are. */
#ifndef WAVESIM_STORE_READ_H
#define WAVESIM_STORE_READ_H

#include "traces/store/store.h"

/* Which way, the input's bytes say; all of them would take several times as long. */
static inline u32 store_way(const uint8_t *data, size_t size, u32 ways)
{
	u32 h = 2166136261u;
	for (size_t i = 0; i < size; i++)
		h = (h ^ data[i]) * 16777619u;
	return (h >> 16) % ways;
}

static inline void store_read(Store *s, u32 way, Diag *d)
{
	Arena *a = arena_new();
	Buf out = {0};
	StorePoints points = {0};
	StoreSweeps sweeps = {0};
	switch (way) {
	case 0: store_check(s, d); break;
	case 1: store_summary(s, &out, d); break;
	case 2: store_points(s, NULL, NULL, a, &points, d); break;
	case 3: store_sweeps(s, a, &sweeps, d); break;
	case 4: store_export_json(s, &out, d); break;
	default: store_export_csv(s, &out, d); break;
	}
	array_free(&out);
	arena_free(a);
}
enum { STORE_WAYS = 6 };

#endif
