/* What the kernel keeps in vector registers where it needs the most of them: the registers live
 * there, joined to values of the source. Elements of one variable become one entry with
 * their indices, "acc[0..3]"; registers without a variable are joined by the line that computes
 * them. */
#include "isa/regs.h"

typedef struct Held {
	RegVar var;   /* name NULL: loc is that of the computation */
	bool address;
	u32 vgprs;
} Held;
typedef ARRAY(Held) Helds;

u32 live_vgprs(const Program *p, u32 reg)
{
	const Reg *x = &p->regs.v[reg];
	if (x->kind != REG_VECTOR || x->type == T_b1)
		return 0;
	return type_bytes[x->type] > 4 ? type_bytes[x->type] / 4u : 1;
}

/* ---- which registers, and what they hold ---- */

/* At an even position an instruction reads: results that it may write early do not count yet. */
static bool is_result(const Program *p, u32 reg, u32 at)
{
	const Ins *x = &p->ins.v[at / 2];
	bool result = false;
	for (u32 i = 0; i < x->ndst; i++)
		result |= ins_dst(p, x)[i] == reg;
	for (u32 i = 0; i < x->nsrc; i++)
		result &= ins_src(p, x)[i] != reg;
	return result && !(at & 1);
}

/* Copies hold what they were made from, and what goes only into a variable is that variable's
 * next value. */
static void spread_names(const Program *p, RegVar *var)
{
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *x = &p->ins.v[i];
		if (x->op != OP_mov)
			continue;
		RegVar *d = &var[ins_dst(p, x)[0]], *s = &var[ins_src(p, x)[0]];
		if (!d->name)
			*d = *s;
		else if (!s->name)
			*s = *d;
	}
}

static void find_writers(const Program *p, u32 *writer)
{
	for (u32 i = 0; i < p->ins.n; i++)
		for (u32 k = 0; k < p->ins.v[i].ndst; k++)
			writer[ins_dst(p, &p->ins.v[i])[k]] = i + 1;
}

static void collect(const Program *p, const RegLive *live, const RegVar *given, u32 at, Helds *out)
{
	RegVar *var = xcalloc(p->regs.n + 1, sizeof *var);
	u32 *writer = xcalloc(p->regs.n + 1, sizeof *writer);
	memcpy(var, given, p->regs.n * sizeof *var);
	spread_names(p, var);
	find_writers(p, writer);
	for (u32 r = 0; r < p->regs.n; r++) {
		if (!live_vgprs(p, r) || !spans_have(&live[r].own, at) || is_result(p, r, at))
			continue;
		Held h = {.var = var[r], .vgprs = live_vgprs(p, r)};
		if (!h.var.name && writer[r]) {
			h.var.loc = p->ins.v[writer[r] - 1].loc;
			h.address = op_makes_address(p->ins.v[writer[r] - 1].op);
		}
		array_push(out, h);
	}
	free(var);
	free(writer);
}

/* ---- joining ---- */

static int compare_lines(const Program *p, u32 a, u32 b)
{
	const SrcLoc *x = &p->locs.v[a], *y = &p->locs.v[b];
	int c = ORDER(!a, !b); /* no line last */

	c = c ? c : ORDER(x->file, y->file);
	return c ? c : ORDER(x->line, y->line);
}

/* Is it the same entry of the list? */
static int compare_entries(const Program *p, const Held *a, const Held *b)
{
	int c = ORDER(!a->var.name, !b->var.name);
	c = c ? c : compare_lines(p, a->var.loc, b->var.loc);
	c = c ? c : ORDER(a->address, b->address);
	if (c || !a->var.name)
		return c;
	c = strcmp(a->var.name, b->var.name);
	return c ? c : ORDER(a->var.part, b->var.part);
}

static int by_entry(const void *x, const void *y, void *p)
{
	const Held *a = x, *b = y;
	int c = compare_entries(p, a, b);
	return c ? c : ORDER(a->var.index, b->var.index);
}

static int by_size(const void *x, const void *y, void *p)
{
	const LiveValue *a = x, *b = y;
	int c = ORDER(b->vgprs, a->vgprs);
	c = c ? c : ORDER(!a->name, !b->name);
	c = c ? c : compare_lines(p, a->loc, b->loc);
	c = c ? c : ORDER(a->address, b->address);
	return c || !a->name ? c : strcmp(a->name, b->name);
}

/* "acc[0..3,6]", "v.s01", or the name alone; h[0 … n) are sorted by index. */
static const char *entry_name(Program *p, const Held *h, u32 n)
{
	if (!h->var.name || h->var.part == PART_WHOLE)
		return h->var.name;
	Buf b = {0};
	bool lanes = h->var.part == PART_LANE;
	buf_printf(&b, "%s%s", h->var.name, lanes ? ".s" : "[");
	for (u32 i = 0, last; i < n; i++) {
		last = i;
		while (!lanes && last + 1 < n && h[last + 1].var.index <= h[last].var.index + 1)
			last++;
		if (lanes && (!i || h[i].var.index != h[i - 1].var.index))
			buf_printf(&b, "%x", h[i].var.index);
		else if (!lanes)
			buf_printf(&b, "%s%u", i ? "," : "", h[i].var.index);
		if (h[last].var.index > h[i].var.index)
			buf_printf(&b, "..%u", h[last].var.index);
		i = last;
	}
	buf_printf(&b, "%s", lanes ? "" : "]");
	return buf_keep(&b, p->arena);
}

/* What the function needs that is called there. */
static void add_call(Program *p, const Ins *x)
{
	u32 sum = 0;
	for (u32 i = 0; i < p->peak_live.n; i++)
		sum += p->peak_live.v[i].vgprs;
	if (!ins_calls(x) || sum >= p->peak_vgprs)
		return;
	LiveValue call = {.loc = x->loc, .vgprs = p->peak_vgprs - sum};
	call.name = arena_printf(p->arena, "%s()", p->funcs.v[ins_tgt(p, x)[0]].name);
	array_push(&p->peak_live, call);
}

void live_values(Program *p, const RegLive *live, const RegVar *var, u32 at)
{
	Helds held = {0};
	p->peak_live.n = 0;
	p->peak_loc = 0;
	if (!p->peak_vgprs || at / 2 >= p->ins.n)
		return;
	p->peak_loc = p->ins.v[at / 2].loc;
	collect(p, live, var, at, &held);
	if (held.n)
		qsort_r(held.v, held.n, sizeof *held.v, by_entry, p);
	for (u32 i = 0, to; i < held.n; i = to) {
		LiveValue x = {.loc = held.v[i].var.loc, .address = held.v[i].address};
		for (to = i; to < held.n && !compare_entries(p, &held.v[i], &held.v[to]); to++)
			x.vgprs += held.v[to].vgprs;
		x.name = entry_name(p, &held.v[i], to - i);
		array_push(&p->peak_live, x);
	}
	add_call(p, &p->ins.v[at / 2]);
	if (p->peak_live.n)
		qsort_r(p->peak_live.v, p->peak_live.n, sizeof *p->peak_live.v, by_size, p);
	array_free(&held);
}
