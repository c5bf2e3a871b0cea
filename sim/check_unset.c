/* Values that nothing was written to: see check_unset.h. */
#include "sim/unset.h"

#include "sim/check_race.h"

/* 2: LDS is accessed by dwords only; else 0. */
static u32 lds_shift(const Code *c)
{
	for (u32 i = 0; i < c->accesses.n; i++) {
		const Access *a = &c->accesses.v[i];
		if ((a->space == SPACE_LDS || a->space == SPACE_FLAT) &&
		    (!a->bytes || (a->bytes | a->align | a->elem_bytes) & 3))
			return 0;
	}
	for (u32 i = 0; i < c->p->ins.n; i++)
		if (c->p->ins.v[i].op == OP_async_copy || c->p->ins.v[i].op == OP_copy || c->p->ins.v[i].op == OP_fill)
			return 0;
	return 2;
}

static u32 lds_flags(const UnsetCheck *u) { return (u->wk->m->lds_bytes >> u->lds_shift) + 1; }

UnsetCheck *unset_new(const Worker *wk)
{
	const Machine *m = wk->m;
	UnsetCheck *u = xcalloc(1, sizeof *u);
	u->wk = wk;
	u->follow = m->code->follow;
	u->lds_shift = lds_shift(m->code);
	if (!race_knows_unset(wk->races, true, 0))
		u->lds = xcalloc(lds_flags(u), 1);
	u->segs = xcalloc(m->nsegs + 1, sizeof *u->segs);
	for (u32 i = 0; i < m->nsegs; i++)
		if (m->segs[i].unset && !race_knows_unset(wk->races, false, i))
			u->segs[i] = xcalloc(m->segs[i].size + 1, 1);
	u->origins = xcalloc(m->waves_per_group, sizeof *u->origins);
	return u;
}

static void origins_empty(UnsetOrigins *o)
{
	for (u32 i = 0; i < o->n; i++)
		free(o->v[i].name);
	o->n = 0;
}

void unset_free(UnsetCheck *u)
{
	if (!u)
		return;
	for (u32 i = 0; i < u->wk->m->nsegs; i++)
		free(u->segs[i]);
	for (u32 i = 0; i < u->wk->m->waves_per_group; i++) {
		origins_empty(&u->origins[i]);
		array_free(&u->origins[i]);
	}
	free(u->origins);
	free(u->segs);
	free(u->lds);
	free(u);
}

void unset_take(UnsetCheck *u, bool lds, u32 seg, u32 shift, const void *word)
{
	u64 bytes = lds ? u->wk->m->lds_bytes : u->wk->m->segs[seg].size;
	u32 own = lds ? u->lds_shift : 0;
	u8 *flag = *(lds ? &u->lds : &u->segs[seg]) = xcalloc((bytes >> own) + 1, 1);
	for (u64 at = 0; at < bytes; at += (u64)1 << own)
		flag[at >> own] = (lds ? ((const u16 *)word)[at >> shift] : ((const u32 *)word)[at >> shift]) != 0;
}

void unset_group_start(UnsetCheck *u)
{
	if (u->lds)
		memset(u->lds, 0, lds_flags(u));
}

bool unset_seen(const UnsetCheck *u)
{
	return (u->seen && !u->follow) || u->lost || race_unset_seen(u->wk->races);
}

void unset_stored(Wave *w, bool lds, u32 seg)
{
	w->worker->unset->lost |= race_knows_unset(w->worker->races, lds, seg);
}

bool sim_unset_registers(const Program *p)
{
	for (u32 i = 0; i < p->ins.n; i++)
		if (p->ins.v[i].op == OP_undef || (p->ins.v[i].op == OP_bpermute && p->ins.v[i].imm))
			return true;
	return false;
}

void unset_wave_start(Wave *w)
{
	if (w->priv_set)
		memset(w->priv_set, 0, (size_t)w->code->priv_bytes * w->n);
	if (!w->unset)
		return;
	UnsetOrigins *o = &w->worker->unset->origins[w->index];
	memset(w->unset, 0, w->code->reg_bytes / 16 * sizeof *w->unset);
	origins_empty(o);
	array_push(o, (UnsetOrigin){0});
}

/* ---- registers ---- */

Mask unset_byte(const Wave *w, const Access *a, u32 at)
{
	u32 i = a->elem_bytes ? at / a->elem_bytes : a->n;
	return w->unset && i < a->n ? w->unset[a->data[i] / 16].lanes & w->mask : 0;
}

Mask unset_data(const Wave *w, const Access *a)
{
	Mask m = 0;
	for (u32 i = 0; w->unset && i < a->n; i++)
		m |= w->unset[a->data[i] / 16].lanes;
	return m & w->mask;
}

/* The lanes of a register that a step writes, and whose fault it is. */
static void put(Wave *w, u32 d, bool scalar, Mask m, u32 from)
{
	*unset(w, d) = scalar ? (m & w->mask ? ~(Mask)0 : 0) : m;
	*origin(w, d) = from;
}

static u32 origin_of(Wave *w, const Step *s)
{
	return *unset(w, s->a) ? *origin(w, s->a) : *unset(w, s->b) ? *origin(w, s->b) : *origin(w, s->c);
}

/* k: the result is scalar */
const Step *unset_any(Wave *w, const Step *s)
{
	Mask m = *unset(w, s->a) | *unset(w, s->b) | *unset(w, s->c);
	if (UNLIKELY(m || *unset(w, s->d)))
		put(w, s->d, s->k, m, origin_of(w, s));
	return s + 1;
}

/* or: bits are put into what has none yet. */
const Step *unset_both(Wave *w, const Step *s)
{
	put(w, s->d, s->k, *unset(w, s->a) & *unset(w, s->b), *origin(w, s->a));
	return s + 1;
}

const Step *unset_select(Wave *w, const Step *s)
{
	Mask a = *unset(w, s->a), b = *unset(w, s->b), c = *unset(w, s->c);
	if (UNLIKELY(a | b | c | *unset(w, s->d))) {
		Mask yes = s->x ? (w->r[s->a] ? ~(Mask)0 : 0) : w->code->kit->bits(w->r + s->a, w->n);
		put(w, s->d, s->k, a | (b & yes) | (c & ~yes), origin_of(w, s));
	}
	return s + 1;
}

const Step *unset_mov(Wave *w, const Step *s)
{
	Mask a = *unset(w, s->a), *d = unset(w, s->d);
	if (UNLIKELY(a | *d)) {
		u32 from = a ? *origin(w, s->a) : *origin(w, s->d);
		put(w, s->d, s->k, s->k ? a : (*d & ~w->mask) | (a & w->mask), from);
	}
	return s + 1;
}

const Step *unset_clear(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	for (u32 i = 0; i < sys->ndst; i++)
		*unset(w, sys->dst[i]) &= sys->dst_scalar[i] ? 0 : ~w->mask;
	return s + 1;
}

UnsetOrigin *unset_origin_at(Wave *w, u32 ins, u32 lane, u32 *from)
{
	UnsetOrigins *o = &w->worker->unset->origins[w->index];
	for (*from = 1; *from < o->n; ++*from)
		if (o->v[*from].ins == ins)
			return &o->v[*from];
	array_push(o, ((UnsetOrigin){.ins = ins, .lane = lane}));
	return &o->v[*from];
}

/* A variable in a register: s->d. */
const Step *unset_start(Wave *w, const Step *s)
{
	const Program *p = w->code->p;
	const char *name = p->regs.v[ins_dst(p, &p->ins.v[s->ins])[0]].name;
	UnsetOrigin *o = unset_origin_at(w, s->ins, mask_lowest(w->mask), origin(w, s->d));
	if (name && !o->name)
		o->name = xstrdup(name);
	*unset(w, s->d) = ~(Mask)0;
	return s + 1;
}

const Step *unset_pick(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	Mask all = ~(Mask)0, i = *unset(w, sys->src[0].offset);
	for (u32 k = 1; k < sys->nsrc; k++)
		all &= *unset(w, sys->src[k].offset);
	put(w, sys->dst[0], sys->dst_scalar[0], i | all, *origin(w, sys->src[i ? 0 : 1].offset));
	return s + 1;
}

const Step *unset_poke(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	Mask i = *unset(w, sys->src[0].offset), x = *unset(w, sys->src[1].offset);
	for (u32 k = 0; k < sys->ndst; k++)
		put(w, sys->dst[k], sys->dst_scalar[k], i | (x & *unset(w, sys->src[2 + k].offset)),
		    *origin(w, sys->src[i ? 0 : 2 + k].offset));
	return s + 1;
}

const Step *unset_first(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	Mask a = *unset(w, sys->src[0].offset) & mask_lane(mask_lowest(w->mask));
	put(w, s->d, true, a ? w->mask : 0, *origin(w, sys->src[0].offset));
	return s + 1;
}

/* Values of other lanes; with k those of lanes that are not there are none. */
const Step *unset_permute(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	u32 index = sys->src[0].offset, value = sys->src[1].offset, to = sys->dst[0], absent = MAX_WAVE, from;
	Mask i = *unset(w, index), v = *unset(w, value), m = *unset(w, to) & ~w->mask;
	for (Mask left = w->mask; left; left = mask_drop(left)) {
		u32 l = mask_lowest(left);
		u64 lane = sys_operand(w, &sys->src[0], l);
		lane = s->c ? lane : lane % w->code->wave;
		bool there = lane < w->code->wave && (w->mask & mask_lane((u32)lane));
		if (!there && s->c)
			absent = l;
		if ((!there && s->c) || (i & mask_lane(l)) || (there && (v & mask_lane((u32)lane))))
			m |= mask_lane(l);
	}
	if (!m && !*unset(w, to))
		return s + 1;
	if (absent < MAX_WAVE)
		unset_origin_at(w, s->ins, absent, &from)->absent = true;
	else
		from = i ? *origin(w, index) : v ? *origin(w, value) : *origin(w, to);
	put(w, to, false, m, from);
	return s + 1;
}

/* Each lane's results are of values of many lanes. */
const Step *unset_matrix(Wave *w, const Step *s)
{
	const Sys *sys = &w->code->sys.v[s->x];
	u32 from = 0;
	bool any = false;
	for (u32 k = 0; k < sys->nsrc && !any; k++) {
		any = (*unset(w, sys->src[k].offset) & w->mask) != 0;
		from = any ? *origin(w, sys->src[k].offset) : from;
	}
	for (u32 k = 0; k < sys->ndst; k++)
		put(w, sys->dst[k], false, any ? w->mask : 0, from);
	return s + 1;
}

/* ---- where they matter ---- */

NO_INLINE void unset_matters(Wave *w, u32 ins, Mask lanes, u32 from, const char *how)
{
	const UnsetOrigin *o = &w->worker->unset->origins[w->index].v[from];
	Finding *f = finding_add(w, FINDING_uninitialized_read, ins, mask_lowest(lanes));
	f->count += mask_count(lanes) - 1;
	if (f->detail)
		return;
	Buf b = {0};
	if (o->absent)
		buf_printf(&b, "%s depends on the value of a work-item that is not in the sub-group, or not here", how);
	else
		buf_printf(&b, "%s depends on %s%s%s", how, o->name ? "'" : "a variable", o->name ? o->name : "",
		           o->name ? "'" : "");
	f->detail = b.v;
	if (!from)
		return;
	f->origin = (FindingAccess){.ins = o->ins, .group = w->group->linear, .wave = w->index, .lane = o->lane};
	finding_other(w, &f->origin);
}

static void look(Wave *w, u32 ins, u32 offset, const char *how)
{
	Mask m = *unset(w, offset) & w->mask;
	if (UNLIKELY(m))
		unset_matters(w, ins, m, *origin(w, offset), how);
}

const Step *unset_branch(Wave *w, const Step *s)
{
	look(w, s->ins, s->a, "a branch");
	return s + 1;
}

const Step *unset_address(Wave *w, const Step *s)
{
	look(w, s->ins, s->a, "an address");
	return s + 1;
}

/* ---- memory ---- */

/* The flag of the first byte, and how far those of the next lie behind it; NULL: always written. */
static u8 *flags_of(Wave *w, const Place *p, u32 lane, u32 byte)
{
	UnsetCheck *u = w->worker->unset;
	if (p->space == SPACE_LDS)
		return u->lds ? u->lds + (((u32)(p->bytes - w->group->lds) + byte) >> u->lds_shift) : NULL;
	if (p->space == SPACE_PRIVATE) {
		u32 at = p->offset + byte;
		return w->priv_set + ((at / 4) * w->n + lane) * 4 + (at & 3);
	}
	u8 *seg = u->segs[p->address >> SEG_SHIFT];
	return seg ? seg + (p->address & (((u64)1 << SEG_SHIFT) - 1)) + byte : NULL;
}

char *unset_name(const Wave *w, const Place *p, u32 bytes)
{
	Buf b = {0};
	u64 at = p->space == SPACE_LDS ? (u64)(p->bytes - w->group->lds)
	         : p->space == SPACE_PRIVATE ? p->address : p->address & (((u64)1 << SEG_SHIFT) - 1);
	place_print(w->code, w->worker->m, p->space, (u32)(p->address >> SEG_SHIFT), at, bytes, &b);
	return b.v;
}

static void load_lane(Wave *w, const Access *a, const Place *p, u32 lane, u32 bytes)
{
	UnsetCheck *u = w->worker->unset;
	bool all = true;
	u32 eb = a->elem_bytes ? a->elem_bytes : bytes;
	for (u32 i = 0; i < bytes; i++) {
		const u8 *flag = flags_of(w, p, lane, i);
		if (!flag)
			return;
		all &= *flag;
	}
	if (all)
		return;
	u->seen = true;
	const Ins *ins = &w->code->p->ins.v[a->ins];
	if (!u->follow || (ins->op != OP_ld && ins->op != OP_atomic && ins->op != OP_cas))
		return;
	u32 from = 0;
	for (u32 i = 0; i < bytes / eb; i++) {
		bool set = false; /* of an element that is in part padding, clang loads all */
		for (u32 k = 0; k < eb; k++)
			set |= *flags_of(w, p, lane, i * eb + k);
		if (set)
			continue;
		if (!from) {
			UnsetOrigin *o = unset_origin_at(w, a->ins, lane, &from);
			o->name = o->name ? o->name : unset_name(w, p, eb);
		}
		u32 d = ins->op == OP_ld ? a->data[i] : w->code->reg[ins_dst(w->code->p, ins)[0]];
		bool scalar = w->code->p->regs.v[ins_dst(w->code->p, ins)[ins->op == OP_ld ? i : 0]].kind != REG_VECTOR;
		*unset(w, d) |= scalar ? ~(Mask)0 : mask_lane(lane);
		*origin(w, d) = from;
	}
}

static void store_lane(Wave *w, const Access *a, const Place *p, u32 lane, u32 bytes)
{
	UnsetCheck *u = w->worker->unset;
	bool registers = u->follow && a->n && w->code->p->ins.v[a->ins].op == OP_st;
	for (u32 i = 0; i < bytes; i++) {
		u32 d = registers ? a->data[i / a->elem_bytes] : 0;
		bool is_unset = registers && *unset(w, d) & mask_lane(lane);
		u8 *flag = flags_of(w, p, lane, i);
		if (flag)
			*flag = !is_unset;
		else if (is_unset && p->space != SPACE_PRIVATE)
			unset_stored(w, p->space == SPACE_LDS, (u32)(p->address >> SEG_SHIFT));
		if (is_unset && p->space == SPACE_GLOBAL && i % a->elem_bytes == 0)
			unset_matters(w, a->ins, mask_lane(lane), *origin(w, d), "what is stored for the host");
	}
}

void unset_lane(Wave *w, const Access *a, AccessKind kind, const Place *p, u32 lane, u32 bytes)
{
	if (kind == ACCESS_STORE)
		store_lane(w, a, p, lane, bytes);
	else
		load_lane(w, a, p, lane, bytes);
}

UnsetOperands unset_operands(Wave *w, const Sys *sys)
{
	UnsetOperands o = {0};
	if (!w->worker->unset->follow)
		return o;
	for (u32 i = 1; i < sys->nsrc; i++) {
		Mask m = *unset(w, sys->src[i].offset) & w->mask;
		o.from = o.lanes || !m ? o.from : *origin(w, sys->src[i].offset);
		o.lanes |= m;
	}
	*unset(w, sys->dst[0]) &= sys->dst_scalar[0] ? 0 : ~w->mask;
	return o;
}

/* What is there counts as written or not as before, but for what an exchange leaves, and a value made of one that is
 * not. */
void unset_atomic(Wave *w, const Access *a, const UnsetOperands *operands, const Place *p, u32 lane, u32 bytes)
{
	const Ins *ins = &w->code->p->ins.v[a->ins];
	bool exchange = ins->op == OP_atomic && ins->aux == ATOMIC_xchg, o = operands->lanes & mask_lane(lane);
	if (!exchange)
		load_lane(w, a, p, lane, bytes);
	for (u32 i = 0; (exchange || o) && i < bytes; i++) {
		u8 *flag = flags_of(w, p, lane, i);
		if (flag)
			*flag = !o;
		else if (o)
			unset_stored(w, p->space == SPACE_LDS, (u32)(p->address >> SEG_SHIFT));
	}
	if (o && p->space == SPACE_GLOBAL)
		unset_matters(w, a->ins, mask_lane(lane), operands->from, "what is stored for the host");
}

void unset_element(Wave *w, u32 ins, const Place *to, const Place *from, u32 lane, u32 bytes)
{
	bool written = false;
	for (u32 i = 0; i < bytes; i++) {
		const u8 *f = flags_of(w, from, lane, i);
		written |= !f || *f;
	}
	unset_copied(w, to, from, lane, bytes);
	if (written)
		return;
	w->worker->unset->seen = true;
	if (!w->worker->unset->follow || to->space != SPACE_GLOBAL)
		return;
	u32 at;
	UnsetOrigin *o = unset_origin_at(w, ins, lane, &at);
	o->name = o->name ? o->name : unset_name(w, from, bytes);
	unset_matters(w, ins, mask_lane(lane), at, "what is stored for the host");
}

void unset_copied(Wave *w, const Place *to, const Place *from, u32 lane, u64 n)
{
	for (u64 i = 0; i < n; i++) {
		const u8 *f = flags_of(w, from, lane, (u32)i);
		u8 *t = flags_of(w, to, lane, (u32)i);
		if (t)
			*t = f ? *f : 1;
		else if (f && !*f)
			unset_stored(w, to->space == SPACE_LDS, (u32)(to->address >> SEG_SHIFT));
	}
}

void unset_written(Wave *w, const Place *p, u32 lane, u64 n)
{
	for (u64 i = 0; i < n; i++) {
		u8 *t = flags_of(w, p, lane, (u32)i);
		if (t)
			*t = 1;
	}
}
