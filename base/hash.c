/* Maps, and growing of hash sets; see hash.h. */
#include "base/hash.h"

enum { FIRST_SLOTS = 64 };

void hash_set_grow(HashSet *s)
{
	HashSet old = *s;
	*s = (HashSet){.slots = old.slots ? old.slots * 2 : FIRST_SLOTS};
	s->slot = xcalloc(s->slots, sizeof *s->slot);
	for (u64 i = 0; i < old.slots; i++)
		if (old.slot[i])
			hash_set_add(s, old.slot[i] - 1);
	hash_set_free(&old);
}

void hash_index_grow(HashIndex *x)
{
	HashIndex old = *x;
	*x = (HashIndex){.slots = old.slots ? old.slots * 2 : FIRST_SLOTS};
	x->slot = xcalloc(x->slots, sizeof *x->slot);
	for (u32 i = 0; i < old.slots; i++)
		if (old.slot[i])
			hash_index_add(x, old.slot[i], (u32)old.slot[i] - 1);
	hash_index_free(&old);
}

/* ---- maps ---- */

typedef struct MapEntry {
	u64 key;
	void *value;
} MapEntry;

struct Map {
	Arena *arena;
	MapEntry *v;
	u32 n, slots; /* slots: a power of two */
};

Map *map_new(Arena *a)
{
	Map *m = ARENA_NEW(a, Map);
	*m = (Map){.arena = a, .v = ARENA_ARRAY(a, MapEntry, FIRST_SLOTS), .slots = FIRST_SLOTS};
	return m;
}

static MapEntry *map_find(const Map *m, u64 key)
{
	u32 i = (u32)(key * 0x9E3779B97F4A7C15ull >> 32) & (m->slots - 1);
	while (m->v[i].key && m->v[i].key != key)
		i = (i + 1) & (m->slots - 1);
	return &m->v[i];
}

void **map_slot(Map *m, u64 key)
{
	MapEntry *e = map_find(m, key);
	if (!e->key && m->n++ * 2 >= m->slots) {
		Map old = *m;
		m->slots *= 2;
		m->v = ARENA_ARRAY(m->arena, MapEntry, m->slots);
		for (u32 i = 0; i < old.slots; i++)
			if (old.v[i].key)
				*map_find(m, old.v[i].key) = old.v[i];
		e = map_find(m, key);
	}
	e->key = key;
	return &e->value;
}

void *map_get(const Map *m, u64 key) { return map_find(m, key)->value; }
