/* The scalar interpreter; see scalar_oracle.h. */
#include "tests/unit/scalar_oracle.h"

#include "isa/lane.h"

typedef struct Oracle {
	const Program *p;
	OracleMemory *m;
	OracleItem *item;
	u128 *reg; /* constants included */
	u64 steps;
	bool over, unsupported;
} Oracle;

/* ---- memory ---- */

static u32 segments(const Object *o)
{
	bool narrow = o->space == SPACE_LDS || o->space == SPACE_PRIVATE;
	u32 n = narrow ? (u32)(((u64)o->size + (1u << SEG32_SHIFT) - 1) >> SEG32_SHIFT) : 1;
	return n ? n : 1;
}

static void place_object(OracleMemory *m, const Object *o)
{
	OracleSeg **table = o->space == SPACE_LDS       ? &m->lds
			    : o->space == SPACE_PRIVATE ? &m->priv
							: &m->global;
	u8 *data = arena_alloc(m->arena, o->size + 1u);
	if (o->data)
		memcpy(data, o->data, o->size);
	for (u32 k = 0; k < segments(o); k++) {
		u64 skip = (u64)k << SEG32_SHIFT;
		(*table)[o->seg + k] = (OracleSeg){data + skip, o->size - skip};
	}
}

static u64 object_address(const Object *o)
{
	if (o->space == SPACE_LDS)
		return APERTURE_LDS | (u64)o->seg << SEG32_SHIFT;
	if (o->space == SPACE_PRIVATE)
		return APERTURE_PRIVATE | (u64)o->seg << SEG32_SHIFT;
	return (u64)o->seg << SEG_SHIFT;
}

static void relocate(OracleMemory *m, const Program *p)
{
	for (u32 i = 0; i < p->objects.n; i++) {
		const Object *o = &p->objects.v[i];
		for (u32 r = 0; r < o->nrelocs; r++) {
			u64 a = object_address(&p->objects.v[o->relocs[r].target]) +
				(u64)o->relocs[r].addend;
			memcpy(m->global[o->seg].data + o->relocs[r].offset, &a, sizeof a);
		}
	}
}

OracleMemory *oracle_memory_new(const Program *p, const OracleSeg *buffers, u32 nbuffers)
{
	OracleMemory *m = xcalloc(1, sizeof *m);
	m->arena = arena_new();
	m->nlds = m->npriv = m->nglobal = 1;
	for (u32 i = 0; i < p->objects.n; i++) {
		const Object *o = &p->objects.v[i];
		u32 *n = o->space == SPACE_LDS       ? &m->nlds
			 : o->space == SPACE_PRIVATE ? &m->npriv
						     : &m->nglobal;
		if (o->seg + segments(o) > *n)
			*n = o->seg + segments(o);
	}
	m->own = m->nglobal - 1;
	m->nglobal += nbuffers;
	m->global = ARENA_ARRAY(m->arena, OracleSeg, m->nglobal);
	m->lds = ARENA_ARRAY(m->arena, OracleSeg, m->nlds);
	m->priv = ARENA_ARRAY(m->arena, OracleSeg, m->npriv);
	for (u32 i = 0; i < p->objects.n; i++)
		place_object(m, &p->objects.v[i]);
	relocate(m, p);
	for (u32 i = 0; i < nbuffers; i++)
		m->global[1 + m->own + i] = buffers[i];
	return m;
}

void oracle_memory_free(OracleMemory *m)
{
	arena_free(m->arena);
	free(m);
}

u64 oracle_buffer_address(const OracleMemory *m, u32 buffer)
{
	return (u64)(1 + m->own + buffer) << SEG_SHIFT;
}

void oracle_memory_clear(OracleMemory *m, Space space)
{
	OracleSeg *seg = space == SPACE_LDS ? m->lds : m->priv;
	for (u32 i = 1, n = space == SPACE_LDS ? m->nlds : m->npriv; i < n; i++)
		if (seg[i].data)
			memset(seg[i].data, 0, seg[i].size);
}

/* Where n bytes at an address are, or NULL. */
static u8 *find(Oracle *o, u32 space, u64 address, u64 n)
{
	const OracleMemory *m = o->m;
	if (space == SPACE_FLAT) {
		u64 aperture = address & APERTURE_MASK;
		space = aperture == APERTURE_LDS       ? SPACE_LDS
			: aperture == APERTURE_PRIVATE ? SPACE_PRIVATE
						       : SPACE_GLOBAL;
		address &= ~APERTURE_MASK;
		if (space != SPACE_GLOBAL && address >> 32)
			space = SPACE_COUNT;
	}
	bool narrow = space == SPACE_LDS || space == SPACE_PRIVATE;
	const OracleSeg *table = space == SPACE_LDS       ? m->lds
				 : space == SPACE_PRIVATE ? m->priv
							  : m->global;
	u32 count = space == SPACE_LDS ? m->nlds : space == SPACE_PRIVATE ? m->npriv : m->nglobal;
	u64 seg = address >> (narrow ? SEG32_SHIFT : SEG_SHIFT);
	u64 offset = address & (((u64)1 << (narrow ? SEG32_SHIFT : SEG_SHIFT)) - 1);
	if (space >= SPACE_COUNT || seg >= count || !table[seg].data || offset > table[seg].size ||
	    n > table[seg].size - offset) {
		o->item->faults++;
		return NULL;
	}
	return table[seg].data + offset;
}

static u128 get(Oracle *o, u32 space, u64 address, u32 bytes)
{
	u128 v = 0;
	const u8 *at = find(o, space, address, bytes);
	if (at)
		memcpy(&v, at, bytes);
	return v;
}

static void put(Oracle *o, u32 space, u64 address, u32 bytes, u128 v)
{
	u8 *at = find(o, space, address, bytes);
	if (at)
		memcpy(at, &v, bytes);
}

/* ---- instructions ---- */

static u128 cut(u32 type, u128 v)
{
	return type == T_b1     ? v & 1
	       : type == T_i128 ? v
				: v & (((u128)1 << type_bytes[type] * 8) - 1);
}

static void set(Oracle *o, u32 r, u128 v) { o->reg[r] = cut(o->p->regs.v[r].type, v); }

static u128 atomic_integer(u32 op, u128 old, u128 s, u32 bits)
{
	u32 shift = 128 - bits;
	i128 so = (i128)(old << shift) >> shift, ss = (i128)(s << shift) >> shift;
	switch (op) {
	case ATOMIC_add: return old + s;
	case ATOMIC_sub: return old - s;
	case ATOMIC_and: return old & s;
	case ATOMIC_or: return old | s;
	case ATOMIC_xor: return old ^ s;
	case ATOMIC_nand: return ~(old & s);
	case ATOMIC_smin: return so < ss ? old : s;
	case ATOMIC_smax: return so > ss ? old : s;
	case ATOMIC_umin: return old < s ? old : s;
	case ATOMIC_umax: return old > s ? old : s;
	case ATOMIC_uinc_wrap: return old >= s ? 0 : old + 1;
	case ATOMIC_udec_wrap: return old == 0 || old > s ? s : old - 1;
	default: return s;
	}
}

static u128 atomic_new(u32 op, u32 type, u128 old, u128 s)
{
	bool wide = type == T_f64;
	switch (op) {
	case ATOMIC_fadd: return lane_eval(wide ? OP_fadd_f64 : OP_fadd_f32, old, s, 0, 0);
	case ATOMIC_fsub: return lane_eval(wide ? OP_fsub_f64 : OP_fsub_f32, old, s, 0, 0);
	case ATOMIC_fmin: return lane_eval(wide ? OP_fminnum_f64 : OP_fminnum_f32, old, s, 0, 0);
	case ATOMIC_fmax: return lane_eval(wide ? OP_fmaxnum_f64 : OP_fmaxnum_f32, old, s, 0, 0);
	default: return atomic_integer(op, old, s, type_bytes[type] * 8u);
	}
}

static u64 address_of(const Oracle *o, const Ins *i, u32 r)
{
	bool narrow = i->space == SPACE_LDS || i->space == SPACE_PRIVATE;
	u64 a = (u64)o->reg[r] + (u64)i->imm;
	return narrow ? (u32)a : a;
}

static void copy_bytes(Oracle *o, const Ins *i, const u32 *src)
{
	u64 n = (u64)o->reg[src[2]];
	u8 *to = n ? find(o, i->space, (u64)o->reg[src[0]], n) : NULL;
	if (i->op == OP_fill) {
		if (to)
			memset(to, (u8)o->reg[src[1]], n);
		return;
	}
	const u8 *from = n ? find(o, i->aux, (u64)o->reg[src[1]], n) : NULL;
	if (to && from)
		memmove(to, from, n);
}

static void memory_op(Oracle *o, const Ins *i, const u32 *dst, const u32 *src)
{
	u64 a = address_of(o, i, src[0]);
	u32 type = o->p->regs.v[i->ndst ? dst[0] : src[1]].type, bytes = type_bytes[type];
	if (i->op == OP_copy || i->op == OP_fill) {
		copy_bytes(o, i, src);
		return;
	}
	if (i->op == OP_ld) {
		for (u32 k = 0; k < i->ndst; k++)
			set(o, dst[k], get(o, i->space, a + k * bytes, bytes));
	} else if (i->op == OP_st) {
		for (u32 k = 1; k < i->nsrc; k++)
			put(o, i->space, a + (k - 1) * bytes, bytes, o->reg[src[k]]);
	} else {
		u128 old = get(o, i->space, a, bytes), s = o->reg[src[1]];
		u128 new = i->op == OP_cas ? (old == s ? o->reg[src[2]] : old)
					   : atomic_new(i->aux, type, old, s);
		put(o, i->space, a, bytes, new);
		set(o, dst[0], old);
	}
}

static void choose(Oracle *o, const Ins *i, const u32 *dst, const u32 *src)
{
	u128 index = o->reg[src[0]];
	if (i->op == OP_pick) {
		set(o, dst[0], o->reg[src[index < i->nsrc - 1u ? 1 + (u32)index : 1]]);
		return;
	}
	u128 *value = xmalloc(sizeof *value * i->ndst);
	for (u32 k = 0; k < i->ndst; k++)
		value[k] = o->reg[src[index == k ? 1 : 2 + k]];
	for (u32 k = 0; k < i->ndst; k++)
		set(o, dst[k], value[k]);
	free(value);
}

static u128 query(const OracleItem *item, u32 q)
{
	switch (q) {
	case QUERY_local_id_x:
	case QUERY_local_id_y:
	case QUERY_local_id_z: return item->local_id[q - QUERY_local_id_x];
	case QUERY_group_id_x:
	case QUERY_group_id_y:
	case QUERY_group_id_z: return item->group_id[q - QUERY_group_id_x];
	case QUERY_dispatch_ptr: return item->dispatch_ptr;
	case QUERY_implicitarg_ptr: return item->implicitarg_ptr;
	case QUERY_implicitarg_v5_ptr: return item->implicitarg_v5_ptr;
	case QUERY_lane_id: return item->lane;
	default: return item->wave_size;
	}
}

static void plain(Oracle *o, const Ins *i, const u32 *dst, const u32 *src)
{
	u64 a = i->nsrc ? (u64)o->reg[src[0]] : 0;
	if (op_info[i->op].lane) {
		u128 b = i->nsrc > 1 ? o->reg[src[1]] : 0, c = i->nsrc > 2 ? o->reg[src[2]] : 0;
		set(o, dst[0], lane_eval(i->op, o->reg[src[0]], b, c, i->imm));
		return;
	}
	switch (i->op) {
	case OP_mov: set(o, dst[0], o->reg[src[0]]); break;
	case OP_pick:
	case OP_poke: choose(o, i, dst, src); break;
	case OP_ld:
	case OP_st:
	case OP_atomic:
	case OP_cas:
	case OP_copy:
	case OP_fill: memory_op(o, i, dst, src); break;
	case OP_tolds:
	case OP_topriv: set(o, dst[0], a ? a : UINT32_MAX); break;
	case OP_toflat:
		set(o, dst[0],
		    a == UINT32_MAX
			? 0
			: a | (i->space == SPACE_LDS ? APERTURE_LDS : APERTURE_PRIVATE));
		break;
	case OP_query: set(o, dst[0], query(o->item, i->aux)); break;
	case OP_printf: set(o, dst[0], 0); break;
	case OP_fence:
	case OP_barrier: break;
	default: o->unsupported = true;
	}
}

/* The block a terminator goes to; NO_BLOCK leaves the function. */
static u32 next_block(Oracle *o, const Ins *i, const u32 *src, const u32 *tgt)
{
	switch (i->op) {
	case OP_jmp: return tgt[0];
	case OP_br: return o->reg[src[0]] ? tgt[0] : tgt[1];
	case OP_switch:
		for (u32 k = 1; k < i->ntgt; k++) {
			u32 type = o->p->regs.v[src[0]].type;
			if (cut(type, (u128)(i128)o->p->cases.v[i->cases + k - 1]) ==
			    o->reg[src[0]])
				return tgt[k];
		}
		return tgt[0];
	default: return NO_BLOCK;
	}
}

static void run_func(Oracle *o, u32 f);

static void call(Oracle *o, const Ins *i, const u32 *dst, const u32 *src, u32 f)
{
	const Func *fn = &o->p->funcs.v[f];
	for (u32 k = 0; k < fn->nparams; k++)
		set(o, o->p->opnds.v[fn->params + k], o->reg[src[k]]);
	run_func(o, f);
	for (u32 k = 0; k < fn->nresults && k < i->ndst; k++)
		set(o, dst[k], o->reg[o->p->opnds.v[fn->results + k]]);
}

static void ret(Oracle *o, const Func *fn, const Ins *i, const u32 *src)
{
	u128 *value = xmalloc(sizeof *value * i->nsrc);
	for (u32 k = 0; k < i->nsrc; k++)
		value[k] = o->reg[src[k]];
	for (u32 k = 0; k < i->nsrc; k++)
		set(o, o->p->opnds.v[fn->results + k], value[k]);
	free(value);
}

static void run_func(Oracle *o, u32 f)
{
	const Func *fn = &o->p->funcs.v[f];
	for (u32 b = fn->first_block; b != NO_BLOCK && !o->over;) {
		const Block *block = &o->p->blocks.v[b];
		for (u32 n = 0; n < block->n && !o->over; n++) {
			const Ins *i = &o->p->ins.v[block->first + n];
			const u32 *dst = ins_dst(o->p, i), *src = ins_src(o->p, i),
				  *tgt = ins_tgt(o->p, i);
			if (i->op == OP_ret)
				ret(o, fn, i, src);
			if (i->op == OP_unreachable) {
				o->item->faults++;
				o->over = true;
			} else if (op_info[i->op].flags & F_END) {
				b = next_block(o, i, src, tgt);
			} else if (i->op == OP_call) {
				call(o, i, dst, src, tgt[0]);
			} else {
				plain(o, i, dst, src);
			}
			o->steps++;
			if (o->unsupported || o->steps >= o->item->max_steps) {
				o->over = true;
				o->item->stopped_at = block->first + n;
			}
		}
	}
}

OracleEnd oracle_run(const Program *p, OracleMemory *m, OracleItem *item)
{
	Oracle o = {.p = p, .m = m, .item = item};
	item->faults = 0;
	o.reg = xcalloc(p->regs.n, sizeof *o.reg);
	for (u32 r = 0; r < p->regs.n; r++)
		o.reg[r] = p->regs.v[r].kind == REG_CONST ? p->regs.v[r].value : 0;
	for (u32 i = 0; i < p->params.n; i++)
		set(&o, p->params.v[i].reg, item->params[i]);
	run_func(&o, 0);
	free(o.reg);
	item->steps = o.steps;
	if (o.unsupported)
		return ORACLE_UNSUPPORTED;
	return o.steps >= item->max_steps ? ORACLE_STEPS : ORACLE_OK;
}
