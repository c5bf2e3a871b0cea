/* Program -> Steps for one wave width.
 *
 * Registers: first the scalars and constants, 16 bytes each (a copy of
 * Code.scalars starts every wavefront), then for each type its vector slots, n
 * lanes a row. In blocks of an irreducible region (Block.masked) operations write
 * a spare row and a mov brings the active lanes over. */
#include "isa/text.h"
#include "sim/check_unset.h"

enum { SCALAR_BYTES = 16 };

/* A row of addresses. Instructions are index + 1; 0: none. */
typedef struct RowSeen {
	u32 written;   /* the last that wrote to it */
	u32 read;      /* the last load or store there, which is like access */
	u32 access;    /* in Code.accesses */
	u32 compared;  /* the last OP_within of it, with a length that is at offset n, … */
	u32 n, sys;    /* … in Code.sys */
} RowSeen;

typedef struct Decoder {
	Code *c;
	const Program *p;
	const Ins *ins;
	u32 index;          /* of ins */
	const Block *block; /* it is in */
	const u32 *dst;     /* registers */
	const u32 *src;
	const u32 *tgt;
	u32 *uses; /* register -> how often instructions read it */
	RowSeen *row; /* by where a row begins in Wave.r, in units of LANE_CHUNK bytes */
	u32 row_since; /* the instruction from which on the lanes are the same, of one wavefront, + 1 */
	u32 dst_offset[MOST_DST]; /* where results go: their rows, or spare ones */
	bool goes_on; /* the last step calls the one behind it */
} Decoder;

static const Reg *reg(const Decoder *d, u32 r) { return &d->p->regs.v[r]; }
static bool is_scalar(const Decoder *d, u32 r) { return reg(d, r)->kind != REG_VECTOR; }
static u32 offset(const Decoder *d, u32 r) { return d->c->reg[r]; }
static u32 bytes_of(const Decoder *d, u32 r) { return type_bytes[reg(d, r)->type]; }

static void registers_place(Code *c)
{
	const Program *p = c->p;
	u32 scalars = 0, slots[TYPE_COUNT] = {0}, start[TYPE_COUNT];
	for (u32 i = 0; i < p->regs.n; i++) {
		const Reg *r = &p->regs.v[i];
		if (r->kind != REG_VECTOR)
			scalars++;
		else if (r->slot + 1 > slots[r->type])
			slots[r->type] = r->slot + 1;
	}
	c->scalar_bytes = (scalars * SCALAR_BYTES + 63) & ~63u;
	u32 at = c->scalar_bytes;
	for (u32 t = 0; t < TYPE_COUNT; t++) {
		start[t] = at;
		at += (slots[t] * c->n * type_bytes[t] + 63) & ~63u;
	}
	c->temp = at;
	u32 spare = 1;
	for (u32 b = 0; b < p->blocks.n; b++)
		for (u32 i = 0; p->blocks.v[b].masked && i < p->blocks.v[b].n; i++)
			if (p->ins.v[p->blocks.v[b].first + i].ndst > spare)
				spare = p->ins.v[p->blocks.v[b].first + i].ndst;
	c->rows = at + spare * c->n * 16;
	bool joins = false;
	for (u32 i = 0; i < p->ins.n; i++)
		joins |= p->ins.v[i].op == OP_reduce || p->ins.v[i].op == OP_scan;
	c->reg_bytes = c->rows + (joins ? 3 * c->n * 16 : 0);
	c->reg = ARENA_ARRAY(c->arena, u32, p->regs.n + 1);
	c->scalars = arena_alloc(c->arena, c->scalar_bytes);
	u32 next = 0;
	for (u32 i = 0; i < p->regs.n; i++) {
		const Reg *r = &p->regs.v[i];
		if (r->kind == REG_VECTOR) {
			c->reg[i] = start[r->type] + r->slot * c->n * type_bytes[r->type];
			continue;
		}
		c->reg[i] = next;
		if (r->kind == REG_CONST)
			memcpy(c->scalars + next, &r->value, type_bytes[r->type]);
		next += SCALAR_BYTES;
	}
}

static Step *push(Decoder *d, StepFn *fn)
{
	d->goes_on = false;
	array_push(&d->c->steps, ((Step){.fn = fn, .ins = d->index, .k = d->ins->imm}));
	return &d->c->steps.v[d->c->steps.n - 1];
}

/* Before an instruction: a step that follows values that nothing was written to. */
static Step *push_follow(Decoder *d, StepFn *fn, u32 to, bool to_scalar)
{
	Step *s = push(d, fn);
	s->d = to;
	s->k = to_scalar;
	return s;
}

static void push_mov(Decoder *d, u32 to, bool to_scalar, u32 from, bool from_scalar, u32 bytes)
{
	if (to == from)
		return;
	if (d->c->follow)
		push_follow(d, unset_mov, to, to_scalar)->a = from;
	Step *s = push(d, d->c->kit->mov(bytes, to_scalar, from_scalar));
	s->d = to;
	s->a = from;
	d->goes_on = true;
}

/* The operands of the instruction as a Sys; its index. */
static u32 push_sys(Decoder *d)
{
	Code *c = d->c;
	Sys sys = {.nsrc = d->ins->nsrc, .ndst = d->ins->ndst};
	sys.src = ARENA_ARRAY(c->arena, Operand, sys.nsrc + 1u);
	for (u32 i = 0; i < sys.nsrc; i++)
		sys.src[i] = (Operand){offset(d, d->src[i]), reg(d, d->src[i])->type, is_scalar(d, d->src[i])};
	sys.dst = ARENA_ARRAY(c->arena, u32, sys.ndst + 1u);
	sys.dst_scalar = ARENA_ARRAY(c->arena, bool, sys.ndst + 1u);
	for (u32 i = 0; i < sys.ndst; i++) {
		sys.dst[i] = d->dst_offset[i];
		sys.dst_scalar[i] = is_scalar(d, d->dst[i]);
	}
	array_push(&c->sys, sys);
	return c->sys.n - 1;
}

/* The access of the instruction, with n registers of data. */
static Access access_with(Decoder *d, const u32 *data, u32 n, const u32 *data_offset)
{
	Code *c = d->c;
	u32 eb = bytes_of(d, data[0]);
	Access a = {.ins = d->index, .space = d->ins->space, .aux = d->ins->aux, .elem_bytes = (u8)eb,
	            .address_scalar = is_scalar(d, d->src[0]), .n = n, .bytes = n * eb,
	            .address = offset(d, d->src[0])};
	a.align = op_aux(d->ins->op) == AUX_ALIGN && d->ins->aux ? 1u << (d->ins->aux - 1) : eb;
	a.scalar_unit = d->ins->op == OP_ld && a.space == SPACE_CONSTANT && a.address_scalar;
	a.image = d->p->funcs.v[d->block->func].image;
	a.data = ARENA_ARRAY(c->arena, u32, n);
	a.data_scalar = ARENA_ARRAY(c->arena, bool, n);
	for (u32 i = 0; i < n; i++) {
		a.data[i] = data_offset ? data_offset[i] : offset(d, data[i]);
		a.data_scalar[i] = is_scalar(d, data[i]);
	}
	return a;
}

static u32 push_access(Code *c, Access a)
{
	a.index = c->accesses.n;
	array_push(&c->accesses, a);
	return a.index;
}

static RowSeen *row_seen(const Decoder *d, u32 at) { return &d->row[at / LANE_CHUNK]; }

/* A load or store. */
static u32 push_row_access(Decoder *d, Access a)
{
	if (a.address_scalar || a.space == SPACE_PRIVATE)
		return push_access(d->c, a);
	RowSeen *row = row_seen(d, a.address);
	const Access *other = row->read ? &d->c->accesses.v[row->access] : NULL;
	bool alike = other && other->bytes == a.bytes && other->elem_bytes == a.elem_bytes &&
	             (other->space == SPACE_LDS) == (a.space == SPACE_LDS);
	a.row = alike ? other->row : d->c->nrows++;
	a.again = alike && row->read >= d->row_since && row->written < row->read;
	row->read = d->index + 1;
	return row->access = push_access(d->c, a);
}

static void rows_written(Decoder *d)
{
	for (u32 i = 0; i < d->ins->ndst; i++)
		row_seen(d, offset(d, d->dst[i]))->written = d->index + 1;
	u32 op = d->ins->op;
	if (!op_info[op].lane && op != OP_mov && op != OP_ld && op != OP_st && op != OP_within)
		d->row_since = d->index + 2;
}

static void division_check(Decoder *d, bool is_signed)
{
	const Reg *b = reg(d, d->src[1]);
	u32 bits = type_bytes[b->type] * 8;
	u128 ones = bits == 128 ? ~(u128)0 : ((u128)1 << bits) - 1;
	if (b->kind == REG_CONST && b->value && !(is_signed && b->value == ones))
		return;
	u32 x = push_sys(d);
	push(d, step_check_div(bits / 8, is_signed))->x = x;
}

static void division_count(Decoder *d)
{
	if (!division_is_counted(d->p, d->ins))
		return;
	bool f64 = !wide_division_is_counted(d->p, d->ins), root = f64 && d->ins->nsrc == 1;
	u32 by = root ? d->src[0] : d->src[1];
	bool a_scalar = is_scalar(d, d->src[0]), b_scalar = is_scalar(d, by);
	if (f64 && !d->c->counts_slow)
		return;
	Step *s = push(d, f64 ? step_count_slow(root, a_scalar, b_scalar) : step_count_div(a_scalar, b_scalar));
	s->a = offset(d, d->src[0]);
	s->b = offset(d, by);
	s->x = d->c->divisions.n;
	array_push(&d->c->divisions, d->index);
}

static u32 lane_variant(const Decoder *d, const Ins *ins)
{
	if (is_scalar(d, ins_dst(d->p, ins)[0]))
		return ALL_SCALAR;
	u32 variant = 0;
	for (u32 i = 0; i < op_info[ins->op].lane; i++)
		variant |= (u32)is_scalar(d, ins_src(d->p, ins)[i]) << i;
	return variant;
}

static void lane_op(Decoder *d)
{
	const OpInfo *info = &op_info[d->ins->op];
	if (info->unit == UNIT_UDIV || info->unit == UNIT_SDIV)
		division_check(d, info->unit == UNIT_SDIV);
	division_count(d);
	Step *s = push(d, d->c->kit->lane(d->ins->op, lane_variant(d, d->ins)));
	s->d = d->dst_offset[0];
	s->a = offset(d, d->src[0]);
	s->b = info->lane > 1 ? offset(d, d->src[1]) : s->a;
	s->c = info->lane > 2 ? offset(d, d->src[2]) : s->b;
	d->goes_on = true;
}

/* Operations that read their operands through a Sys and write at s->d. */
static void sys_op(Decoder *d, StepFn *fn)
{
	u32 x = push_sys(d);
	Step *s = push(d, fn);
	s->x = x;
	s->d = d->ins->ndst ? d->dst_offset[0] : 0;
}

/* ---- one function for each OP of ops.def ---- */

typedef void DecodeFn(Decoder *d);
#define STEP(name, ...)
#define OP(name, ...) static DecodeFn decode_##name;
#include "isa/ops.def"

static void decode_mov(Decoder *d)
{
	push_mov(d, d->dst_offset[0], is_scalar(d, d->dst[0]), offset(d, d->src[0]), is_scalar(d, d->src[0]),
	         bytes_of(d, d->dst[0]));
}

/* Lane by lane: there private memory is checked. */
static bool slowly(const Decoder *d) { return d->c->unset && d->ins->space == SPACE_PRIVATE; }

/* What a texture unit's function accesses is collected. */
static bool is_observed(const Decoder *d) { return d->c->observed || d->p->funcs.v[d->block->func].image; }

static void decode_ld(Decoder *d)
{
	u32 x = push_row_access(d, access_with(d, d->dst, d->ins->ndst, d->dst_offset));
	push(d, slowly(d) ? mem_ld_slow : mem_ld_fn(&d->c->accesses.v[x], is_observed(d)))->x = x;
}

static void decode_st(Decoder *d)
{
	u32 x = push_row_access(d, access_with(d, d->src + 1, d->ins->nsrc - 1u, NULL));
	push(d, slowly(d) ? mem_st_slow : mem_st_fn(&d->c->accesses.v[x], is_observed(d)))->x = x;
}

/* The operation that was pushed last has these accesses. */
static void access_of_sys(Decoder *d, const Access *a, u32 n)
{
	Code *c = d->c;
	c->sys.v[c->sys.n - 1].access = c->accesses.n;
	for (u32 i = 0; i < n; i++)
		push_access(c, a[i]);
}

static void atomic_op(Decoder *d, StepFn *fn)
{
	Access a = access_with(d, d->src + 1, 1, NULL);
	sys_op(d, fn);
	access_of_sys(d, &a, 1);
}

/* Those of one number commute with each other: add and sub do, other operations with themselves, of one width. */
static u8 update_class(const Decoder *d)
{
	u32 op = d->ins->aux == ATOMIC_sub ? ATOMIC_add : d->ins->aux;
	bool commutes = op == ATOMIC_add || op == ATOMIC_and || op == ATOMIC_or || op == ATOMIC_xor ||
	                (op >= ATOMIC_smin && op <= ATOMIC_umax);
	return commutes && !d->uses[d->dst[0]] ? (u8)(1 + op * 16 + bytes_of(d, d->src[1])) : 0;
}

static void decode_atomic(Decoder *d)
{
	atomic_op(d, mem_atomic);
	d->c->sys.v[d->c->sys.n - 1].update = update_class(d);
}

/* What is written comes first, then what is read. */
static void move_op(Decoder *d, StepFn *fn)
{
	Access a[] = {{.ins = d->index, .space = d->ins->space}, {.ins = d->index, .space = d->ins->aux}};
	a[1].scalar_unit = a[1].space == SPACE_CONSTANT && is_scalar(d, d->src[1]);
	sys_op(d, fn);
	access_of_sys(d, a, d->ins->op == OP_copy ? 2 : 1);
}

static void decode_copy(Decoder *d) { move_op(d, mem_copy); }
static void decode_fill(Decoder *d) { move_op(d, mem_fill); }
static void decode_cas(Decoder *d) { atomic_op(d, mem_cas); }

/* An index that is compared a second time is inside if it was the first time. */
static void decode_within(Decoder *d)
{
	RowSeen *row = row_seen(d, offset(d, d->src[0]));
	u32 n = offset(d, d->src[1]);
	bool again =
	    !is_scalar(d, d->src[0]) && row->n == n && row->compared >= d->row_since && row->written < row->compared;
	sys_op(d, again ? step_within_again : step_within);
	Step *s = &d->c->steps.v[d->c->steps.n - 1];
	row->sys = s->a = again ? row->sys : s->x;
	row->compared = d->index + 1;
	row->n = n;
}

static void decode_fence(Decoder *d) { (void)d; }

static void decode_jmp(Decoder *d) { push(d, flow_jmp)->x = d->tgt[0]; }

/* Does block b go on to the join, without calls, barriers and what else may part or stop lanes? */
static bool is_plain_side(const Program *p, u32 b, u32 join)
{
	enum { LONGEST = 256 }; /* a block that many branches lead to is not looked at for long */
	const Block *block = &p->blocks.v[b];
	const Ins *ins = &p->ins.v[block->first];
	u32 last = block->n - 1;
	if (block->n > LONGEST || b >= join || ins[last].op != OP_jmp || ins_tgt(p, &ins[last])[0] != join)
		return false;
	for (u32 i = 0; i < last; i++)
		if (!op_info[ins[i].op].lane && ins[i].op != OP_mov && ins[i].op != OP_ld && ins[i].op != OP_st)
			return false;
	return true;
}

/* Where both sides of the branch meet again, when it is a short if (flow.c); else NO_BLOCK. */
static u32 short_if_join(const Decoder *d)
{
	u32 join = d->block->ipdom, a = d->tgt[0], b = d->tgt[1];
	bool is_short = !d->c->apart && join != NO_BLOCK && a != b && (a == join || is_plain_side(d->p, a, join)) &&
	                (b == join || is_plain_side(d->p, b, join));
	return is_short ? join : NO_BLOCK;
}

/* The step that computes the condition right before the branch, and for it alone, becomes that of both. Else NULL. */
static Step *branch_of_last(Decoder *d)
{
	if (d->c->apart || d->c->follow || d->block->masked || is_scalar(d, d->src[0]) ||
	    d->uses[d->src[0]] != 1 || d->index == d->block->first)
		return NULL;
	const Ins *last = d->ins - 1;
	if (!op_info[last->op].lane || ins_dst(d->p, last)[0] != d->src[0])
		return NULL;
	StepFn *fn = d->c->kit->branch(last->op, lane_variant(d, last));
	if (!fn)
		return NULL;
	Step *s = &d->c->steps.v[d->c->steps.n - 1];
	s->fn = fn;
	return s;
}

static void decode_br(Decoder *d)
{
	Step *s = branch_of_last(d);
	if (!s) {
		s = push(d, is_scalar(d, d->src[0]) ? flow_br_scalar : flow_br);
		s->a = offset(d, d->src[0]);
	}
	s->d = d->tgt[0];
	s->c = d->tgt[1];
	s->x = short_if_join(d);
}

static void decode_switch(Decoder *d)
{
	Flow f = {.ntgt = d->ins->ntgt, .value = offset(d, d->src[0]),
	          .value_bytes = (u8)bytes_of(d, d->src[0]), .scalar = is_scalar(d, d->src[0])};
	f.tgt = arena_copy(d->c->arena, d->tgt, f.ntgt * sizeof *f.tgt);
	i64 *cases = ARENA_ARRAY(d->c->arena, i64, f.ntgt);
	u64 ones = f.value_bytes >= 8 ? UINT64_MAX : ((u64)1 << f.value_bytes * 8) - 1;
	for (u32 i = 0; i + 1 < f.ntgt; i++)
		cases[i] = (i64)((u64)d->p->cases.v[d->ins->cases + i] & ones);
	f.cases = cases;
	array_push(&d->c->flows, f);
	push(d, flow_switch)->x = d->c->flows.n - 1;
}

/* Values into the registers of a function's parameters or results, or back. */
static void pass(Decoder *d, u32 to, u32 from)
{
	push_mov(d, offset(d, to), is_scalar(d, to), offset(d, from), is_scalar(d, from), bytes_of(d, to));
}

static void decode_ret(Decoder *d)
{
	const Func *f = &d->p->funcs.v[d->block->func];
	for (u32 i = 0; i < d->ins->nsrc; i++)
		pass(d, d->p->opnds.v[f->results + i], d->src[i]);
	push(d, flow_ret);
}

static void decode_unreachable(Decoder *d) { push(d, flow_unreachable); }

static void call(Decoder *d, StepFn *fn, u32 access)
{
	const Func *f = &d->p->funcs.v[d->tgt[0]];
	for (u32 i = 0; i < f->nparams; i++)
		pass(d, d->p->opnds.v[f->params + i], d->src[i]);
	Step *s = push(d, fn);
	s->x = d->tgt[0];
	s->a = access;
	for (u32 i = 0; i < f->nresults; i++)
		pass(d, d->dst[i], d->p->opnds.v[f->results + i]);
}

static void decode_call(Decoder *d) { call(d, flow_call, 0); }

static void decode_image(Decoder *d)
{
	call(d, flow_image, push_access(d->c, (Access){.ins = d->index, .space = SPACE_GLOBAL}));
}

/* What a copy reads and writes is an access of its instruction. */
static void copy_access(Decoder *d)
{
	Access a = {.ins = d->index, .elem_bytes = (u8)d->ins->imm, .bytes = (u32)d->ins->imm};
	access_of_sys(d, &a, 1);
}

static void decode_barrier(Decoder *d) { push(d, flow_barrier); }
static void decode_query(Decoder *d) { push(d, step_query(d->ins->aux))->d = d->dst_offset[0]; }

#define STEP(name, ...) \
	static void decode_##name(Decoder *d) \
	{ \
		sys_op(d, step_##name); \
		if (OP_##name == OP_async_copy) \
			copy_access(d); \
	}
#define OP(name, ...)
#include "isa/ops.def"

static DecodeFn *const decode[OP_COUNT] = {
#define UN(name, ...) [OP_##name] = lane_op,
#define BIN UN
#define TER UN
#define OP(name, ...) [OP_##name] = decode_##name,
#include "isa/ops.def"
};

static void follow_lane_op(Decoder *d)
{
	const OpInfo *info = &op_info[d->ins->op];
	u32 at[3];
	for (u32 i = 0; i < 3; i++)
		at[i] = offset(d, d->src[i < info->lane ? i : 0]);
	bool select = op_is_of(d->ins->op, OP_select_i32), both = op_is_of(d->ins->op, OP_or_i32);
	Step *s = push_follow(d,
	                      select ? unset_select
	                      : both ? unset_both
	                             : unset_any,
	                      d->dst_offset[0], is_scalar(d, d->dst[0]));
	s->a = at[0];
	s->b = at[1];
	s->c = at[2];
	s->x = select && is_scalar(d, d->src[0]);
}

static void follow(Decoder *d)
{
	u32 to = d->ins->ndst ? d->dst_offset[0] : 0, x;
	bool scalar = d->ins->ndst && is_scalar(d, d->dst[0]);
	if (op_info[d->ins->op].lane) {
		follow_lane_op(d);
		return;
	}
	switch (d->ins->op) {
	case OP_mov:
	case OP_call:
	case OP_image: return;
	case OP_br:
	case OP_switch: push_follow(d, unset_branch, 0, false)->a = offset(d, d->src[0]); return;
	case OP_undef: push_follow(d, unset_start, to, scalar); return;
	case OP_tolds:
	case OP_topriv:
	case OP_toflat: {
		Step *s = push_follow(d, unset_any, to, scalar);
		s->a = s->b = s->c = offset(d, d->src[0]);
		return;
	}
	case OP_pick:
	case OP_poke:
	case OP_readfirst:
		x = push_sys(d);
		push_follow(d,
		            d->ins->op == OP_pick   ? unset_pick
		            : d->ins->op == OP_poke ? unset_poke
		                                    : unset_first,
		            to, scalar)
		    ->x = x;
		return;
	case OP_bpermute: {
		x = push_sys(d);
		Step *s = push_follow(d, unset_permute, to, scalar);
		s->x = x;
		s->c = d->ins->imm != 0;
		return;
	}
	case OP_matrix:
		x = push_sys(d);
		push_follow(d, unset_matrix, to, false)->x = x;
		return;
	case OP_atomic:
	case OP_cas: push_follow(d, unset_address, 0, false)->a = offset(d, d->src[0]); return;
	case OP_ld:
	case OP_st:
	case OP_copy:
	case OP_fill: push_follow(d, unset_address, 0, false)->a = offset(d, d->src[0]); break;
	default: break;
	}
	if (d->ins->ndst) {
		x = push_sys(d);
		push_follow(d, unset_clear, to, scalar)->x = x;
	}
}

/* Does the step itself leave inactive lanes alone? ld may fill them. */
static bool keeps_lanes(u32 op) { return op != OP_ld && (op_info[op].flags & F_MASKED); }

static void instruction(Decoder *d)
{
	bool spare = d->block->masked && !keeps_lanes(d->ins->op) && !ins_calls(d->ins);
	for (u32 i = 0; i < d->ins->ndst; i++)
		d->dst_offset[i] = spare && !is_scalar(d, d->dst[i]) ? d->c->temp + i * d->c->n * 16
		                                                     : offset(d, d->dst[i]);
	if (d->c->follow)
		follow(d);
	decode[d->ins->op](d);
	for (u32 i = 0; spare && i < d->ins->ndst; i++)
		if (!is_scalar(d, d->dst[i]))
			push_mov(d, offset(d, d->dst[i]), false, d->dst_offset[i], false, bytes_of(d, d->dst[i]));
	if (d->c->apart && d->goes_on)
		push(d, step_pause);
	rows_written(d);
}

static void private_place(Code *c)
{
	const Program *p = c->p;
	for (u32 i = 0; i < p->objects.n; i++) {
		const Object *o = &p->objects.v[i];
		u32 end = o->seg + (u32)(((u64)o->size + (1u << SEG32_SHIFT) - 1) >> SEG32_SHIFT);
		if (o->space == SPACE_PRIVATE && (end > c->npriv || o->seg + 1 > c->npriv))
			c->npriv = end > o->seg ? end : o->seg + 1;
	}
	c->priv_offset = ARENA_ARRAY(c->arena, u32, c->npriv + 1);
	c->priv_size = ARENA_ARRAY(c->arena, u32, c->npriv + 1);
	for (u32 i = 0; i < p->objects.n; i++) {
		const Object *o = &p->objects.v[i];
		if (o->space != SPACE_PRIVATE)
			continue;
		for (u32 part = 0; part < o->size || !part; part += 1u << SEG32_SHIFT) {
			u32 seg = o->seg + (part >> SEG32_SHIFT);
			c->priv_offset[seg] = c->priv_bytes + part;
			c->priv_size[seg] = o->size - part;
		}
		c->priv_bytes += (u32)object_private_bytes(o);
	}
}

Code *code_new(const Program *p, const SimConfig *cfg, bool observed, bool apart)
{
	Code *c = xcalloc(1, sizeof *c);
	c->arena = arena_new();
	c->p = p;
	c->kit = cfg->kit ? cfg->kit : lane_kit();
	c->observed = observed;
	c->apart = apart;
	c->counts_slow = cfg->counts_slow;
	c->unset = cfg->check.uninit;
	c->follow = c->unset && cfg->check.follow;
	c->wave = cfg->wave;
	c->n = (cfg->wave + LANE_CHUNK - 1) / LANE_CHUNK * LANE_CHUNK;
	registers_place(c);
	private_place(c);
	c->entries = ARENA_ARRAY(c->arena, Entry, p->blocks.n + 1);
	u32 *first = xcalloc(p->blocks.n + 1, sizeof *first);
	Decoder *d = xcalloc(1, sizeof *d);
	d->c = c;
	d->p = p;
	d->uses = xcalloc(p->regs.n + 1, sizeof *d->uses);
	d->row = xcalloc(c->reg_bytes / LANE_CHUNK + 1, sizeof *d->row);
	for (u32 i = 0; i < p->ins.n; i++)
		for (u32 k = 0; k < p->ins.v[i].nsrc; k++)
			d->uses[ins_src(p, &p->ins.v[i])[k]]++;
	for (u32 b = 0; b < p->blocks.n; b++) {
		first[b] = c->steps.n;
		d->row_since = p->blocks.v[b].first + 1;
		for (u32 i = 0; i < p->blocks.v[b].n; i++) {
			d->index = p->blocks.v[b].first + i;
			d->ins = &p->ins.v[d->index];
			d->block = &p->blocks.v[b];
			d->dst = ins_dst(p, d->ins);
			d->src = ins_src(p, d->ins);
			d->tgt = ins_tgt(p, d->ins);
			instruction(d);
		}
	}
	for (u32 b = 0; b < p->blocks.n; b++) {
		u32 weight = p->blocks.v[b].weight;
		c->entries[b] = (Entry){c->steps.v + first[b], weight, weight ? weight : 1};
	}
	free(first);
	free(d->uses);
	free(d->row);
	free(d);
	return c;
}

void code_free(Code *c)
{
	if (!c)
		return;
	array_free(&c->steps);
	array_free(&c->accesses);
	array_free(&c->divisions);
	array_free(&c->flows);
	array_free(&c->sys);
	arena_free(c->arena);
	free(c);
}
