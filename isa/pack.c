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

static void code_field(Codec *c, ArgField *f)
{
	ElemShape *s = &f->shape;
	CODE(c, f->name, f->offset, s->elem_class, s->elem_bytes, s->width, s->stride);
	codec_check(c, f->name && s->elem_class <= ELEM_FLOAT && s->elem_bytes && s->elem_bytes <= 8 &&
	                   !(s->elem_bytes & (s->elem_bytes - 1)) && s->width &&
	                   (u64)s->width * s->elem_bytes <= s->stride);
}

static void code_arg(Codec *c, KernelArg *a)
{
	CODE(c, a->name, a->type_name);
	a->kind = (ArgKind)code_enum(c, a->kind, ARG_KINDS);
	CODE(c, a->elem_class, a->elem_bytes, a->width, a->size, a->is_const, a->is_restrict, a->writes,
	     a->image_dims, a->seg, a->stores_floats);
	codec_check(c, a->stores_floats <= 8 && !(a->stores_floats & (a->stores_floats - 1)));
	bool floats = a->floats != NULL;
	u64 n = a->size;
	code_bool(c, &floats);
	if (floats)
		code_bytes(c, &a->floats, &n);
	codec_check(c, !floats || n == a->size);
	for (u64 i = 0; floats && !c->bad && i < n; i++)
		codec_check(c, a->floats[i] == 0 || a->floats[i] == 2 || a->floats[i] == 4 || a->floats[i] == 8);
	CODE_LIST(c, ArgField, a->fields, a->nfields, code_field);
	for (u32 i = 0; !c->bad && i < a->nfields; i++)
		codec_check(c, (u64)a->fields[i].offset + a->fields[i].shape.stride <= a->size);
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

static void code_type(Codec *c, SymType *t)
{
	CODE(c, t->name, t->kind, t->bytes, t->base, t->n, t->first);
	codec_check(c, t->kind < SYM_KIND_COUNT);
}

static void code_member(Codec *c, SymMember *m) { CODE(c, m->name, m->type, m->offset); }
static void code_scope(Codec *c, SymScope *s) { CODE(c, s->function, s->parent, s->call); }
static void code_var(Codec *c, SymVar *v)
{
	code_needed(c, &v->name);
	CODE(c, v->type, v->scope, v->object, v->line, v->parameter);
}

/* Each element of an array, as far as they are good. */
#define CODE_EACH(c, array, code) \
	do { \
		code_array(c, array); \
		for (u32 i_ = 0; i_ < (array)->n && !(c)->bad; i_++) \
			code(c, &(array)->v[i_]); \
	} while (0)

/* What others point to is there; what lies within something else comes after it. */
static void check_symbols(Codec *c, const Program *p, const Symbols *s)
{
	codec_check(c, s->types.n && s->scopes.n && s->loc_scopes.n <= p->locs.n);
	for (u32 i = 0; !c->bad && i < s->types.n; i++) {
		const SymType *t = &s->types.v[i];
		codec_check(c, t->base < s->types.n);
		codec_check(c, t->kind != SYM_STRUCT || (u64)t->first + t->n <= s->members.n);
	}
	for (u32 i = 0; !c->bad && i < s->members.n; i++)
		codec_check(c, s->members.v[i].type < s->types.n);
	for (u32 i = 1; !c->bad && i < s->scopes.n; i++)
		codec_check(c, s->scopes.v[i].parent < i && s->scopes.v[i].call < p->locs.n);
	for (u32 i = 0; !c->bad && i < s->vars.n; i++)
		codec_check(c, s->vars.v[i].type < s->types.n && s->vars.v[i].scope < s->scopes.n &&
		                   (s->vars.v[i].object < p->objects.n || s->vars.v[i].object == NO_OBJECT));
	for (u32 i = 0; !c->bad && i < s->loc_scopes.n; i++)
		codec_check(c, s->loc_scopes.v[i] < s->scopes.n);
}

static void pack_symbols(Codec *c, Program *p)
{
	bool there = p->symbols != NULL;
	code_bool(c, &there);
	if (!there || c->bad)
		return;
	if (!c->writing)
		p->symbols = xcalloc(1, sizeof *p->symbols);
	CODE_EACH(c, &p->symbols->types, code_type);
	CODE_EACH(c, &p->symbols->members, code_member);
	CODE_EACH(c, &p->symbols->scopes, code_scope);
	CODE_EACH(c, &p->symbols->vars, code_var);
	CODE_EACH(c, &p->symbols->loc_scopes, code_u32);
	check_symbols(c, p, p->symbols);
}

void pack_program(Codec *c, Program *p)
{
	Arena *arena = c->arena;
	c->arena = p->arena;
	code_text(c, &p->kernel);
	CODE(c, p->reqd_local[0], p->reqd_local[1], p->reqd_local[2], p->max_group, p->constant_args);
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
	pack_symbols(c, p);
	c->arena = arena;
	codec_check(c, p->kernel && p->peak_loc < p->locs.n);
	for (u32 i = 0; !c->bad && i < p->objects.n; i++)
		codec_check(c, p->objects.v[i].loc < p->locs.n);
	for (u32 i = 0; i < p->peak_live.n; i++)
		codec_check(c, p->peak_live.v[i].loc < p->locs.n);
	for (u32 i = 0; i < p->origins.n; i++)
		codec_check(c, p->origins.v[i] < p->blocks.n || p->origins.v[i] == NO_BLOCK);
}
