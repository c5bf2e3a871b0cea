/* A hash table from keys to pointers. Never iterated, so that no address decides an order. */
#ifndef WAVESIM_BASE_MAP_H
#define WAVESIM_BASE_MAP_H

#include "base/base.h"

typedef struct Map Map;
Map *map_new(Arena *a);
/* Where the value of a key (not 0) is kept; NULL there before. Valid until the next call. */
void **map_slot(Map *m, u64 key);
void *map_get(const Map *m, u64 key);

/* By address. */
static inline void **ptrmap_slot(Map *m, const void *key) { return map_slot(m, (u64)(uintptr_t)key); }
static inline void *ptrmap_get(const Map *m, const void *key) { return map_get(m, (u64)(uintptr_t)key); }

#endif
