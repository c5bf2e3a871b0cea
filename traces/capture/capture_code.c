/* The fields of each record of a launch file, in order: one function writes and reads them (base/codec.h). What
 * is made of them is checked against CAP_ROOM. */
#include "traces/capture/capture_impl.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

u32 cap_head_sum(const CapHead *h) { return (u32)XXH3_64bits(h, offsetof(CapHead, sum)); }

u64 cap_record_sum(const RecHead *h, const void *payload)
{
	return XXH3_64bits_withSeed(payload, h->stored, XXH3_64bits(h, offsetof(RecHead, sum)));
}

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
