/* The Program's own instructions as issue costs, for devices that no code generator here knows and
 * for widths that the chip lacks. Each lane operation is taken for as many instructions as such
 * a chip needs (hardware tables: divisions expand, 64-bit arithmetic is done in halves); a wait
 * stands before the first use of what a load brings.
 *
 * VLIW chips start several operations of a lane at a time: those of a block go into the first
 * bundle after the ones that their operands come from with slots left, between two memory
 * accesses (a clause). That is what LLVM's r600 back end does, too. */
#include "models/device/lds_plan.h"
#include "models/timing/cost_ops.h"
#include "models/timing/zeros.h"

static MachineClass class_of_access(const Ins *i, bool write, bool scalar)
{
	u32 space = cost_space(i, write);
	bool lds = space == SPACE_LDS;
	if (space == SPACE_PRIVATE)
		return MC_scratch;
	if (i->op == OP_atomic || i->op == OP_cas)
		return lds ? MC_lds_atomic : MC_vmem_atomic;
	if (write)
		return lds ? MC_lds_write : MC_vmem_store;
	return lds ? MC_lds_read : scalar ? MC_smem : MC_vmem_load;
}

enum { MOST_ROOTS = 8 };
#define NO_ARGUMENT (NO_BLOCK - 1)

/* An LDS or private address of this block: others differ from it by a constant only, which an access adds. */
typedef struct Root {
	u32 base, index, ins; /* registers; Costs.ins index + 1 that computes it */
	i64 k;
} Root;

typedef struct IrCosts {
	Costs *x;
	const Device *dev;
	const Program *p;
	CostOps *ops;
	Predicates predicates;
	bool *parts;       /* per block: its end begins what ends at a reconvergence point (reconverges) */
	bool *reconverges; /* per block: it is the reconvergence point of a divergent branch */
	Root root[MOST_ROOTS];
	u32 nroots;
	u32 carried_vm, carried_lgkm; /* the last loads that another block waits for */
	u32 *writer; /* per register: Costs instruction + 1 that wrote it last in this block */
	u32 *loads;  /* per register: the load that brings it, as a count of its kind + 1 */
	bool *is_lds;
	u32 vm, lgkm; /* loads issued in this block */
	u32 waited_vm, waited_lgkm; /* of these known to be there */
	u32 first;    /* of the block in Costs.ins */
	u32 clause;   /* VLIW: the arithmetic since here (Costs.ins) is bundles */
	u32 *read;    /* per register: the block that read the argument in it last, NO_BLOCK: none yet; or NO_ARGUMENT */
	ARRAY(u8) used; /* of each of them: slots taken, TRANS_SLOT among them */
} IrCosts;

static CostIns plain(const IrCosts *w, MachineClass cls, u32 line)
{
	CostIns x = {.cls = (u8)cls, .vm = NO_WAIT, .lgkm = NO_WAIT, .vs = NO_WAIT, .parts = 1, .line = line};
	x.cycles = (u16)cost_cycles(w->dev, cls, w->x->wave);
	return x;
}

/* What an instruction waits for: what it reads, and its predicate. */
static u32 predicate_of(const IrCosts *w, const Ins *i) { return w->predicates.by[i - w->p->ins.v]; }

static u32 operands(const IrCosts *w, const Ins *i) { return i->nsrc + (predicate_of(w, i) != NO_PREDICATE ? 1u : 0u); }

static u32 operand(const IrCosts *w, const Ins *i, u32 k)
{
	return k < i->nsrc ? ins_src(w->p, i)[k] : predicate_of(w, i);
}

/* Loads return in order: what was issued after the wanted one may be under way still. */
static void put_wait(IrCosts *w, const Ins *i, u32 line)
{
	u32 vm = 0, lgkm = 0;
	for (u32 k = 0; k < operands(w, i); k++) {
		u32 r = operand(w, i, k), n = w->loads[r];
		if (n && w->is_lds[r] && n > lgkm)
			lgkm = n;
		if (n && !w->is_lds[r] && n > vm)
			vm = n;
	}
	if (vm <= w->waited_vm && lgkm <= w->waited_lgkm)
		return;
	CostIns x = plain(w, MC_waitcnt, line);
	u32 left;
	if (vm > w->waited_vm) {
		left = w->vm - vm;
		x.vm = (u8)(left < 63 ? left : 63);
		w->waited_vm = vm;
	}
	if (lgkm > w->waited_lgkm) {
		left = w->lgkm - lgkm;
		x.lgkm = (u8)(left < 63 ? left : 63);
		w->waited_lgkm = lgkm;
	}
	array_push(&w->x->ins, x);
}

/* What the next instruction needs: CostIns.dep and .guard. */
typedef struct Needs {
	u8 dep, guard;
} Needs;

/* From the next instruction back to the last that wrote any of the operands of i from `from` to `to`; 0: too far to
 * mind. */
static u8 distance_back(const IrCosts *w, const Ins *i, u32 from, u32 to)
{
	u32 best = 0;
	for (u32 k = from; k < to; k++) {
		u32 by = w->writer[operand(w, i, k)];
		if (by > w->first && by > best)
			best = by;
	}
	u32 d = best ? w->x->ins.n + 1 - best : 0;
	return d < NO_WAIT ? (u8)d : 0;
}

static Needs needs_of(const IrCosts *w, const Ins *i)
{
	u32 all = operands(w, i), guard = !w->dev->guard_latency ? all : i->op == OP_br ? 0 : i->nsrc;
	return (Needs){distance_back(w, i, 0, guard), distance_back(w, i, guard, all)};
}

static void set_needs(CostIns *x, Needs needs)
{
	x->dep = needs.dep;
	x->guard = needs.guard;
}

/* Instruction i gives a register a value that is there when `writer` (Costs.ins index + 1) is, or the load with that
 * number is; 0: none. Under a predicate it may keep what it had, and is there when both are. */
static void wrote(IrCosts *w, const Ins *i, u32 reg, u32 writer, u32 load, bool lds)
{
	if (predicate_of(w, i) != NO_PREDICATE) {
		u32 had = w->loads[reg];
		writer = w->writer[reg] > writer ? w->writer[reg] : writer;
		/* Of a load of either kind the one from memory takes longer. */
		bool keeps = had && (!load || (w->is_lds[reg] == lds ? had > load : lds));
		load = keeps ? had : load;
		lds = keeps ? w->is_lds[reg] : lds;
	}
	w->writer[reg] = writer;
	w->loads[reg] = load;
	w->is_lds[reg] = lds;
}

static void put_number(IrCosts *w, CostIns *x, u32 ins, bool write)
{
	x->first_access = w->x->access_of.n;
	x->naccess = 1;
	array_push(&w->x->access_of, w->x->access[ins] + write);
}

static void put_inputs(IrCosts *w, u32 n, u32 line)
{
	for (u32 k = 0; k < n; k++)
		array_push(&w->x->ins, plain(w, MC_salu, line));
}

/* (Ids come first of all that can be asked for.) */
static bool asks_id(const Ins *i) { return i->op == OP_query && i->aux <= QUERY_group_id_z; }

/* Instructions that get what block b reads of the wavefront's ids and of arguments: NVIDIA's assembler reads each where
 * a block needs it, but before a loop. (What is put is 0.82 of what SASS of 66 kernels has, by the median.) */
static void put_reads(IrCosts *w, u32 b, const u32 *list, u32 n)
{
	enum { AT_START = 2 }; /* the stack's place, and that of global memory */
	if (!cost_counts_inputs(w->dev) || w->p->blocks.v[b].loop_depth)
		return;
	for (u32 k = 0; k < n; k++) {
		const Ins *i = &w->p->ins.v[list[k]];
		u32 times = asks_id(i);
		if (b == 0 && k == 0)
			times += AT_START;
		for (u32 j = 0; j < i->nsrc; j++) {
			u32 *read = &w->read[ins_src(w->p, i)[j]];
			if (*read == NO_ARGUMENT || *read == b)
				continue;
			*read = b;
			times++;
		}
		const SrcLoc *loc = times ? program_place(w->p, i->loc) : NULL;
		put_inputs(w, times, loc ? cost_line(w->x, loc->file, loc->line) : 0);
	}
}

/* Where in a wavefront's frame a private address lies (as sim/decode.c lays objects out). */
static u64 private_place(const Program *p, u64 address)
{
	u64 base = 0;
	for (u32 i = 0; i < p->objects.n; i++) {
		const Object *o = &p->objects.v[i];
		u64 from = (u64)o->seg << SEG32_SHIFT;
		if (o->space == SPACE_PRIVATE && address >= from && address - from < o->size)
			return base + address - from;
		base += object_private_bytes(o);
	}
	return 0;
}

/* A fill of private memory of a size that is known: a store for each dword (of bytes the card has one for each, which
 * take 1.5 to 1.7 times as long). True: it is one. */
static bool put_fill(IrCosts *w, const Ins *i, u32 line)
{
	enum { DWORD = 4, MOST_STORES = 1024 };
	if (i->op != OP_fill || i->space != SPACE_PRIVATE || !cost_fills(w->dev))
		return false;
	const Reg *to = &w->p->regs.v[ins_src(w->p, i)[0]], *size = &w->p->regs.v[ins_src(w->p, i)[2]];
	if (to->kind != REG_CONST || size->kind != REG_CONST)
		return false;
	CostIns x = plain(w, MC_scratch, line);
	x.write = x.separate = true;
	x.lds.bytes = DWORD;
	u64 n = ((u64)size->value + DWORD - 1) / DWORD, first = private_place(w->p, (u64)to->value) / DWORD;
	for (u64 k = 0; k < n && k < MOST_STORES; k++) {
		x.frame = (first + k) * DWORD * w->x->wave;
		array_push(&w->x->ins, x);
	}
	return true;
}

/* A copy: all it loads, a wait, all it stores; a fill stores only. What else they have in private memory is
 * not recorded: registers. */
static void put_move(IrCosts *w, u32 ins, u32 line)
{
	const Ins *i = &w->p->ins.v[ins];
	bool filled = put_fill(w, i, line);
	for (u32 write = 0; write < 2 && !filled; write++) {
		if (!cost_accesses(i, write))
			continue;
		bool scalar = cost_space(i, write) == SPACE_CONSTANT && cost_in_bank(w->ops, i) &&
		              w->p->regs.v[ins_src(w->p, i)[1]].kind != REG_VECTOR;
		CostIns x = plain(w, class_of_access(i, write, scalar), line), wait = plain(w, MC_waitcnt, line);
		put_number(w, &x, ins, write);
		set_needs(&x, needs_of(w, i));
		x.moves = (u8)access_parts(w->dev, w->p, i);
		x.write = write;
		bool lds = cost_space(i, write) == SPACE_LDS || scalar;
		x.separate = !lds && write && cost_stores_separate(w->dev);
		array_push(&w->x->ins, x);
		if (write)
			continue;
		*(lds ? &wait.lgkm : &wait.vm) = 0;
		array_push(&w->x->ins, wait);
	}
	w->waited_vm = w->vm;
	w->waited_lgkm = w->lgkm;
}

/* An atomic whose lanes have one address, as the compiler sees, and whose values can be put together before. */
static bool joins(const IrCosts *w, const Ins *i)
{
	if (w->dev->uniform_atomics != UNIFORM_ATOMICS_joined || i->op != OP_atomic || i->aux == ATOMIC_xchg ||
	    i->aux == ATOMIC_nand || i->aux >= ATOMIC_fadd)
		return false;
	const u32 *src = ins_src(w->p, i);
	return w->p->regs.v[src[0]].kind != REG_VECTOR && w->p->regs.v[src[1]].type == T_i32;
}

/* From one register to another. */
static void put_copy(IrCosts *w, Needs needs, u32 line)
{
	CostIns x = plain(w, MC_valu, line);
	x.pipe = PIPE_EITHER;
	set_needs(&x, needs);
	array_push(&w->x->ins, x);
}

static void put_access(IrCosts *w, u32 ins, u32 line)
{
	const Ins *i = &w->p->ins.v[ins];
	bool scalar = w->p->regs.v[ins_src(w->p, i)[0]].kind != REG_VECTOR && i->op == OP_ld &&
	              (cost_in_bank(w->ops, i) || w->dev->codegen == DEVICE_CODEGEN_amdgcn);
	bool image = i->op == OP_image, write = image ? i->aux == IMAGE_WRITE : i->op != OP_ld;
	if (image && cost_counts_inputs(w->dev)) {
		put_inputs(w, 1, line);       /* its place */
		put_copy(w, (Needs){0}, line); /* coordinates lie in neighbouring registers */
	}
	CostIns x = plain(w, class_of_access(i, write, scalar), line);
	if (w->dev->texture_query_cycles && cost_queries_image(w->p, i)) {
		x = plain(w, MC_vmem_load, line);
		x.queries = (u8)i->ndst;
	}
	if (w->x->access[ins] != NO_ACCESS)
		put_number(w, &x, ins, write);
	set_needs(&x, needs_of(w, i));
	x.constant = x.cls == MC_vmem_load && w->dev->constant_cycles && cost_in_bank(w->ops, i);
	bool lds = i->space == SPACE_LDS || x.cls == MC_smem, carried = false;
	x.write = i->op == OP_st || (image && write);
	x.image = image;
	x.fetch = image && i->aux == IMAGE_FETCH;
	x.joined = joins(w, i);
	x.separate = !lds && !i->ndst && cost_stores_separate(w->dev);
	u32 parts = access_parts(w->dev, w->p, i), n = 0;
	if (x.cls == MC_scratch)
		x.lds.bytes = (u16)((ins_access_bytes(w->p, i) + parts - 1) / parts);
	x.frame = NO_FRAME;
	for (u32 k = 0; k < parts; k++) {
		x.part = (u8)k;
		x.parts = (u8)parts;
		array_push(&w->x->ins, x);
		if (lds)
			n = ++w->lgkm;
		else if (!x.separate)
			n = ++w->vm;
		set_needs(&x, (Needs){0});
	}
	for (u32 k = 0; k < i->ndst; k++) {
		u32 r = ins_dst(w->p, i)[k];
		wrote(w, i, r, w->writer[r], n, lds);
		carried |= w->ops->reg[r].leaves;
	}
	if (carried)
		*(lds ? &w->carried_lgkm : &w->carried_vm) = n;
}

/* ---- bundles ---- */

enum { TRANS_SLOT = 128 };

/* Slots that an operation takes. With five, the last is the only one for some, and no other takes
 * it while one of four is left; with four, those take three (products all four). */
static u8 slots_of(const Device *dev, MachineClass cls)
{
	bool five = dev->vliw_slots > 4;
	switch (cls) {
	case MC_trans:
	case MC_trans_f64: return five ? TRANS_SLOT : 3;
	case MC_valu_mul: return five ? TRANS_SLOT : 4;
	case MC_valu_cvt: return five ? TRANS_SLOT : 1;
	case MC_valu_f64_add: return 2;
	case MC_valu_f64_mul: return 4;
	default: return 1;
	}
}

static bool take_slots(const Device *dev, u8 *used, u8 want)
{
	u32 most = dev->vliw_slots > 4 ? 4 : dev->vliw_slots;
	if (want == TRANS_SLOT || (want == 1 && (*used & ~TRANS_SLOT) >= (int)most && dev->vliw_slots > 4)) {
		if (*used & TRANS_SLOT)
			return false;
		*used |= TRANS_SLOT;
		return true;
	}
	if ((*used & ~TRANS_SLOT) + want > (int)most)
		return false;
	*used = (u8)(*used + want);
	return true;
}

/* The bundle that takes an operation: a Costs.ins index, the end when a new one is needed. */
static u32 find_bundle(IrCosts *w, const Ins *i, u8 want)
{
	u32 at = w->clause, end = w->x->ins.n;
	for (u32 k = 0; k < i->nsrc; k++) {
		u32 by = w->writer[ins_src(w->p, i)[k]];
		at = by > at ? by : at;
	}
	while (at < end && !take_slots(w->dev, &w->used.v[at - w->clause], want))
		at++;
	return at;
}

static void put_bundled(IrCosts *w, const Ins *i, CostIns x, MachineClass cls)
{
	u8 want = slots_of(w->dev, cls);
	if (w->clause + w->used.n != w->x->ins.n) { /* something else came in between */
		w->clause = w->x->ins.n;
		w->used.n = 0;
	}
	u32 at = find_bundle(w, i, want);
	if (at == w->x->ins.n) {
		u8 used = 0;
		take_slots(w->dev, &used, want);
		array_push(&w->used, used);
		array_push(&w->x->ins, x);
	}
	CostIns *b = &w->x->ins.v[at];
	b->cycles = x.cycles > b->cycles ? x.cycles : b->cycles;
	for (u32 k = 0; k < i->nsrc; k++) {
		u32 by = w->writer[ins_src(w->p, i)[k]];
		u32 far = by > w->first && by <= at ? at + 1 - by : 0;
		if (far && far < NO_WAIT && (!b->dep || far < b->dep))
			b->dep = (u8)far;
	}
	for (u32 k = 0; k < i->ndst; k++)
		wrote(w, i, ins_dst(w->p, i)[k], at + 1, 0, false);
}

/* What costs nothing has its result when its operands are there. */
static void put_nothing(IrCosts *w, const Ins *i)
{
	u32 best = 0, load = 0;
	bool lds = false;
	for (u32 k = 0; k < i->nsrc; k++) {
		u32 r = ins_src(w->p, i)[k];
		best = w->writer[r] > best ? w->writer[r] : best;
		if (w->loads[r] > load) {
			load = w->loads[r];
			lds = w->is_lds[r];
		}
	}
	for (u32 k = 0; k < i->ndst; k++)
		wrote(w, i, ins_dst(w->p, i)[k], best, load, lds);
}

/* x + constant as an index: x; the addition costs nothing when addresses alone read it. */
static u32 root_of(const IrCosts *w, u32 index)
{
	const RegUse *r = &w->ops->reg[index];
	const Ins *by = r->ndefs == 1 && !r->leaves ? &w->p->ins.v[r->def] : NULL;
	return by && adds_constant(w->p, w->ops->zeros, by) ? ins_src(w->p, by)[0] : index;
}

/* The address of an element that a constant parts from one known already. */
static bool put_address(IrCosts *w, const Ins *i)
{
	if (i->op != OP_lea_i32)
		return false;
	Root want = {ins_src(w->p, i)[0], root_of(w, ins_src(w->p, i)[1]), 0, i->imm};
	for (u32 k = 0; k < w->nroots; k++) {
		const Root *at = &w->root[k];
		if (at->base != want.base || at->index != want.index || at->k != want.k)
			continue;
		wrote(w, i, ins_dst(w->p, i)[0], at->ins, 0, false);
		return true;
	}
	want.ins = w->x->ins.n + 1;
	w->root[w->nroots < MOST_ROOTS ? w->nroots++ : 0] = want;
	return false;
}

/* An index that only addresses read, and that differs from another by a constant. */
static bool is_offset(const IrCosts *w, const Ins *i)
{
	if (w->dev->vliw_slots > 1 || !adds_constant(w->p, w->ops->zeros, i))
		return false;
	u32 r = ins_dst(w->p, i)[0];
	const RegUse *use = &w->ops->reg[r];
	return use->nuses == 1 && !use->leaves && w->p->ins.v[use->use].op == OP_lea_i32 && root_of(w, r) != r;
}

/* What they add costs nothing, so nothing can be part of it. */
static void find_offsets(IrCosts *w)
{
	for (u32 i = 0; i < w->p->ins.n; i++)
		w->ops->absorbs[i] = is_offset(w, &w->p->ins.v[i]);
}

/* Only the first waits for the operands: a compiler puts what belongs to other operations between the others. */
static void put_times(IrCosts *w, CostIns x, u32 n, Needs *needs)
{
	for (u32 k = 0; k < n; k++) {
		set_needs(&x, *needs);
		*needs = (Needs){0};
		array_push(&w->x->ins, x);
	}
}

static void put_arithmetic(IrCosts *w, u32 ins, u32 line)
{
	const Ins *i = &w->p->ins.v[ins];
	bool vliw = w->dev->vliw_slots > 1; /* there is no scalar unit */
	if (!vliw && put_address(w, i))
		return;
	OpCost op = is_offset(w, i) ? (OpCost){0} : cost_op(w->ops, ins);
	if (!op.n && !op.trans) {
		put_nothing(w, i);
		return;
	}
	bool scalar = !vliw && cost_has_scalars(w->dev) && i->ndst &&
	              w->p->regs.v[ins_dst(w->p, i)[0]].kind == REG_SCALAR;
	CostIns x = plain(w, scalar ? MC_salu : op.cls, line);
	u32 passes = cost_cycles(w->dev, MC_valu, w->x->wave) / w->dev->cycles_valu;
	if (!scalar && op.integer && op.cls == MC_valu)
		x.cycles = (u16)(w->dev->cycles_int * passes);
	if (!scalar && op.pipe == PIPE_LOGIC)
		x.cycles = (u16)(w->dev->cycles_logic * passes);
	x.pipe = (u8)op.pipe;
	if (!scalar && op.cycles)
		x.cycles = (u16)(op.cycles * passes);
	if (vliw && op.n == 1 && !op.trans) {
		put_bundled(w, i, x, op.cls);
		return;
	}
	CostIns logic = plain(w, scalar ? MC_salu : MC_valu, line), trans = plain(w, scalar ? MC_salu : MC_trans, line);
	if (w->dev->cycles_logic && !scalar) {
		logic.cycles = (u16)(w->dev->cycles_logic * passes);
		logic.pipe = PIPE_LOGIC;
	}
	Needs needs = needs_of(w, i);
	put_times(w, plain(w, scalar ? MC_salu : MC_valu, line), op.plain, &needs);
	u32 first = w->x->ins.n;
	put_times(w, logic, op.logic, &needs);
	put_times(w, trans, op.trans, &needs);
	put_times(w, x, op.n, &needs);
	CostIns *last = &w->x->ins.v[w->x->ins.n - 1];
	last->latency = op.latency;
	last->behind = (u8)(w->x->ins.n - 1 - first);
	last->alone = op.alone;
	for (u32 k = 0; k < i->ndst; k++)
		wrote(w, i, ins_dst(w->p, i)[k], w->x->ins.n, 0, false);
}

/* One exchange of a dword: through the crossbar, or where there is none through memory; then a wait for it. */
static void put_exchange(IrCosts *w, u32 dwords, u32 line)
{
	bool crossbar = w->dev->codegen != DEVICE_CODEGEN_r600;
	CostIns wait = plain(w, MC_waitcnt, line);
	for (u32 k = 0; k < dwords; k++) {
		if (!crossbar)
			array_push(&w->x->ins, plain(w, MC_lds_write, line));
		array_push(&w->x->ins, plain(w, crossbar ? MC_lds_move : MC_lds_read, line));
		w->lgkm += crossbar ? 1 : 2;
	}
	wait.lgkm = 0;
	w->waited_lgkm = w->lgkm;
	array_push(&w->x->ins, wait);
}

/* Each step needs what the one before it computed. */
static void put_lanes(IrCosts *w, u32 ins, u32 line)
{
	const Ins *i = &w->p->ins.v[ins];
	LaneCost x = cost_lanes(w->ops, ins, w->x->wave);
	Needs needs = needs_of(w, i);
	for (u32 k = 0; k < x.steps; k++) {
		if (x.dwords && i->op != OP_bpermute)
			put_exchange(w, x.dwords, line);
		put_times(w, plain(w, x.step.cls, line), x.step.n, &needs);
		if (x.dwords && i->op == OP_bpermute)
			put_exchange(w, x.dwords, line);
		needs = (Needs){.dep = x.dwords ? 0 : 1};
	}
	put_times(w, plain(w, x.end.cls, line), x.end.n, &needs);
	for (u32 k = 0; k < i->ndst; k++)
		wrote(w, i, ins_dst(w->p, i)[k], w->x->ins.n, 0, false);
}

static bool divides(const Program *p, const Ins *i)
{
	return i->nsrc && (i->op == OP_br || i->op == OP_switch) && p->regs.v[ins_src(p, i)[0]].kind == REG_VECTOR;
}

static void put_branch(IrCosts *w, const Ins *i, u32 line)
{
	CostIns x = plain(w, MC_branch, line);
	set_needs(&x, needs_of(w, i));
	x.divides = divides(w->p, i);
	array_push(&w->x->ins, x);
}

/* A value carried into a join: compilers give both names one register, which a constant has to be put into. */
static void put_mov(IrCosts *w, const Ins *i, u32 line)
{
	u32 to = ins_dst(w->p, i)[0], from = ins_src(w->p, i)[0];
	if (w->p->regs.v[from].kind == REG_CONST && cost_counts_inputs(w->dev)) {
		put_copy(w, needs_of(w, i), line);
		wrote(w, i, to, w->x->ins.n, 0, false);
		return;
	}
	wrote(w, i, to, w->writer[from], w->loads[from], w->is_lds[from]);
}

static void put_ins(IrCosts *w, u32 ins)
{
	const Ins *i = &w->p->ins.v[ins];
	const SrcLoc *loc = program_place(w->p, i->loc);
	u32 line = loc ? cost_line(w->x, loc->file, loc->line) : 0;
	if (i->op == OP_mov) {
		put_mov(w, i, line);
		return;
	}
	u32 unit = op_info[i->op].unit;
	if (unit != UNIT_NONE)
		put_wait(w, i, line);
	if (ins_moves(i))
		put_move(w, ins, line);
	else if (unit == UNIT_LANES)
		put_lanes(w, ins, line);
	else if (unit == UNIT_MEM)
		put_access(w, ins, line);
	else if (unit == UNIT_SYNC)
		array_push(&w->x->ins, plain(w, MC_barrier, line));
	else if (unit == UNIT_FLOW || i->op == OP_jmp)
		put_branch(w, i, line);
	else if (unit == UNIT_NONE)
		put_nothing(w, i);
	else if (unit != UNIT_SYS)
		put_arithmetic(w, ins, line);
}

static bool falls_through(const Program *p, u32 b)
{
	const Ins *last = &p->ins.v[p->blocks.v[b].first + p->blocks.v[b].n - 1];
	return last->op == OP_jmp && ins_tgt(p, last)[0] == b + 1;
}

/* Blocks where a branch that lanes take differently ends, and the first of those that begin one which ends there: of
 * loops it is before them, and does not count. */
static void find_reconvergence(IrCosts *w)
{
	for (u32 b = 0; b < w->p->blocks.n; b++) {
		const Block *k = &w->p->blocks.v[b];
		const Ins *last = &w->p->ins.v[k->first + k->n - 1];
		if (!divides(w->p, last) || k->ipdom == NO_BLOCK || predicates_end(&w->predicates, b))
			continue;
		w->parts[b] = !w->reconverges[k->ipdom] && w->p->blocks.v[k->ipdom].loop_depth >= k->loop_depth;
		w->reconverges[k->ipdom] = true;
	}
}

/* The instructions of block b, and of those whose code is part of its own, but for the branches in it; *last: the block
 * that it ends with. */
static u32 instructions_of(const IrCosts *w, u32 b, u32 *list, u32 *last)
{
	u32 n = 0;
	for (; b != NO_BLOCK; b = w->predicates.next[b]) {
		const Block *k = &w->p->blocks.v[b];
		for (u32 i = 0; i < k->n - predicates_end(&w->predicates, b); i++)
			list[n++] = k->first + i;
		*last = b;
	}
	return n;
}

static void put_block(IrCosts *w, u32 b, Scheduler *order, u32 *list)
{
	Costs *x = w->x;
	x->first_block[b] = x->blocks.n;
	w->first = w->clause = x->ins.n;
	w->used.n = w->nroots = 0;
	if (w->predicates.head[b] != b)
		return;
	memset(w->loads, 0, (w->p->regs.n + 1) * sizeof *w->loads);
	w->vm = w->lgkm = w->waited_vm = w->waited_lgkm = w->carried_vm = w->carried_lgkm = 0;
	if (w->reconverges[b] && w->dev->meet_cycles) {
		CostIns meet = plain(w, MC_branch, 0);
		meet.stall = (u16)w->dev->meet_cycles;
		array_push(&x->ins, meet);
	}
	u32 last, n = instructions_of(w, b, list, &last);
	if (w->dev->vliw_slots <= 1)
		schedule_block(order, list, w->predicates.by, n);
	n -= falls_through(w->p, last);
	put_reads(w, b, list, n);
	for (u32 i = 0; i < n; i++) {
		if (i + 1 == n && w->parts[last] && w->dev->meet_cycles) {
			CostIns part = plain(w, MC_branch, 0);
			part.stall = 1; /* it goes on behind it at once */
			array_push(&x->ins, part);
		}
		put_ins(w, list[i]);
	}
	/* What this block's loads bring may be used in the next. */
	bool vm = w->carried_vm > w->waited_vm, lgkm = w->carried_lgkm > w->waited_lgkm;
	if (vm || lgkm) {
		CostIns wait = plain(w, MC_waitcnt, 0);
		u32 left_vm = w->vm - w->carried_vm, left_lgkm = w->lgkm - w->carried_lgkm;
		wait.vm = vm ? (u8)(left_vm < 63 ? left_vm : 63) : NO_WAIT;
		wait.lgkm = lgkm ? (u8)(left_lgkm < 63 ? left_lgkm : 63) : NO_WAIT;
		array_push(&x->ins, wait);
	}
	array_push(&x->blocks, ((CostBlock){.first = w->first, .n = x->ins.n - w->first, .rate = 1}));
}

void cost_ir(Costs *x, const Device *dev, const Program *p, const Profile *prof)
{
	IrCosts w = {.x = x, .dev = dev, .p = p};
	x->source = "ir";
	x->frame = cost_private_bytes(p) * x->wave;
	Arena *a = arena_new();
	w.predicates = predicates_find(dev, p, a);
	memcpy(x->head, w.predicates.head, p->blocks.n * sizeof *x->head);
	w.ops = cost_ops_new(dev, p, prof, &w.predicates, a);
	find_offsets(&w);
	w.reconverges = ARENA_ARRAY(a, bool, p->blocks.n + 1);
	w.parts = ARENA_ARRAY(a, bool, p->blocks.n + 1);
	w.writer = ARENA_ARRAY(a, u32, p->regs.n + 1);
	w.loads = ARENA_ARRAY(a, u32, p->regs.n + 1);
	w.is_lds = ARENA_ARRAY(a, bool, p->regs.n + 1);
	u32 *list = ARENA_ARRAY(a, u32, p->ins.n + 1);
	w.read = ARENA_ARRAY(a, u32, p->regs.n + 1);
	for (u32 i = 0; i < p->regs.n; i++)
		w.read[i] = NO_ARGUMENT;
	for (u32 i = 0; i < p->params.n; i++)
		w.read[p->params.v[i].reg] = NO_BLOCK;
	Scheduler *order = scheduler_new(w.ops, a);
	find_reconvergence(&w);
	for (u32 b = 0; b < p->blocks.n; b++)
		put_block(&w, b, order, list); /* (those of a texture unit's functions are in no record) */
	x->first_block[p->blocks.n] = x->blocks.n;
	arena_free(a);
	array_free(&w.used);
}
