/* The fields of each record of a launch file, in order: one function writes and reads them (base/codec.h). What
 * is made of them is checked against CODEC_ROOM. */
#include "traces/capture/capture_impl.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

u32 cap_head_sum(const CapHead *h) { return (u32)XXH3_64bits(h, offsetof(CapHead, sum)); }

u64 cap_record_sum(const RecHead *h, const void *payload)
{
	return XXH3_64bits_withSeed(payload, h->stored, XXH3_64bits(h, offsetof(RecHead, sum)));
}

void code_host(Codec *c, CapHost *h) { CODE(c, h->command, h->folder); }

void code_device(Codec *c, CapDevice *d)
{
	CODE(c, d->name, d->vendor, d->version, d->driver, d->platform, d->type, d->units);
}

static void code_object(Codec *c, CapObject *o)
{
	CODE(c, o->kind, o->size, o->base, o->flags, o->before, o->after);
	c->bad |= o->kind > CAP_IMAGE;
	if (o->kind == CAP_IMAGE)
		CODE(c, o->image_type, o->order, o->type, o->extent[0], o->extent[1], o->extent[2]);
}

static void code_arg(Codec *c, CapArg *a)
{
	code_u8(c, &a->kind);
	c->bad |= a->kind > CAP_UNSET;
	if (a->kind == CAP_BYTES) {
		code_bytes(c, &a->bytes, &a->size);
		code_u32(c, &a->object);
		if (a->object)
			CODE(c, a->at, a->length);
	} else if (a->kind == CAP_NOTHING) {
		code_u64(c, &a->size);
	} else if (a->kind == CAP_SAMPLER) {
		CODE(c, a->addressing, a->filter, a->normalized);
	}
}

void code_launch(Codec *c, CapLaunch *l)
{
	CODE(c, l->number, l->state, l->why, l->program, l->device, l->kernel, l->dims);
	for (u32 i = 0; i < 3; i++)
		CODE(c, l->global[i], l->local[i], l->offset[i]);
	CODE(c, l->local_chosen, l->context, l->queue, l->thread);
	CODE(c, l->queued, l->submitted, l->started, l->ended);
	CODE_LIST(c, CapObject, l->objects, l->nobjects, code_object);
	CODE_LIST(c, CapArg, l->args, l->nargs, code_arg);
}

void code_refused(Codec *c, CapRefused *r)
{
	CODE(c, r->kernel, r->dims, r->error, r->begun);
	for (u32 i = 0; i < 3; i++)
		CODE(c, r->global[i], r->local[i]);
	codec_check(c, r->kernel && r->dims <= 3 && r->error <= INT32_MAX);
}

void code_failed(Codec *c, CapFailed *f)
{
	CODE(c, f->call, f->about, f->error);
	codec_check(c, f->call && f->about && f->error <= INT32_MAX);
}

static void code_frame(Codec *c, CapFrame *f)
{
	CODE(c, f->file, f->address);
	codec_check(c, f->file != NULL);
}

void code_misuse(Codec *c, CapMisuse *m)
{
	CODE(c, m->number, m->class, m->count, m->text, m->other);
	codec_check(c, m->class < MISUSE_COUNT && m->text);
	CODE_LIST(c, CapFrame, m->place.frames, m->place.n, code_frame);
	CODE_LIST(c, CapFrame, m->other_place.frames, m->other_place.n, code_frame);
}

void code_content(Codec *c, CapContent *t)
{
	code_u64(c, &t->size);
	CODE_LIST(c, u32, t->chunks, t->nchunks, code_u32);
}
