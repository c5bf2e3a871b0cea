/* The fields of each record of a launch file, in order: one function writes and reads them.
 *
 * Integers take 7 bits a byte, the last byte without its top bit; texts and bytes follow their
 * length, elements their number. Lengths and numbers are checked against the bytes that are left, and what
 * is made of them against CAP_ROOM. */
#include "traces/capture/capture_impl.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

u32 cap_head_sum(const CapHead *h) { return (u32)XXH3_64bits(h, offsetof(CapHead, sum)); }

u64 cap_record_sum(const RecHead *h, const void *payload)
{
	return XXH3_64bits_withSeed(payload, h->stored, XXH3_64bits(h, offsetof(RecHead, sum)));
}

/* ---- values ---- */

static void code_u64(Codec *c, u64 *v)
{
	if (c->writing) {
		u8 bytes[10];
		u32 n = 0;
		for (u64 x = *v;; x >>= 7) {
			bytes[n++] = (u8)(x & 127) | (x > 127 ? 128 : 0);
			if (x < 128)
				break;
		}
		buf_write(c->out, bytes, n);
		return;
	}
	*v = 0;
	for (u32 shift = 0; shift < 64 && c->p < c->end; shift += 7) {
		u8 b = *c->p++;
		*v |= (u64)(b & 127) << shift;
		if (!(b & 128))
			return;
	}
	c->bad = true;
	*v = 0;
}

static void code_u32(Codec *c, u32 *v)
{
	u64 x = *v;
	code_u64(c, &x);
	c->bad |= x > UINT32_MAX;
	*v = (u32)x;
}

static void code_u8(Codec *c, u8 *v)
{
	u64 x = *v;
	code_u64(c, &x);
	c->bad |= x > UINT8_MAX;
	*v = (u8)x;
}

static void code_bool(Codec *c, bool *v)
{
	u8 x = *v;
	code_u8(c, &x);
	c->bad |= x > 1;
	*v = x == 1;
}

/* Memory for n elements of what is read, and a byte more; for none when the room does not do. */
static void *ask(Codec *c, u64 *n, size_t size)
{
	enum { ROUNDED = 16 };
	u64 room = *c->room < ROUNDED ? 0 : *c->room - ROUNDED;
	if (*n > room / size) {
		c->bad = true;
		*n = room = 0;
	}
	*c->room = room - *n * size;
	return arena_alloc(c->arena, *n * size + 1);
}

static void code_bytes(Codec *c, const u8 **v, u64 *n)
{
	code_u64(c, n);
	if (c->writing) {
		if (*n)
			buf_write(c->out, *v, *n);
		return;
	}
	if (c->bad || *n > (u64)(c->end - c->p)) {
		c->bad = true;
		*n = 0;
	}
	u8 *copy = ask(c, n, 1); /* texts end with a 0 */
	if (*n)
		memcpy(copy, c->p, *n);
	c->p += *n;
	*v = copy;
}

/* A text; NULL is one of its own. */
static void code_text(Codec *c, const char **v)
{
	bool there = *v != NULL;
	code_bool(c, &there);
	if (!there) {
		*v = NULL;
		return;
	}
	const u8 *bytes = (const u8 *)*v;
	u64 n = c->writing ? strlen(*v) : 0;
	code_bytes(c, &bytes, &n);
	*v = (const char *)bytes;
	c->bad |= !c->writing && strlen(*v) != n;
}

/* A list: its length, and when reading, memory for it. Reading its elements ends at the first bad one. */
static void *code_list(Codec *c, void *v, u32 *n, size_t size)
{
	code_u32(c, n);
	if (c->writing)
		return v;
	if (c->bad || *n > (u64)(c->end - c->p)) { /* each element has a byte at least */
		c->bad = true;
		*n = 0;
	}
	u64 all = *n;
	v = ask(c, &all, size);
	*n = (u32)all;
	return v;
}

/* ---- records ---- */

void code_host(Codec *c, CapHost *h)
{
	code_text(c, &h->command);
	code_text(c, &h->folder);
}

void code_device(Codec *c, CapDevice *d)
{
	code_text(c, &d->name);
	code_text(c, &d->vendor);
	code_text(c, &d->version);
	code_text(c, &d->driver);
	code_text(c, &d->platform);
	code_u64(c, &d->type);
	code_u32(c, &d->units);
}

static void code_unit(Codec *c, SrcUnit *u)
{
	code_text(c, &u->source);
	code_text(c, &u->options);
	u->includes = code_list(c, u->includes, &u->nincludes, sizeof *u->includes);
	for (u32 i = 0; i < u->nincludes && !c->bad; i++) {
		code_text(c, &u->includes[i].name);
		code_text(c, &u->includes[i].text);
		c->bad |= !c->writing && (!u->includes[i].name || !u->includes[i].text ||
		                          !source_safe_name(u->includes[i].name));
	}
	c->bad |= !c->writing && !u->source;
}

void code_program(Codec *c, SrcProgram *p)
{
	code_text(c, &p->options);
	p->units = code_list(c, p->units, &p->nunits, sizeof *p->units);
	for (u32 i = 0; i < p->nunits && !c->bad; i++)
		code_unit(c, &p->units[i]);
	code_bool(c, &p->linked);
	code_bytes(c, &p->binary, &p->nbinary);
	code_text(c, &p->missing);
}

static void code_object(Codec *c, CapObject *o)
{
	code_u8(c, &o->kind);
	code_u64(c, &o->size);
	code_u64(c, &o->base);
	code_u64(c, &o->flags);
	code_u32(c, &o->before);
	code_u32(c, &o->after);
	c->bad |= o->kind > CAP_IMAGE;
	if (o->kind != CAP_IMAGE)
		return;
	code_u32(c, &o->image_type);
	code_u32(c, &o->order);
	code_u32(c, &o->type);
	for (u32 i = 0; i < 3; i++)
		code_u64(c, &o->extent[i]);
}

static void code_arg(Codec *c, CapArg *a)
{
	code_u8(c, &a->kind);
	c->bad |= a->kind > CAP_UNSET;
	if (a->kind == CAP_BYTES) {
		code_bytes(c, &a->bytes, &a->size);
		code_u32(c, &a->object);
		if (a->object) {
			code_u64(c, &a->at);
			code_u64(c, &a->length);
		}
	} else if (a->kind == CAP_NOTHING) {
		code_u64(c, &a->size);
	} else if (a->kind == CAP_SAMPLER) {
		code_u32(c, &a->addressing);
		code_u32(c, &a->filter);
		code_bool(c, &a->normalized);
	}
}

void code_launch(Codec *c, CapLaunch *l)
{
	code_u64(c, &l->number);
	code_u8(c, &l->state);
	code_text(c, &l->why);
	code_u32(c, &l->program);
	code_u32(c, &l->device);
	code_text(c, &l->kernel);
	code_u32(c, &l->dims);
	for (u32 i = 0; i < 3; i++) {
		code_u64(c, &l->global[i]);
		code_u64(c, &l->local[i]);
		code_u64(c, &l->offset[i]);
	}
	code_bool(c, &l->local_chosen);
	code_u32(c, &l->context);
	code_u32(c, &l->queue);
	code_u32(c, &l->thread);
	code_u64(c, &l->queued);
	code_u64(c, &l->submitted);
	code_u64(c, &l->started);
	code_u64(c, &l->ended);
	l->objects = code_list(c, l->objects, &l->nobjects, sizeof *l->objects);
	for (u32 i = 0; i < l->nobjects && !c->bad; i++)
		code_object(c, &l->objects[i]);
	l->args = code_list(c, l->args, &l->nargs, sizeof *l->args);
	for (u32 i = 0; i < l->nargs && !c->bad; i++)
		code_arg(c, &l->args[i]);
}

void code_content(Codec *c, CapContent *t)
{
	code_u64(c, &t->size);
	t->chunks = code_list(c, t->chunks, &t->nchunks, sizeof *t->chunks);
	for (u32 i = 0; i < t->nchunks && !c->bad; i++)
		code_u32(c, &t->chunks[i]);
}
