/* Shapes of accesses, each kept once; the lifetime of a record. */
#include "isa/event.h"

struct ShapeTable {
	Arena *arena;
	ARRAY(LaneShape) shapes;
	u32 *slot, nslots; /* shape + 1 by hash; nslots is a power of two */
};

ShapeTable *shape_table_new(void)
{
	ShapeTable *t = xcalloc(1, sizeof *t);
	t->arena = arena_new();
	t->nslots = 256;
	t->slot = xcalloc(t->nslots, sizeof *t->slot);
	return t;
}

void shape_table_free(ShapeTable *t)
{
	if (!t)
		return;
	arena_free(t->arena);
	array_free(&t->shapes);
	free(t->slot);
	free(t);
}

static u32 shape_hash(const LaneShape *s)
{
	u64 h = (u64)s->mask ^ (u64)(s->mask >> 64) * 3 ^ (u64)s->bytes << 32 ^
	        (u64)(s->lds | s->write << 1 | s->atomic << 2) << 40;
	for (u32 i = 0; i < s->lanes; i++)
		h = (h ^ (u64)s->offset[i]) * 0x9E3779B97F4A7C15u;
	return (u32)(h >> 32);
}

static bool shape_equal(const LaneShape *a, const LaneShape *b)
{
	return a->mask == b->mask && a->bytes == b->bytes && a->lds == b->lds && a->write == b->write &&
	       a->atomic == b->atomic && !memcmp(a->offset, b->offset, a->lanes * sizeof *a->offset);
}

static void grow(ShapeTable *t)
{
	t->nslots *= 2;
	free(t->slot);
	t->slot = xcalloc(t->nslots, sizeof *t->slot);
	for (u32 i = 0; i < t->shapes.n; i++) {
		u32 h = shape_hash(&t->shapes.v[i]) & (t->nslots - 1);
		while (t->slot[h])
			h = (h + 1) & (t->nslots - 1);
		t->slot[h] = i + 1;
	}
}

u32 shape_intern(ShapeTable *t, const LaneShape *s)
{
	if (t->shapes.n * 2 >= t->nslots)
		grow(t);
	u32 h = shape_hash(s) & (t->nslots - 1);
	for (; t->slot[h]; h = (h + 1) & (t->nslots - 1))
		if (shape_equal(&t->shapes.v[t->slot[h] - 1], s))
			return t->slot[h] - 1;
	LaneShape copy = *s;
	i64 *offset = arena_alloc(t->arena, s->lanes * sizeof *offset);
	memcpy(offset, s->offset, s->lanes * sizeof *offset);
	copy.offset = offset;
	copy.run = true;
	for (u32 i = 0; i < s->lanes; i++)
		copy.run &= offset[i] == (i64)i * s->bytes;
	array_push(&t->shapes, copy);
	t->slot[h] = t->shapes.n;
	return t->shapes.n - 1;
}

const LaneShape *shape_table(const ShapeTable *t) { return t->shapes.v; }
u32 shape_count(const ShapeTable *t) { return t->shapes.n; }

Events *events_new(void) { return xcalloc(1, sizeof(Events)); }

void events_free(Events *e)
{
	if (!e)
		return;
	for (u32 i = 0; i < e->waves.n; i++)
		free(e->waves.v[i].words);
	shape_table_free(e->shapes);
	array_free(&e->waves);
	free(e);
}
