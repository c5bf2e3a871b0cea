/* Shapes of accesses, each kept once; the lifetime of a record. */
#include "isa/event.h"

#include "base/hash.h"
#include "base/reserve.h"

#include <sys/mman.h>

struct ShapeTable {
	Arena *arena;
	ARRAY(LaneShape) shapes;
	HashIndex index;
};

ShapeTable *shape_table_new(void)
{
	ShapeTable *t = xcalloc(1, sizeof *t);
	t->arena = arena_new();
	return t;
}

void shape_table_free(ShapeTable *t)
{
	if (!t)
		return;
	arena_free(t->arena);
	array_free(&t->shapes);
	hash_index_free(&t->index);
	free(t);
}

static u64 shape_hash(const LaneShape *s)
{
	u64 h = (u64)s->mask ^ (u64)(s->mask >> 64) * 3 ^ (u64)s->bytes << 32 ^
	        (u64)(s->lds | s->write << 1 | s->atomic << 2 | s->private << 3) << 40;
	for (u32 i = 0; i < s->lanes; i++)
		h = (h ^ (u64)s->offset[i]) * 0x9E3779B97F4A7C15u;
	return h;
}

static bool shape_equal(const LaneShape *a, const LaneShape *b)
{
	return a->mask == b->mask && a->bytes == b->bytes && a->lds == b->lds && a->write == b->write &&
	       a->atomic == b->atomic && a->private == b->private &&
	       !memcmp(a->offset, b->offset, a->lanes * sizeof *a->offset);
}

u32 shape_intern(ShapeTable *t, const LaneShape *s)
{
	u64 h = shape_hash(s);
	for (u32 at = 0, i; hash_index_next(&t->index, h, &at, &i);)
		if (shape_equal(&t->shapes.v[i], s))
			return i;
	LaneShape copy = *s;
	const i64 *offset = arena_copy(t->arena, s->offset, s->lanes * sizeof *offset);
	copy.offset = offset;
	copy.run = copy.one = true;
	for (u32 i = 0; i < s->lanes; i++) {
		copy.run &= offset[i] == (i64)i * s->bytes;
		copy.one &= !offset[i];
	}
	array_push(&t->shapes, copy);
	hash_index_add(&t->index, h, t->shapes.n - 1);
	return t->shapes.n - 1;
}

const LaneShape *shape_table(const ShapeTable *t) { return t->shapes.v; }
u32 shape_count(const ShapeTable *t) { return t->shapes.n; }

bool event_next(const WaveEvents *e, EventWord *w)
{
	u32 at = w->at + w->n;
	if (at >= e->n)
		return false;
	u32 word = e->words[at];
	*w = (EventWord){.at = at, .n = event_words(word), .word = word, .kind = EVENT_KIND(word)};
	if (w->kind == EVENT_BLOCK) {
		w->block = EVENT_BLOCK_OF(word);
		w->lanes = EVENT_LANES_OF(word);
	} else if (w->kind == EVENT_MASK) {
		w->shape = &e->shapes[EVENT_INS_OF(word)];
	} else {
		w->ins = EVENT_INS_OF(word);
	}
	if (w->kind == EVENT_ACCESS) {
		w->shape = &e->shapes[e->words[at + 1]];
		w->address = e->words[at + 2] | (u64)e->words[at + 3] << 32;
		w->kind = w->shape->private ? EVENT_PRIVATE : EVENT_ACCESS;
	}
	return true;
}

/* Blocks of large pages: touching small ones for the first time takes longer than recording. The first block is small,
 * as most records are. */
static void pool_grow(EventPool *p, u64 words)
{
	enum { SMALL = 1 << 16, PAGE = 1 << 21 };
	u64 size = words * sizeof(u32);
	size = !p->blocks.n && size <= SMALL ? SMALL : (size + PAGE - 1) & ~(u64)(PAGE - 1);
	while (!(p->next = aligned_alloc(size < PAGE ? SMALL : PAGE, size)))
		reserve_need(size);
	if (size >= PAGE)
		madvise(p->next, size, MADV_HUGEPAGE); /* where there are none, small ones do */
	p->left = size / sizeof(u32);
	array_push(&p->blocks, p->next);
}

u32 *event_pool_keep(EventPool *p, const u32 *words, u32 n)
{
	if (!n)
		return NULL;
	if (n > p->left)
		pool_grow(p, n);
	u32 *to = p->next;
	if (n)
		memcpy(to, words, n * sizeof *to);
	p->next += n;
	p->left -= n;
	return to;
}

void event_pool_join(EventPool *p, EventPool *other)
{
	for (u32 i = 0; i < other->blocks.n; i++)
		array_push(&p->blocks, other->blocks.v[i]);
	other->blocks.n = 0;
	other->left = p->left = 0;
}

void event_pool_free(EventPool *p)
{
	for (u32 i = 0; i < p->blocks.n; i++)
		free(p->blocks.v[i]);
	array_free(&p->blocks);
}

bool events_cut_off(const Events *e)
{
	for (u32 i = 0; i < e->waves.n; i++)
		if (e->waves.v[i].recorded < e->waves.v[i].instructions)
			return true;
	return false;
}

Events *events_new(void) { return xcalloc(1, sizeof(Events)); }

void events_free(Events *e)
{
	if (!e)
		return;
	event_pool_free(&e->pool);
	shape_table_free(e->shapes);
	array_free(&e->waves);
	free(e->swap_slots);
	free(e);
}
