/* A Program as bytes. What program_verify() checks is not checked here. */
#include "isa/pack.h"

#include "isa/text.h"

static void code_func(Codec *c, Func *f)
{
	CODE(c, f->name, f->first_block, f->nblocks, f->params, f->nparams, f->results, f->nresults, f->image);
}

static void code_block(Codec *c, Block *b)
{
	CODE(c, b->first, b->n, b->func, b->ipdom, b->weight, b->loop_depth, b->masked, b->name);
}

static void code_ins(Codec *c, Ins *i)
{
	enum { ALIGN_MOST = 32 }; /* 2^31 bytes, as LLVM says of a null pointer */
	CODE(c, i->op, i->space, i->aux, i->ndst, i->nsrc, i->ntgt, i->align, i->sync);
	CODE(c, i->opnd, i->loc, i->cases, i->origin, i->imm);
	codec_check(c, i->align <= ALIGN_MOST && i->sync <= SYNC_ORDERED);
}

static void code_reg(Codec *c, Reg *r)
{
	u64 low = (u64)r->value, high = (u64)(r->value >> 64);
	CODE(c, r->type, r->kind, r->slot, low, high, r->name);
	r->value = (u128)high << 64 | low;
}

static void code_reloc(Codec *c, Reloc *r) { CODE(c, r->offset, r->target, r->addend); }

static void code_object(Codec *c, Object *o)
{
	bool filled = o->data != NULL;
	u64 n = o->size;
	CODE(c, o->space, o->seg, o->size, o->align, o->row, o->loc, filled);
	if (filled)
		code_bytes(c, &o->data, &n);
	codec_check(c, !filled || n == o->size);
	codec_check(c, o->row <= o->size);
	CODE_LIST(c, Reloc, o->relocs, o->nrelocs, code_reloc);
	code_text(c, &o->name);
}

static void code_arg(Codec *c, KernelArg *a)
{
	CODE(c, a->name, a->type_name);
	a->kind = (ArgKind)code_enum(c, a->kind, ARG_KINDS);
	CODE(c, a->elem_class, a->elem_bytes, a->width, a->size, a->is_const, a->writes_image, a->image_dims,
	     a->seg);
	bool floats = a->floats != NULL;
	u64 n = a->size;
	code_bool(c, &floats);
	if (floats)
		code_bytes(c, &a->floats, &n);
	codec_check(c, !floats || n == a->size);
	for (u64 i = 0; floats && !c->bad && i < n; i++)
		codec_check(c, a->floats[i] == 0 || a->floats[i] == 2 || a->floats[i] == 4 || a->floats[i] == 8);
	codec_check(c, a->elem_bytes <= 8 && !(a->elem_bytes & (a->elem_bytes - 1)) && a->width <= 16 &&
	                   a->image_dims <= 3);
}

static void code_param(Codec *c, Param *p) { CODE(c, p->reg, p->arg, p->offset, p->by_address); }
static void code_place(Codec *c, SrcLoc *l) { CODE(c, l->file, l->line, l->col); }
static void code_live(Codec *c, LiveValue *v) { CODE(c, v->name, v->address, v->loc, v->vgprs); }

static void code_needed(Codec *c, const char **text)
{
	code_text(c, text);
	if (!*text) {
		codec_check(c, false);
		*text = "";
	}
}

/* Each element of an array, as far as they are good. */
#define CODE_EACH(c, array, code) \
	do { \
		code_array(c, array); \
		for (u32 i_ = 0; i_ < (array)->n && !(c)->bad; i_++) \
			code(c, &(array)->v[i_]); \
	} while (0)

void pack_program(Codec *c, Program *p)
{
	Arena *arena = c->arena;
	c->arena = p->arena;
	code_text(c, &p->kernel);
	CODE(c, p->reqd_local[0], p->reqd_local[1], p->reqd_local[2]);
	CODE_EACH(c, &p->funcs, code_func);
	CODE_EACH(c, &p->blocks, code_block);
	CODE_EACH(c, &p->ins, code_ins);
	CODE_EACH(c, &p->opnds, code_u32);
	CODE_EACH(c, &p->cases, code_i64);
	CODE_EACH(c, &p->regs, code_reg);
	CODE_EACH(c, &p->objects, code_object);
	CODE_EACH(c, &p->args, code_arg);
	CODE_EACH(c, &p->params, code_param);
	CODE_EACH(c, &p->formats, code_needed);
	CODE_EACH(c, &p->files, code_needed);
	CODE_EACH(c, &p->locs, code_place);
	CODE(c, p->peak_vgprs, p->peak_sgprs, p->peak_loc);
	CODE_EACH(c, &p->peak_live, code_live);
	CODE_EACH(c, &p->live_vgprs, code_u16);
	CODE_EACH(c, &p->origins, code_u32);
	c->arena = arena;
	codec_check(c, p->kernel && p->peak_loc < p->locs.n);
	for (u32 i = 0; !c->bad && i < p->objects.n; i++)
		codec_check(c, p->objects.v[i].loc < p->locs.n);
	for (u32 i = 0; i < p->peak_live.n; i++)
		codec_check(c, p->peak_live.v[i].loc < p->locs.n);
	for (u32 i = 0; i < p->origins.n; i++)
		codec_check(c, p->origins.v[i] < p->blocks.n || p->origins.v[i] == NO_BLOCK);
}
