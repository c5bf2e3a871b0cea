/* A hash table from pointers to pointers: LLVM's objects to what the lowering knows
 * about them. Never iterated, so that no address decides an order. */
#include "frontend/lower/lowering.h"

typedef struct PtrEntry {
	const void *key;
	void *value;
} PtrEntry;

struct PtrMap {
	Arena *arena;
	PtrEntry *v;
	u32 n, cap; /* cap is a power of two */
};

PtrMap *ptrmap_new(Arena *a)
{
	PtrMap *m = ARENA_NEW(a, PtrMap);

	m->arena = a;
	m->cap = 64;
	m->v = ARENA_ARRAY(a, PtrEntry, m->cap);
	return m;
}

static PtrEntry *ptrmap_find(PtrEntry *v, u32 cap, const void *key)
{
	u64 h = (u64)(uintptr_t)key * 0x9E3779B97F4A7C15ull;
	u32 i = (u32)(h >> 32) & (cap - 1);

	while (v[i].key && v[i].key != key)
		i = (i + 1) & (cap - 1);
	return &v[i];
}

static void ptrmap_grow(PtrMap *m)
{
	u32 cap = m->cap * 2;
	PtrEntry *v = ARENA_ARRAY(m->arena, PtrEntry, cap);

	for (u32 i = 0; i < m->cap; i++) {
		if (m->v[i].key)
			*ptrmap_find(v, cap, m->v[i].key) = m->v[i];
	}
	m->v = v;
	m->cap = cap;
}

void **ptrmap_slot(PtrMap *m, const void *key)
{
	PtrEntry *e = ptrmap_find(m->v, m->cap, key);

	if (!e->key) {
		if (m->n * 2 >= m->cap) {
			ptrmap_grow(m);
			e = ptrmap_find(m->v, m->cap, key);
		}
		e->key = key;
		m->n++;
	}
	return &e->value;
}

void *ptrmap_get(const PtrMap *m, const void *key)
{
	return ptrmap_find(m->v, m->cap, key)->value;
}
