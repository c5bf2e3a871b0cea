/* A hash table from keys to pointers: see map.h. */
#include "base/map.h"

typedef struct MapEntry {
	u64 key;
	void *value;
} MapEntry;

struct Map {
	Arena *arena;
	MapEntry *v;
	u32 n, cap; /* cap is a power of two */
};

Map *map_new(Arena *a)
{
	Map *m = ARENA_NEW(a, Map);

	m->arena = a;
	m->cap = 64;
	m->v = ARENA_ARRAY(a, MapEntry, m->cap);
	return m;
}

static MapEntry *map_find(MapEntry *v, u32 cap, u64 key)
{
	u64 h = key * 0x9E3779B97F4A7C15ull;
	u32 i = (u32)(h >> 32) & (cap - 1);

	while (v[i].key && v[i].key != key)
		i = (i + 1) & (cap - 1);
	return &v[i];
}

static void map_grow(Map *m)
{
	u32 cap = m->cap * 2;
	MapEntry *v = ARENA_ARRAY(m->arena, MapEntry, cap);

	for (u32 i = 0; i < m->cap; i++) {
		if (m->v[i].key)
			*map_find(v, cap, m->v[i].key) = m->v[i];
	}
	m->v = v;
	m->cap = cap;
}

void **map_slot(Map *m, u64 key)
{
	MapEntry *e = map_find(m->v, m->cap, key);

	if (!e->key) {
		if (m->n * 2 >= m->cap) {
			map_grow(m);
			e = map_find(m->v, m->cap, key);
		}
		e->key = key;
		m->n++;
	}
	return &e->value;
}

void *map_get(const Map *m, u64 key)
{
	return map_find(m->v, m->cap, key)->value;
}
