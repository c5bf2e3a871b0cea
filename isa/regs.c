/* Slots: which vector registers live in the same place.
 *
 * Two registers may share a slot when neither is written while the other is needed:
 * a write to every lane must not reach a lane that needs the other, even one that
 * waits (RegLive.any); a mov, or any operation of a `masked` block, writes active
 * lanes only and must not reach an active lane that needs it (RegLive.own). live.c computes
 * both.
 *
 * First the copies that phis left behind are coalesced, innermost loops first: source
 * and destination get one slot when that is allowed, and the mov disappears. So a
 * loop variable and its next value share a slot unless lanes still need the old one.
 * Then slots are given first-fit in the order of first need. Slots of one function are
 * never those of another: a callee runs while its caller's registers are in use. */
#include "isa/regs.h"

typedef struct Slots {
	Program *p;
	RegLive *live;
	u32 *root;            /* union-find of coalesced registers */
	ARRAY(RegLive) slot;  /* what a slot of the current type and function holds */
} Slots;

static u32 regs_root(Slots *s, u32 r)
{
	while (s->root[r] != r)
		r = s->root[r] = s->root[s->root[r]];
	return r;
}

static bool regs_conflict(const RegLive *a, const RegLive *b)
{
	return spans_meet(&a->any, &b->all) || spans_meet(&a->own, &b->some) ||
	       spans_meet(&b->any, &a->all) || spans_meet(&b->own, &a->some);
}

/* ---- sorted insertion; what comes is mostly later than what is there ---- */

static void regs_add_span(Spans *s, Span x)
{
	u32 i = s->n, k;
	while (i > 0 && s->v[i - 1].b + 1 >= x.a)
		i--;
	for (k = i; k < s->n && s->v[k].a <= x.b + 1; k++) {
		x.a = s->v[k].a < x.a ? s->v[k].a : x.a;
		x.b = s->v[k].b > x.b ? s->v[k].b : x.b;
	}
	if (k == i) {
		array_reserve(s, 1);
		memmove(s->v + i + 1, s->v + i, (s->n - i) * sizeof *s->v);
		s->n++;
	} else {
		memmove(s->v + i + 1, s->v + k, (s->n - k) * sizeof *s->v);
		s->n -= k - i - 1;
	}
	s->v[i] = x;
}

static void regs_add_point(Points *p, u32 x)
{
	u32 i = p->n;
	array_reserve(p, 1);
	for (; i > 0 && p->v[i - 1] > x; i--)
		p->v[i] = p->v[i - 1];
	p->v[i] = x;
	p->n++;
}

static void regs_add(RegLive *to, const RegLive *from)
{
	for (u32 i = 0; i < from->own.n; i++)
		regs_add_span(&to->own, from->own.v[i]);
	for (u32 i = 0; i < from->any.n; i++)
		regs_add_span(&to->any, from->any.v[i]);
	for (u32 i = 0; i < from->all.n; i++)
		regs_add_point(&to->all, from->all.v[i]);
	for (u32 i = 0; i < from->some.n; i++)
		regs_add_point(&to->some, from->some.v[i]);
}

/* ---- copies ---- */

static void regs_coalesce(Slots *s, u32 func, u32 depth)
{
	Program *p = s->p;
	const Func *f = &p->funcs.v[func];
	for (u32 b = f->first_block; b < f->first_block + f->nblocks; b++) {
		const Block *k = &p->blocks.v[b];
		for (u32 i = k->first; k->loop_depth == depth && i < k->first + k->n; i++) {
			const Ins *x = &p->ins.v[i];
			if (x->op != OP_mov)
				continue;
			u32 d = ins_dst(p, x)[0], a = ins_src(p, x)[0];
			if (p->regs.v[d].kind != REG_VECTOR || p->regs.v[a].kind != REG_VECTOR)
				continue;
			d = regs_root(s, d);
			a = regs_root(s, a);
			if (d == a || regs_conflict(&s->live[d], &s->live[a]))
				continue;
			s->root[a] = d;
			regs_add(&s->live[d], &s->live[a]);
			live_release(&s->live[a]);
		}
	}
}

/* ---- slots ---- */

typedef struct Wish {
	u32 first; /* position of the first need */
	u32 reg;
} Wish;

FIELD_ORDER(wish_order, Wish, first, reg)

static u32 regs_fit(Slots *s, const RegLive *x)
{
	u32 i = 0;
	while (i < s->slot.n && regs_conflict(&s->slot.v[i], x))
		i++;
	if (i == s->slot.n)
		array_push(&s->slot, ((RegLive){0}));
	regs_add(&s->slot.v[i], x);
	return i;
}

/* All registers of type t needed at positions from … to; returns the slots used. */
static u32 regs_give(Slots *s, Type t, u32 from, u32 to, u32 base)
{
	Program *p = s->p;
	ARRAY(Wish) wishes = {0};
	for (u32 r = 0; r < p->regs.n; r++) {
		const RegLive *x = &s->live[r];
		if (p->regs.v[r].type == t && s->root[r] == r && x->any.n && x->any.v[0].a >= from &&
		    x->any.v[0].a <= to)
			array_push(&wishes, ((Wish){x->any.v[0].a, r}));
	}
	array_sort(&wishes, wish_order);
	for (u32 i = 0; i < wishes.n; i++)
		p->regs.v[wishes.v[i].reg].slot = base + regs_fit(s, &s->live[wishes.v[i].reg]);
	u32 n = s->slot.n;
	for (u32 i = 0; i < n; i++)
		live_release(&s->slot.v[i]);
	s->slot.n = 0;
	array_free(&wishes);
	return n;
}

/* Coalesced registers become one. */
static void regs_rename(Slots *s)
{
	Program *p = s->p;
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *x = &p->ins.v[i];
		for (u32 k = 0; k < (u32)x->ndst + x->nsrc; k++) {
			u32 *r = &p->opnds.v[x->opnd + k], root = regs_root(s, *r);
			if (!p->regs.v[root].name)
				p->regs.v[root].name = p->regs.v[*r].name;
			*r = root;
		}
	}
	for (u32 f = 0; f < p->funcs.n; f++) {
		const Func *x = &p->funcs.v[f];
		for (u32 k = 0; k < x->nparams; k++)
			p->opnds.v[x->params + k] = regs_root(s, p->opnds.v[x->params + k]);
		for (u32 k = 0; k < x->nresults; k++)
			p->opnds.v[x->results + k] = regs_root(s, p->opnds.v[x->results + k]);
	}
}

static void regs_function(Slots *s, u32 func, u32 base[TYPE_COUNT])
{
	Program *p = s->p;
	const Func *f = &p->funcs.v[func];
	u32 depth = 0;
	if (!f->nblocks)
		return;
	const Block *first = &p->blocks.v[f->first_block], *last = first + f->nblocks - 1;
	for (const Block *b = first; b <= last; b++)
		depth = b->loop_depth > depth ? b->loop_depth : depth;
	for (u32 d = depth + 1; d-- > 0;)
		regs_coalesce(s, func, d);
	for (u32 t = 0; t < TYPE_COUNT; t++)
		base[t] += regs_give(s, (Type)t, 2 * first->first, 2 * (last->first + last->n) - 1,
		                     base[t]);
}

void regs_run(Program *p, const RegVar *var)
{
	u32 base[TYPE_COUNT] = {0};
	clean_dead(p);
	Slots s = {.p = p, .live = live_new(p, var)};
	s.root = xcalloc(p->regs.n + 1, sizeof *s.root);
	for (u32 r = 0; r < p->regs.n; r++)
		s.root[r] = r;
	for (u32 f = 0; f < p->funcs.n; f++)
		regs_function(&s, f, base);
	for (u32 r = 0; r < p->regs.n; r++) {
		if (p->regs.v[r].kind == REG_VECTOR && p->regs.v[r].slot == UINT32_MAX)
			p->regs.v[r].slot = 0; /* nothing uses it */
	}
	regs_rename(&s);
	for (u32 r = 0; r < p->regs.n; r++)
		live_release(&s.live[r]);
	free(s.live);
	free(s.root);
	array_free(&s.slot);
	clean_copies(p);
	clean_dead(p); /* conditions of branches that became jumps */
}
