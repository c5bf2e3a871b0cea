/* Blocks, terminators and the copies of phis.
 *
 * The copies for an edge run as the lanes leave its source, so that no lane waits with
 * its value still in a register that later lanes overwrite: at the end of the source
 * when it has one successor, else in an edge block right behind it - edges out of the
 * loop first, the back edge last, which keeps the loop's latch its last block.
 *
 * A phi with one incoming value and no loop left one lane at a time needs no copy: it
 * is another name of that value. */
#include "frontend/lower/lowering.h"

#define for_each_phi(v, bb) \
	for (LLVMValueRef v = LLVMGetFirstInstruction(bb); v && LLVMIsAPHINode(v); \
	     v = LLVMGetNextInstruction(v))

static bool flow_is_name(const Lower *l, LLVMValueRef phi, u32 block)
{
	const Cfg *c = l->cfg;
	const CfBlock *b = &c->b[block];
	if (LLVMCountIncoming(phi) != 1 || b->npred != 1 || b->masked)
		return false;
	for (u32 x = c->b[b->pred[0]].loop; x != NO_BLOCK && !cfg_in_loop(c, block, x);
	     x = c->loops[x].parent) {
		if (c->loops[x].div_exit)
			return false;
	}
	return true;
}

static bool flow_has_copies(const Lower *l, u32 block)
{
	for_each_phi(v, l->cfg->b[block].bb) {
		if (!flow_is_name(l, v, block))
			return true;
	}
	return false;
}

/* Does the edge b -> s get a block? A conditional back edge always: the edges out of the
 * loop at the same branch must run their copies before the next iteration starts. */
static bool flow_edge_block(const Lower *l, u32 b, u32 s)
{
	return flow_has_copies(l, s) || cfg_is_back_edge(b, s);
}

/* The distinct successors of b, in the order of their edge blocks. seen: b of those that it has. */
static u32 flow_exits(const Cfg *c, u32 b, u32 *seen, u32 *out)
{
	const CfBlock *x = &c->b[b];
	u32 n = 0;
	for (u32 pass = 0; pass < 3; pass++) {
		for (u32 i = 0; i < x->nsucc; i++) {
			u32 s = x->succ[i];
			u32 rank = cfg_is_back_edge(b, s) ? 2 : cfg_in_loop(c, s, x->loop) ? 1 : 0;
			if (rank != pass || seen[s] == b)
				continue;
			seen[s] = b;
			out[n++] = s;
		}
	}
	return n;
}

/* The Program block that each successor of b is entered by. at: room for one of each block. */
static void flow_targets(const Lower *l, u32 b, u32 *at)
{
	CfBlock *x = &l->cfg->b[b];
	u32 id = x->id + 1;
	for (u32 i = 0; i < x->nexits; i++) {
		u32 s = x->exits[i];
		at[s] = x->nexits > 1 && flow_edge_block(l, b, s) ? id++ : l->cfg->b[s].id;
	}
	for (u32 i = 0; i < x->nsucc; i++)
		x->target[i] = at[x->succ[i]];
}

/* ---- copies ---- */

typedef struct Copy {
	u32 d, s;
} Copy;

/* All copies at once, in an order that loses nothing; cycles go through a spare register. */
static void flow_parallel(Lower *l, Copy *c, u32 n)
{
	while (n) {
		u32 i = 0;
		for (; i < n; i++) {
			u32 k = 0;
			while (k < n && (k == i || c[k].s != c[i].d))
				k++;
			if (k == n)
				break;
		}
		if (i == n) {
			u32 d = c[0].d;
			const Reg *r = &l->p->regs.v[d];
			u32 spare = program_reg(l->p, (Type)r->type, (RegKind)r->kind, NULL);
			lo_mov(l, spare, d);
			for (u32 k = 0; k < n; k++) {
				if (c[k].s == d)
					c[k].s = spare;
			}
			i = 0;
		}
		lo_mov(l, c[i].d, c[i].s);
		c[i] = c[--n];
	}
}

/* What a phi has for the edge from a block, or NULL. Edges come in about the order of the incoming
 * values, so each search begins where the last one ended. */
static LLVMValueRef flow_incoming(Lower *l, LLVMValueRef phi, u32 from)
{
	LLVMBasicBlockRef bb = l->cfg->b[from].bb;
	u32 n = LLVMCountIncoming(phi), *at = &lo_info(l, phi)->incoming;
	for (u32 i = 0; i < n; i++) {
		if (LLVMGetIncomingBlock(phi, *at) == bb)
			return LLVMGetIncomingValue(phi, *at);
		*at = *at + 1 < n ? *at + 1 : 0;
	}
	return NULL;
}

static void flow_copies(Lower *l, u32 from, u32 to)
{
	ARRAY(Copy) copies = {0};
	for_each_phi(v, l->cfg->b[to].bb) {
		const ValueShape *s = lo_shape(l, LLVMTypeOf(v));
		if (flow_is_name(l, v, to))
			continue;
		LLVMValueRef value = flow_incoming(l, v, from);
		const u32 *x = value ? lo_val(l, value) : NULL, *d = lo_info(l, v)->regs;
		for (u32 k = 0; x && k < s->n; k++) {
			if (d[k] != x[k])
				array_push(&copies, ((Copy){.d = d[k], .s = x[k]}));
		}
	}
	/* In the order of the phis as far as possible. */
	for (u32 i = 0; i < copies.n / 2; i++) {
		Copy t = copies.v[i];
		copies.v[i] = copies.v[copies.n - 1 - i];
		copies.v[copies.n - 1 - i] = t;
	}
	flow_parallel(l, copies.v, copies.n);
	array_free(&copies);
}

/* Registers for the phis, before anything refers to them. */
static void flow_phis(Lower *l)
{
	for (u32 b = 0; b < l->cfg->n; b++) {
		for_each_phi(v, l->cfg->b[b].bb) {
			const ValueShape *s = lo_shape(l, LLVMTypeOf(v));
			RegKind kind = lo_info(l, v)->divergent ? REG_VECTOR : REG_SCALAR;
			u32 *d = lo_regs(l, s->n);
			if (flow_is_name(l, v, b))
				continue;
			for (u32 i = 0; i < s->n; i++)
				d[i] = program_reg(l->p, (Type)s->c[i].type, kind, NULL);
			lo_set(l, v, d);
		}
	}
}

/* ---- terminators ---- */

static void flow_jump(Lower *l, u32 block)
{
	program_emit(l->p, OP_jmp, NULL, 0, NULL, 0, &block, 1, l->loc);
}

static void flow_switch(Lower *l, LLVMValueRef v)
{
	LLVMValueRef x = LLVMGetOperand(v, 0);
	const ValueShape *s = lo_shape(l, LLVMTypeOf(x));
	const Comp *k = &s->c[0];
	u32 n = LLVMGetNumSuccessors(v), *tgt = lo_regs(l, n), cases = l->p->cases.n;
	u32 r = lo_val1(l, x);
	u128 value = 0;
	if (s->wide || k->bits > 64)
		lo_error(l, "a switch over an integer of more than 64 bits");
	if (k->type == T_b1)
		r = lo_zext(l, r, T_i8);
	for (u32 i = 0; i < n; i++) {
		/* Operands: value, default, then each case with its block. */
		tgt[i] = l->cfg->b[l->block].target[i];
		if (i) {
			lo_const_int(LLVMGetOperand(v, 2 * i), &value);
			array_push(&l->p->cases, (i64)value);
		}
	}
	Ins *i = program_emit(l->p, OP_switch, NULL, 0, &r, 1, tgt, n, l->loc);
	i->cases = cases;
}

void lo_terminator(Lower *l, LLVMValueRef v)
{
	const CfBlock *b = &l->cfg->b[l->block];
	u32 tgt[2];
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMBr:
		tgt[0] = b->target[0];
		if (LLVMIsConditional(v) && b->succ[0] != b->succ[1]) {
			u32 c = lo_val1(l, LLVMGetCondition(v));
			tgt[1] = b->target[1];
			program_emit(l->p, OP_br, NULL, 0, &c, 1, tgt, 2, l->loc);
		} else {
			flow_jump(l, tgt[0]);
		}
		break;
	case LLVMSwitch:
		flow_switch(l, v);
		break;
	case LLVMRet:
		if (LLVMGetNumOperands(v)) {
			LLVMValueRef x = LLVMGetOperand(v, 0);
			lo_emit(l, OP_ret, NULL, 0, lo_val(l, x), lo_shape(l, LLVMTypeOf(x))->n);
		} else {
			lo_emit(l, OP_ret, NULL, 0, NULL, 0);
		}
		break;
	case LLVMUnreachable:
		lo_emit(l, OP_unreachable, NULL, 0, NULL, 0);
		break;
	default:
		lo_error(l, "a jump of a kind that OpenCL C does not have");
		lo_emit(l, OP_unreachable, NULL, 0, NULL, 0);
		break;
	}
}

/* ---- blocks ---- */

void lo_plan_blocks(Lower *l)
{
	Cfg *c = l->cfg;
	u32 id = l->p->blocks.n, *at = lo_regs(l, c->n);
	for (u32 b = 0; b < c->n; b++)
		at[b] = NO_BLOCK;
	for (u32 b = 0; b < c->n; b++) {
		CfBlock *x = &c->b[b];
		x->exits = lo_regs(l, x->nsucc);
		x->target = lo_regs(l, x->nsucc);
		x->nexits = flow_exits(c, b, at, x->exits);
		x->id = id++;
		for (u32 i = 0; x->nexits > 1 && i < x->nexits; i++)
			id += flow_edge_block(l, b, x->exits[i]);
	}
	for (u32 b = 0; b < c->n; b++)
		flow_targets(l, b, at);
	flow_phis(l);
}

void lo_enter_block(Lower *l, u32 b)
{
	const char *name = LLVMGetBasicBlockName(l->cfg->b[b].bb);
	u32 id = program_block(l->p, name && *name ? name : NULL);
	l->block = b;
	l->p->blocks.v[id].masked = l->cfg->b[b].masked;
	l->p->blocks.v[id].loop_depth = 0;
	if (l->cfg->b[b].loop != NO_BLOCK)
		l->p->blocks.v[id].loop_depth = (u16)l->cfg->loops[l->cfg->b[b].loop].depth;
}

/* The one incoming value of a phi that is only a name for it. */
bool lo_phi_name(Lower *l, LLVMValueRef phi)
{
	if (!flow_is_name(l, phi, l->block))
		return false;
	lo_set(l, phi, lo_val(l, LLVMGetIncomingValue(phi, 0)));
	return true;
}

void lo_leave_block(Lower *l)
{
	const CfBlock *x = &l->cfg->b[l->block];
	if (x->nexits == 1)
		flow_copies(l, l->block, x->exits[0]);
}

void lo_edge_blocks(Lower *l)
{
	u32 b = l->block;
	const CfBlock *x = &l->cfg->b[b];
	for (u32 i = 0; x->nexits > 1 && i < x->nexits; i++) {
		u32 s = x->exits[i];
		if (!flow_edge_block(l, b, s))
			continue;
		lo_enter_block(l, b);
		l->p->blocks.v[l->p->blocks.n - 1].name = NULL;
		flow_copies(l, b, s);
		flow_jump(l, l->cfg->b[s].id);
	}
}
