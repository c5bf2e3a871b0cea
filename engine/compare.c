/* Compare the machine's buffers with PoCL's, element by element.
 *
 * Bit for bit, because both run the same code; only a NaN equals every other NaN, in
 * buffers of floats. With another math library than PoCL's floats may lie as far apart as the OpenCL C
 * specification lets the built-in functions that the kernel calls (FeLimits). In structs
 * the floats are told by the debug info. Three-component vectors take the room of four, and the
 * fourth belongs to none. Pointers that the kernel stores are equal when they point as far into the same buffer, or the
 * same variable of the program, or both into local or private memory, which each has wherever it likes. */
#include "engine/element.h"
#include "engine/arguments.h"
#include "engine/printed.h"

/* The work-item of an element, when the buffer has one for each. */
static void find_item(RefElement *e, const Launch *l, u64 elements)
{
	u64 items = 1;
	for (u32 i = 0; i < 3; i++) {
		if (l->offset[i])
			return;
		items *= l->global[i];
	}
	if (elements != items)
		return;
	e->has_item = true;
	e->item[0] = e->index % l->global[0];
	e->item[1] = e->index / l->global[0] % l->global[1];
	e->item[2] = e->index / l->global[0] / l->global[1];
}

/* Of which buffer, for differing(). */
typedef struct RefCompare {
	RefBuffer *b;
	const Launch *l;
	Arena *arena;
} RefCompare;

static void differing(void *ctx, u64 index, u32 component, const ElemShape *s, u64 x, u64 y)
{
	const RefCompare *c = ctx;
	if (c->b->nfirst == REF_SHOWN)
		return;
	RefElement *e = &c->b->first[c->b->nfirst++];
	*e = (RefElement){.index = index, .component = component, .actual = element_text(c->arena, s, x),
	                  .expected = element_text(c->arena, s, y)};
	if (c->l)
		find_item(e, c->l, c->b->elements);
}

static u64 changed_elements(const ElemShape *s, const u8 *mine, const u8 *before, u64 size)
{
	u64 n = 0;
	for (u64 at = 0; at < size; at += s->stride) {
		at = element_next(mine, before, at, size, s->stride);
		n += memcmp(mine + at, before + at, size - at < s->stride ? size - at : s->stride) != 0;
	}
	return n;
}

Pointees compare_pointees(const Program *p, const Arguments *a, Arena *arena)
{
	static const u64 apertures[] = {APERTURE_LDS, APERTURE_PRIVATE};
	Pointees all = {.v = ARENA_ARRAY(arena, ElementPointee, a->nbuffers + p->objects.n + COUNT(apertures))};
	for (u32 i = 0; i < a->nbuffers; i++)
		all.v[all.n++] =
		    (ElementPointee){.address = a->addresses[i] ? a->addresses[i] : sim_buffer_address(p, i),
		                     .bytes = a->buffers[i].size};
	for (u32 i = 0; i < p->objects.n; i++) {
		const Object *o = &p->objects.v[i];
		if (o->space == SPACE_CONSTANT || o->space == SPACE_GLOBAL)
			all.v[all.n++] =
			    (ElementPointee){.address = (u64)o->seg << SEG_SHIFT, .bytes = o->size, .packed = true};
	}
	for (u32 i = 0; i < COUNT(apertures); i++)
		all.v[all.n++] = (ElementPointee){.address = apertures[i] + (1u << SEG32_SHIFT),
		                                  .bytes = UINT32_MAX - (1u << SEG32_SHIFT), .scattered = true};
	return all;
}

ElementCompare compare_of(const Program *p, const Launch *l, const Arguments *a, u32 i, Pointees into)
{
	ElemShape s = element_shape(&l->args[i], &p->args.v[i]);
	u32 front = arguments_front(&l->args[i]);
	/* Of a sample, elements that it did not change are not compared. */
	return (ElementCompare){.shape = s,
	                        .floats = s.elem_class == ELEM_OTHER ? p->args.v[i].floats : NULL,
	                        .a = (u8 *)a->data[i] + front,
	                        .b = (u8 *)a->result[i] + front,
	                        .size = a->size[i] - front,
	                        .front = front,
	                        .before = a->before ? a->before[i] + front : NULL,
	                        .pointees = into.v,
	                        .npointees = into.n};
}

/* Memory that only pointers in memory lead to: of what type it is nobody says. */
static ElementCompare compare_of_object(const Arguments *a, u32 i, Pointees into)
{
	u32 bytes = a->object_size[i] % 4 ? 1 : 4;
	ElemShape shape = {.elem_class = ELEM_UINT, .elem_bytes = (u8)bytes, .width = 1, .stride = bytes};
	return (ElementCompare){
	    .shape = shape, .a = a->objects[i].data, .b = a->objects[i].result, .size = a->object_size[i],
	    .pointees = into.v, .npointees = into.n};
}

/* Counts of a pipe: packets read, written, and how many there is room for. Nothing may round them. */
static ElementCompare compare_of_counts(const Arguments *a, u32 i)
{
	enum { COUNTS = 3 };
	ElemShape shape = {.elem_class = ELEM_UINT, .elem_bytes = sizeof(u64), .width = 1, .stride = sizeof(u64)};
	return (ElementCompare){.shape = shape, .a = a->data[i], .b = a->result[i], .size = COUNTS * sizeof(u64)};
}

/* name, type: of what is compared; l: it may have an element for each work-item, or NULL. */
static void compare_memory(Reference *ref, ElementCompare c, const char *name, const char *type, const Launch *l,
                           const Arguments *a, const FeLimits *limits, Arena *arena)
{
	RefBuffer *b = &ref->buffers[ref->nbuffers++];
	b->name = name;
	b->type = type;
	b->against = a->from == RESULT_RECORDED ? "the recorded run"
	             : ref->source == REF_FROM_native ? "the native run" : "PoCL";
	b->elements = element_count(&c.shape, c.size);
	b->width = c.shape.width;
	b->is_struct = c.floats != NULL;
	c.ulps[1] = limits->f32;
	c.ulps[2] = limits->f64;
	c.flush_f32 = limits->flush_f32;
	c.differs = differing;
	c.ctx = &(RefCompare){b, l, arena};
	element_compare(&c);
	b->mismatches = c.different;
	b->within = c.within;
	b->has_ulp = c.has_ulp;
	b->max_ulp = c.max_ulp;
	if (c.before)
		b->elements = changed_elements(&c.shape, c.a, c.before, c.size);
	ref->pointers += c.pointers;
	ref->checked += b->elements;
	ref->mismatches += b->mismatches;
	ref->within += b->within;
	if (b->has_ulp) {
		ref->has_ulp = true;
		ref->max_ulp = b->max_ulp > ref->max_ulp ? b->max_ulp : ref->max_ulp;
	}
}

static void compare_buffers(Reference *ref, const Program *p, const Launch *l, const Arguments *a,
                            const FeLimits *limits, Pointees into, Arena *arena)
{
	for (u32 i = 0; i < a->n; i++)
		if (a->result[i])
			compare_memory(ref, compare_of(p, l, a, i, into), l->kernel_args[i].name,
			               l->kernel_args[i].type_name, l->args[i].pipe ? NULL : l, a, limits, arena);
	for (u32 i = 0; i < a->n; i++)
		if (a->result[i] && l->args[i].pipe)
			compare_memory(ref, compare_of_counts(a, i),
			               arena_printf(arena, "%s: packets read, written, room", l->kernel_args[i].name),
			               "ulong", NULL, a, limits, arena);
	for (u32 i = 0; i < a->nobjects; i++) {
		const ArgObject *o = &a->objects[i];
		if (o->reached && o->result && !a->before)
			compare_memory(ref, compare_of_object(a, i, into), o->name, "unsigned int*", l, a, limits,
			               arena);
	}
}

/* What the launch itself says a buffer should hold. */
static void compare_expected(Reference *ref, const Launch *l, const Arguments *a, Arena *arena)
{
	for (u32 k = 0; k < l->expects.n; k++) {
		const LaunchExpect *e = &l->expects.v[k];
		if (!a->data[e->arg])
			continue;
		RefBuffer *b = &ref->buffers[ref->nbuffers++];
		b->name = l->kernel_args[e->arg].name;
		b->type = l->kernel_args[e->arg].type_name;
		b->against = "expected";
		b->width = e->shape.width;
		b->elements = e->shape.stride ? e->size / e->shape.stride : e->size;
		u64 first = 0;
		Buf why = {0};
		b->mismatches = launch_expect(l, e, a->data[e->arg], &first, &why);
		if (b->mismatches)
			b->note = why.n ? arena_strdup(arena, why.v) : NULL;
		array_free(&why);
	}
}

static void compare_printed(Reference *ref, const Program *p, const PoclOutcome *outcome, const Profile *profile,
                            const FeLimits *limits)
{
	if (!outcome || (!profile->printed.n && !outcome->output_size))
		return;
	/* PoCL says so itself where its printf lacks a format, as 3.1 lacks %zd. */
	ref->output_refused = outcome->output_size &&
	                      memmem(outcome->output, outcome->output_size, "printf format string error", 26);
	if (ref->output_refused)
		return;
	ref->output_checked = true;
	ref->output_differs =
	    !printed_same(profile->printed.v, profile->printed.n, outcome->output, outcome->output_size, p, limits,
	                  ref->source == REF_FROM_pocl);
}

void compare_results(Reference *ref, const Program *p, const Launch *l, const Arguments *a, const PoclOutcome *outcome,
                     const Profile *profile, const FeLimits *limits, Arena *arena)
{
	ref->buffers = ARENA_ARRAY(arena, RefBuffer, 2 * a->n + a->nobjects + l->expects.n);
	Pointees into = compare_pointees(p, a, arena);
	ref->limit_f32 = limits->f32;
	ref->limit_f64 = limits->f64;
	if (ref->status == REF_equal) {
		compare_buffers(ref, p, l, a, limits, into, arena);
		compare_printed(ref, p, outcome, profile, limits);
		if (ref->mismatches || ref->output_differs)
			ref->status = REF_different;
		else if (!ref->checked && !ref->output_checked)
			ref->status = REF_nothing;
	}
	compare_expected(ref, l, a, arena);
}
