/* A Program as bytes. What program_verify() checks is not checked here. */
#include "isa/pack.h"

#include "isa/text.h"

static void code_func(Codec *c, Func *f)
{
	code_text(c, &f->name);
	CODE_U32S(c, &f->first_block, &f->nblocks, &f->params, &f->nparams, &f->results, &f->nresults);
}

static void code_block(Codec *c, Block *b)
{
	CODE_U32S(c, &b->first, &b->n, &b->func, &b->ipdom, &b->weight);
	code_u16(c, &b->loop_depth);
	code_bool(c, &b->masked);
	code_text(c, &b->name);
}

static void code_ins(Codec *c, Ins *i)
{
	enum { ALIGN_MOST = 31 };
	code_u16(c, &i->op);
	code_u8(c, &i->space);
	code_u8(c, &i->aux);
	code_u16(c, &i->ndst);
	code_u16(c, &i->nsrc);
	code_u16(c, &i->ntgt);
	code_u8(c, &i->align);
	CODE_U32S(c, &i->opnd, &i->loc, &i->cases, &i->origin);
	code_i64(c, &i->imm);
	codec_check(c, i->align <= ALIGN_MOST);
}

static void code_reg(Codec *c, Reg *r)
{
	u64 half[2] = {(u64)r->value, (u64)(r->value >> 64)};
	code_u8(c, &r->type);
	code_u8(c, &r->kind);
	code_u32(c, &r->slot);
	code_u64(c, &half[0]);
	code_u64(c, &half[1]);
	code_text(c, &r->name);
	r->value = (u128)half[1] << 64 | half[0];
}

static void code_object(Codec *c, Object *o)
{
	bool filled = o->data != NULL;
	u64 n = o->size;
	code_u8(c, &o->space);
	CODE_U32S(c, &o->seg, &o->size, &o->align, &o->row);
	code_bool(c, &filled);
	if (filled)
		code_bytes(c, &o->data, &n);
	codec_check(c, !filled || n == o->size);
	codec_check(c, o->row <= o->size);
	Reloc *relocs = code_list(c, (Reloc *)(uintptr_t)o->relocs, &o->nrelocs, sizeof *relocs);
	for (u32 i = 0; i < o->nrelocs && !c->bad; i++) {
		code_u32(c, &relocs[i].offset);
		code_u32(c, &relocs[i].target);
		code_i64(c, &relocs[i].addend);
	}
	o->relocs = relocs;
	code_text(c, &o->name);
}

static void code_arg(Codec *c, KernelArg *a)
{
	code_text(c, &a->name);
	code_text(c, &a->type_name);
	a->kind = (ArgKind)code_enum(c, a->kind, ARG_KINDS);
	code_u8(c, &a->elem_class);
	code_u8(c, &a->elem_bytes);
	code_u8(c, &a->width);
	code_u32(c, &a->size);
	code_bool(c, &a->is_const);
	code_bool(c, &a->writes_image);
	code_u8(c, &a->image_dims);
	codec_check(c, a->elem_bytes <= 8 && !(a->elem_bytes & (a->elem_bytes - 1)) && a->width <= 16 && a->image_dims <= 3);
}

static void code_param(Codec *c, Param *p)
{
	CODE_U32S(c, &p->reg, &p->arg, &p->offset);
	code_bool(c, &p->by_address);
}

static void code_place(Codec *c, SrcLoc *l)
{
	CODE_U32S(c, &l->file, &l->line, &l->col);
}

static void code_live(Codec *c, LiveValue *v)
{
	code_text(c, &v->name);
	code_bool(c, &v->address);
	code_u32(c, &v->loc);
	code_u32(c, &v->vgprs);
}

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
	for (u32 i = 0; i < COUNT(p->reqd_local); i++)
		code_u32(c, &p->reqd_local[i]);
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
	CODE_U32S(c, &p->peak_vgprs, &p->peak_sgprs, &p->peak_loc);
	CODE_EACH(c, &p->peak_live, code_live);
	CODE_EACH(c, &p->live_vgprs, code_u16);
	CODE_EACH(c, &p->origins, code_u32);
	c->arena = arena;
	codec_check(c, p->kernel && p->peak_loc < p->locs.n);
	for (u32 i = 0; i < p->peak_live.n; i++)
		codec_check(c, p->peak_live.v[i].loc < p->locs.n);
	for (u32 i = 0; i < p->origins.n; i++)
		codec_check(c, p->origins.v[i] < p->blocks.n || p->origins.v[i] == NO_BLOCK);
}
