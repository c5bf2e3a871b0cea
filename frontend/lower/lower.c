/* The walk over the module: functions, parameters, blocks, instructions. */
#include "frontend/codegen/codegen.h"
#include "frontend/lower/symbols.h"

#include <llvm-c/DebugInfo.h>

/* ---- functions ---- */

static void lower_collect(Lower *l, LLVMValueRef fn)
{
	void **slot = ptrmap_slot(l->funcs, fn);
	if (*slot)
		return;
	Cfg *c = cfg_new(l->arena, fn);
	*ptrmap_slot(l->funcs, fn) = c;
	c->func = l->nfns;
	Cfg **fns = ARENA_ARRAY(l->arena, Cfg *, l->nfns + 1);
	if (l->nfns)
		memcpy(fns, l->fns, l->nfns * sizeof *fns);
	fns[l->nfns++] = c;
	l->fns = fns;
	for (u32 b = 0; b < c->n; b++) {
		LLVMValueRef v = LLVMGetFirstInstruction(c->b[b].bb);
		for (; v; v = LLVMGetNextInstruction(v)) {
			LLVMValueRef f = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
			if (f && LLVMIsAFunction(f) && LLVMCountBasicBlocks(f))
				lower_collect(l, f);
		}
	}
}

/* Why v cannot be lowered: its type or an operand's. */
static const char *lower_bad_type(Lower *l, LLVMValueRef v)
{
	const char *bad = lo_shape(l, LLVMTypeOf(v))->bad;
	for (u32 i = 0; i < (u32)LLVMGetNumOperands(v) && !bad; i++) {
		LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(v, i));
		LLVMTypeKind kind = LLVMGetTypeKind(t);
		if (kind != LLVMMetadataTypeKind && kind != LLVMLabelTypeKind)
			bad = lo_shape(l, t)->bad;
	}
	return bad;
}

static u32 lower_list(Lower *l, const u32 *regs, u32 n)
{
	u32 first = l->p->opnds.n;
	for (u32 i = 0; i < n; i++)
		array_push(&l->p->opnds, regs[i]);
	return first;
}

static void lower_kernel_param(Lower *l, LLVMValueRef v, u32 arg)
{
	const ValueShape *s = lo_shape(l, LLVMTypeOf(v));
	const KernelArg *k = arg < l->m->args.n ? &l->m->args.v[arg] : NULL;
	const char *name = k && k->name ? k->name : lo_name(l, v);
	u32 *d = lo_regs(l, s->n), off = 0;
	for (u32 i = 0; i < s->n; i++) {
		d[i] = program_reg(l->p, (Type)s->c[i].type, REG_SCALAR, name);
		Param p = {.reg = d[i], .arg = arg, .offset = off};
		p.by_address = k && k->kind == ARG_VALUE && s->c[i].cls == C_PTR;
		off += type_bytes[s->c[i].type];
		array_push(&l->p->params, p);
	}
	lo_set(l, v, d);
}

static void lower_params(Lower *l)
{
	LLVMValueRef fn = l->cfg->fn;
	Func f = {.first_block = l->p->blocks.n};
	ARRAY(u32) regs = {0};
	size_t len;
	u32 n = LLVMCountParams(fn);
	for (u32 i = 0; i < n; i++) {
		LLVMValueRef v = LLVMGetParam(fn, i);
		const ValueShape *s = lo_shape(l, LLVMTypeOf(v));
		if (l->cfg->func == 0) {
			lower_kernel_param(l, v, i);
			continue;
		}
		u32 *d = lo_regs(l, s->n);
		for (u32 k = 0; k < s->n; k++) {
			d[k] = program_reg(l->p, (Type)s->c[k].type,
			                   lo_info(l, v)->divergent ? REG_VECTOR : REG_SCALAR, NULL);
			array_push(&regs, d[k]);
		}
		lo_set(l, v, d);
	}
	f.name = arena_strdup(l->p->arena, l->cfg->func ? LLVMGetValueName2(fn, &len)
	                                                : l->m->kernel_name);
	f.params = lower_list(l, regs.v, regs.n);
	f.nparams = regs.n;
	regs.n = 0;
	if (l->cfg->func) {
		const ValueShape *s = lo_shape(l, LLVMGetReturnType(LLVMGlobalGetValueType(fn)));
		for (u32 k = 0; k < s->n; k++)
			array_push(&regs, program_reg(l->p, (Type)s->c[k].type,
			                              l->cfg->div_ret ? REG_VECTOR : REG_SCALAR, NULL));
	}
	f.results = lower_list(l, regs.v, regs.n);
	f.nresults = regs.n;
	array_push(&l->p->funcs, f);
	array_free(&regs);
}

/* ---- instructions ---- */

static bool lower_one(Lower *l, LLVMValueRef v);

static bool lower_binary(Lower *l, LLVMOpcode op, LLVMValueRef v)
{
	const ValueShape *s = lo_shape(l, LLVMTypeOf(v));
	if (s->wide)
		return lo_wide_binary(l, op, v);
	const u32 *a = lo_val(l, LLVMGetOperand(v, 0)), *b = lo_val(l, LLVMGetOperand(v, 1));
	u32 *d = lo_regs(l, s->n);
	for (u32 i = 0; i < s->n; i++)
		d[i] = s->c[i].cls == C_INT ? lo_int_binary(l, op, &s->c[i], a[i], b[i])
		                            : lo_flt_binary(l, op, &s->c[i], a[i], b[i]);
	lo_set(l, v, d);
	return true;
}

static bool lower_compare(Lower *l, LLVMOpcode op, LLVMValueRef v)
{
	LLVMValueRef x = LLVMGetOperand(v, 0);
	const ValueShape *s = lo_shape(l, LLVMTypeOf(x));
	if (s->wide) {
		lo_wide_icmp(l, v);
		return true;
	}
	const u32 *a = lo_val(l, x), *b = lo_val(l, LLVMGetOperand(v, 1));
	u32 *d = lo_regs(l, s->n);
	for (u32 i = 0; i < s->n; i++)
		d[i] = op == LLVMICmp ? lo_icmp(l, LLVMGetICmpPredicate(v), &s->c[i], a[i], b[i])
		                      : lo_fcmp(l, LLVMGetFCmpPredicate(v), &s->c[i], a[i], b[i]);
	lo_set(l, v, d);
	return true;
}

static bool lower_fneg(Lower *l, LLVMValueRef v)
{
	const ValueShape *s = lo_shape(l, LLVMTypeOf(v));
	const u32 *a = lo_val(l, LLVMGetOperand(v, 0));
	u32 *d = lo_regs(l, s->n);
	for (u32 i = 0; i < s->n; i++)
		d[i] = lo_neg(l, &s->c[i], a[i]);
	lo_set(l, v, d);
	return true;
}

static bool lower_one(Lower *l, LLVMValueRef v)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(v);
	switch (op) {
	case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMUDiv: case LLVMSDiv: case LLVMURem:
	case LLVMSRem: case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr:
	case LLVMXor: case LLVMFAdd: case LLVMFSub: case LLVMFMul: case LLVMFDiv: case LLVMFRem:
		return lower_binary(l, op, v);
	case LLVMFNeg:
		return lower_fneg(l, v);
	case LLVMICmp: case LLVMFCmp:
		return lower_compare(l, op, v);
	case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMFPToUI: case LLVMFPToSI:
	case LLVMUIToFP: case LLVMSIToFP: case LLVMFPTrunc: case LLVMFPExt: case LLVMPtrToInt:
	case LLVMIntToPtr: case LLVMBitCast: case LLVMAddrSpaceCast:
		return lo_cast(l, op, v);
	case LLVMExtractElement: case LLVMInsertElement: case LLVMShuffleVector:
	case LLVMExtractValue: case LLVMInsertValue: case LLVMSelect: case LLVMFreeze:
		return lo_vector(l, op, v);
	case LLVMGetElementPtr: case LLVMLoad: case LLVMStore: case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg: case LLVMAlloca: case LLVMFence:
		return lo_memory(l, op, v);
	case LLVMCall:
		return lo_call(l, v);
	case LLVMPHI:
		lo_phi_name(l, v);
		return true;
	default:
		lo_error(l, "an LLVM instruction that wavesim does not know (opcode %d)", (int)op);
		diag_hint(l->d, "please report it with the kernel that needs it");
		return false;
	}
}

/* For a debugger, a place in each of the functions that it is inlined into. */
u32 lo_place(Lower *l, LLVMMetadataRef place)
{
	Loc x = fe_place(l->m, place);
	u32 i = program_loc(l->p, x.file, x.line, x.col);
	if (!l->p->symbols || !i)
		return i;
	void **slot = ptrmap_slot(l->places, place);
	if (!*slot) {
		array_push(&l->p->locs, l->p->locs.v[i]);
		i = l->p->locs.n - 1;
		*slot = (void *)(uintptr_t)i;
		lo_symbol_scope(l, i, place);
		return i;
	}
	return (u32)(uintptr_t)*slot;
}

static u32 lower_loc(Lower *l, LLVMValueRef v)
{
	LLVMMetadataRef m = LLVMInstructionGetDebugLoc(v);
	if (!m)
		return 0;
	void **slot = ptrmap_slot(l->locs, m);
	if (!*slot) {
		LLVMMetadataRef place = fe_users_place(l->m, m);
		u32 i = place ? lo_place(l, place) : 0;
		*ptrmap_slot(l->locs, m) = (void *)(uintptr_t)(i + 1);
		return i;
	}
	return (u32)(uintptr_t)*slot - 1;
}

/* Copies of a value that is used behind a loop which lanes leave one by one, without a
 * phi at the exit: a masked copy after each computation keeps each lane's last value. */
static void lower_shadow(Lower *l, LLVMValueRef v)
{
	const Cfg *c = l->cfg;
	VInfo *info = lo_info(l, v);
	const ValueShape *s = lo_shape(l, LLVMTypeOf(v));
	u32 loop = c->b[l->block].loop;
	bool behind = false;
	if (!s->n || !info->regs || loop == NO_BLOCK)
		return;
	for (LLVMUseRef u = LLVMGetFirstUse(v); u && !behind; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		u32 at = lo_info(l, user)->block, n = LLVMIsAPHINode(user) ? LLVMCountIncoming(user) : 0;
		for (u32 i = 0; i < n; i++) {
			LLVMBasicBlockRef bb = LLVMGetIncomingBlock(user, i);
			if (LLVMGetIncomingValue(user, i) == v)
				at = lo_info(l, LLVMGetBasicBlockTerminator(bb))->block;
		}
		for (u32 x = loop; x != NO_BLOCK && !cfg_in_loop(c, at, x); x = c->loops[x].parent)
			behind |= c->loops[x].div_exit;
	}
	if (!behind)
		return;
	info->shadow = lo_regs(l, s->n);
	for (u32 i = 0; i < s->n; i++) {
		info->shadow[i] = program_reg(l->p, (Type)s->c[i].type, REG_VECTOR, NULL);
		lo_mov(l, info->shadow[i], info->regs[i]);
	}
}

static void lower_block(Lower *l, u32 b)
{
	LLVMBasicBlockRef bb = l->cfg->b[b].bb;
	LLVMValueRef term = LLVMGetBasicBlockTerminator(bb);
	lo_enter_block(l, b);
	u32 origin = codegen_block(l->m, bb);
	if (origin < l->p->origins.n)
		l->p->origins.v[origin] = l->p->blocks.n - 1;
	for (LLVMValueRef v = LLVMGetFirstInstruction(bb); v != term; v = LLVMGetNextInstruction(v)) {
		l->ins = v;
		l->loc = lower_loc(l, v);
		const char *bad = lower_bad_type(l, v);
		if (bad) {
			lo_error(l, "%s, which wavesim does not support", bad);
			continue;
		}
		lower_one(l, v);
		lower_shadow(l, v);
	}
	l->ins = term;
	l->loc = lower_loc(l, term);
	lo_leave_block(l);
	lo_terminator(l, term);
	lo_edge_blocks(l);
}

static void lower_function(Lower *l, Cfg *c)
{
	l->cfg = c;
	l->ins = NULL;
	lower_params(l);
	lo_plan_blocks(l);
	for (u32 b = 0; b < c->n; b++)
		lower_block(l, b);
}

/* For a debugger, registers are called what they hold: "acc[2]". */
static void name_registers(Lower *l)
{
	for (u32 i = 0; l->p->symbols && i < l->vars.n; i++) {
		const RegVar *v = &l->vars.v[i];
		Reg *r = &l->p->regs.v[i];
		if (v->name && r->kind != REG_CONST)
			r->name = v->part == PART_WHOLE  ? v->name
			          : v->part == PART_LANE ? arena_printf(l->p->arena, "%s.s%x", v->name, v->index)
			                                 : arena_printf(l->p->arena, "%s[%u]", v->name, v->index);
	}
}

/* Bytes of the floats that are stored at addresses made of this one, where nothing else is; 0: something is, or may be.
 * Of another size than *bytes, unless that is 0, they are something else. */
static bool stores_floats(const FeModule *m, LLVMValueRef address, u64 *bytes, u32 steps)
{
	for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u);
		if (!LLVMIsAInstruction(i) || !steps)
			return false;
		LLVMOpcode op = LLVMGetInstructionOpcode(i);
		if (op == LLVMGetElementPtr || op == LLVMBitCast || op == LLVMAddrSpaceCast) {
			if (!stores_floats(m, i, bytes, steps - 1))
				return false;
		} else if (op == LLVMStore && LLVMGetOperand(i, 0) != address) {
			LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(i, 0));
			t = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
			LLVMTypeKind kind = LLVMGetTypeKind(t);
			u64 n = LLVMABISizeOfType(m->td, t);
			if ((kind != LLVMHalfTypeKind && kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind) ||
			    (*bytes && n != *bytes))
				return false;
			*bytes = n;
		} else if (op != LLVMLoad && op != LLVMICmp) {
			return false;
		}
	}
	return true;
}

/* KernelArg.stores_floats: what a kernel makes of bytes only its code says, such as *(float *)(bytes + offset) = x. */
static u8 floats_stored(const FeModule *m, u32 i, const KernelArg *a)
{
	enum { STEPS = 16 };
	u64 bytes = 0;
	bool plain = a->kind == ARG_GLOBAL && a->elem_bytes == 1 && a->width == 1 && i < LLVMCountParams(m->kernel);
	return plain && stores_floats(m, LLVMGetParam(m->kernel, i), &bytes, STEPS) ? (u8)bytes : 0;
}

Program *lower_program(const FeModule *m, Diag *d)
{
	u32 errors = d->errors;
	Lower l = {.m = m, .td = m->td, .d = d, .p = program_new(), .arena = arena_new()};
	l.values = map_new(l.arena);
	l.shapes = map_new(l.arena);
	l.locs = map_new(l.arena);
	l.objects = map_new(l.arena);
	l.funcs = map_new(l.arena);
	l.types = map_new(l.arena);
	l.scopes = map_new(l.arena);
	l.places = map_new(l.arena);
	l.p->symbols = m->debug ? symbols_new() : NULL;
	for (u32 i = 0; i < SPACE_COUNT; i++)
		l.seg[i] = 1;
	l.p->kernel = arena_strdup(l.p->arena, m->kernel_name);
	memcpy(l.p->reqd_local, m->reqd_local, sizeof l.p->reqd_local);
	l.p->max_group = m->max_group;
	l.p->constant_args = m->constant_args;
	for (u32 i = 0; i < m->args.n; i++) {
		KernelArg a = m->args.v[i];
		a.name = arena_strdup(l.p->arena, a.name);
		a.type_name = arena_strdup(l.p->arena, a.type_name);
		a.stores_floats = floats_stored(m, i, &a);
		a.floats = a.floats ? memcpy(arena_alloc(l.p->arena, a.size), a.floats, a.size) : NULL;
		array_push(&l.p->args, a);
	}
	for (u32 i = 0; i < codegen_nblocks(m); i++)
		array_push(&l.p->origins, NO_BLOCK);
	lower_collect(&l, m->kernel);
	uniform_run(&l);
	for (u32 i = 0; i < l.nfns; i++)
		lower_function(&l, l.fns[i]);
	while (l.vars.n < l.p->regs.n)
		array_push(&l.vars, ((RegVar){0}));
	lo_symbol_rest(&l);
	name_registers(&l);
	if (d->errors == errors) {
		regs_run(l.p, l.vars.v);
		program_finish(l.p);
	} else {
		program_free(l.p);
		l.p = NULL;
	}
	array_free(&l.vars);
	array_free(&l.known);
	hash_index_free(&l.known_at);
	arena_free(l.arena);
	return l.p;
}
