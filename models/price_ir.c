/* The Program's own instructions as prices, for devices that no code generator here knows and
 * for widths that the chip lacks. Each lane operation is taken for as many instructions as such
 * a chip needs (hardware tables: divisions expand, 64-bit arithmetic is done in halves); a wait
 * stands before the first use of what a load brings.
 *
 * VLIW chips start several operations of a lane at a time: those of a block go into the first
 * bundle after the ones that their operands come from with slots left, between two memory
 * accesses (a clause). That is what LLVM's r600 back end does, too. */
#include "models/price.h"

/* How an operation is priced: instructions of a class. */
typedef struct OpPrice {
	MachineClass cls;
	u32 n;
	bool integer;
} OpPrice;

static bool starts(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

static bool is_float(u8 type) { return type == T_f32 || type == T_f64; }

/* A division in hardware instructions; the figures are those of AMD's compiler (full-rate ones). */
static OpPrice price_division(const char *name, u8 type)
{
	bool wide = type == T_i64 || type == T_i128, rest = strstr(name, "rem") != NULL;
	(void)rest;
	return (OpPrice){MC_valu, wide ? 133 : 28, true};
}

static OpPrice price_float(const char *name, u8 type)
{
	bool f64 = type == T_f64;
	if (starts(name, "fdiv"))
		return f64 ? (OpPrice){MC_valu_f64_mul, 11, false} : (OpPrice){MC_valu_fma, 11, false};
	if (starts(name, "fma") || starts(name, "mad"))
		return (OpPrice){f64 ? MC_valu_f64_mul : MC_valu_fma, 1, false};
	if (starts(name, "fmul"))
		return (OpPrice){f64 ? MC_valu_f64_mul : MC_valu, 1, false};
	return (OpPrice){f64 ? MC_valu_f64_add : MC_valu, 1, false};
}

static OpPrice price_op(const Program *p, const Ins *i)
{
	const OpInfo *info = &op_info[i->op];
	const char *name = info->name;
	u8 type = i->nsrc ? p->regs.v[ins_src(p, i)[0]].type : i->ndst ? p->regs.v[ins_dst(p, i)[0]].type : T_i32;
	u8 to = i->ndst ? p->regs.v[ins_dst(p, i)[0]].type : type;
	bool wide = type == T_i64 || type == T_i128;
	if (info->unit == UNIT_TRANS && !is_float(type))
		return price_division(name, type);
	if (is_float(type) != is_float(to) && to != T_b1 && i->nsrc)
		return (OpPrice){MC_valu_cvt, 1, false};
	if (info->unit == UNIT_TRANS && !starts(name, "fdiv"))
		return (OpPrice){type == T_f64 ? MC_trans_f64 : MC_trans, type == T_f64 ? 20 : 1, false};
	if (is_float(type))
		return price_float(name, type);
	if (starts(name, "mul"))
		return (OpPrice){MC_valu_mul, wide ? 4 : 1, true};
	if (starts(name, "lea") && i->imm && !(i->imm & (i->imm - 1)))
		return (OpPrice){MC_valu, type == T_i64 ? 3 : 1, true}; /* shift, add, add with carry */
	return (OpPrice){MC_valu, wide ? 2 : 1, true};
}

static MachineClass class_of_access(const Ins *i, bool scalar)
{
	bool lds = i->space == SPACE_LDS;
	if (i->space == SPACE_PRIVATE)
		return MC_scratch;
	switch (i->op) {
	case OP_ld: return lds ? MC_lds_read : scalar ? MC_smem : MC_vmem_load;
	case OP_st: return lds ? MC_lds_write : MC_vmem_store;
	default: return lds ? MC_lds_atomic : MC_vmem_atomic;
	}
}

typedef struct Work {
	Price *x;
	const Device *dev;
	const Program *p;
	u32 *writer; /* per register: Price instruction + 1 that wrote it last in this block */
	u32 *loads;  /* per register: the load that brings it, as a count of its kind + 1 */
	bool *is_lds;
	u32 vm, lgkm; /* loads issued in this block */
	u32 waited_vm, waited_lgkm; /* of these known to be there */
	u32 first;    /* of the block in Price.ins */
	u32 clause;   /* VLIW: the arithmetic since here (Price.ins) is bundles */
	ARRAY(u8) used; /* of each of them: slots taken, TRANS_SLOT among them */
} Work;

static PriceIns plain(const Work *w, MachineClass cls, u32 line)
{
	PriceIns x = {.cls = (u8)cls, .vm = NO_WAIT, .lgkm = NO_WAIT, .vs = NO_WAIT, .parts = 1, .line = line};
	x.cycles = (u16)price_cycles(w->dev, cls, w->x->wave);
	return x;
}

/* Loads return in order: what was issued after the wanted one may be under way still. */
static void put_wait(Work *w, const Ins *i, u32 line)
{
	u32 vm = 0, lgkm = 0;
	for (u32 k = 0; k < i->nsrc; k++) {
		u32 r = ins_src(w->p, i)[k], n = w->loads[r];
		if (n && w->is_lds[r] && n > lgkm)
			lgkm = n;
		if (n && !w->is_lds[r] && n > vm)
			vm = n;
	}
	if (vm <= w->waited_vm && lgkm <= w->waited_lgkm)
		return;
	PriceIns x = plain(w, MC_waitcnt, line);
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

static u8 distance_back(const Work *w, const Ins *i)
{
	u32 best = 0;
	for (u32 k = 0; k < i->nsrc; k++) {
		u32 by = w->writer[ins_src(w->p, i)[k]];
		if (by > w->first && by > best)
			best = by;
	}
	u32 d = best ? w->x->ins.n + 1 - best : 0;
	return d < NO_WAIT ? (u8)d : 0;
}

static void put_access(Work *w, u32 ins, u32 line)
{
	const Ins *i = &w->p->ins.v[ins];
	bool scalar = w->p->regs.v[ins_src(w->p, i)[0]].kind != REG_VECTOR && i->op == OP_ld &&
	              (i->space == SPACE_CONSTANT || w->dev->codegen == DEVICE_CODEGEN_amdgcn);
	PriceIns x = plain(w, class_of_access(i, scalar), line);
	if (w->x->access[ins] != NO_ACCESS) {
		x.first_access = w->x->access_of.n;
		x.naccess = 1;
		array_push(&w->x->access_of, w->x->access[ins]);
	}
	x.dep = distance_back(w, i);
	array_push(&w->x->ins, x);
	bool lds = x.cls == MC_lds_read || x.cls == MC_lds_atomic || x.cls == MC_smem;
	if (!i->ndst)
		return;
	u32 n = lds ? ++w->lgkm : ++w->vm;
	for (u32 k = 0; k < i->ndst; k++) {
		w->loads[ins_dst(w->p, i)[k]] = n;
		w->is_lds[ins_dst(w->p, i)[k]] = lds;
	}
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

/* The bundle that takes an operation: a Price.ins index, the end when a new one is needed. */
static u32 find_bundle(Work *w, const Ins *i, u8 want)
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

static void put_bundled(Work *w, const Ins *i, PriceIns x, MachineClass cls)
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
	PriceIns *b = &w->x->ins.v[at];
	b->cycles = x.cycles > b->cycles ? x.cycles : b->cycles;
	for (u32 k = 0; k < i->nsrc; k++) {
		u32 by = w->writer[ins_src(w->p, i)[k]];
		u32 far = by > w->first && by <= at ? at + 1 - by : 0;
		if (far && far < NO_WAIT && (!b->dep || far < b->dep))
			b->dep = (u8)far;
	}
	for (u32 k = 0; k < i->ndst; k++) {
		w->writer[ins_dst(w->p, i)[k]] = at + 1;
		w->loads[ins_dst(w->p, i)[k]] = 0;
	}
}

static void put_arithmetic(Work *w, const Ins *i, u32 line)
{
	OpPrice op = price_op(w->p, i);
	bool vliw = w->dev->vliw_slots > 1; /* there is no scalar unit */
	bool scalar = !vliw && i->ndst && w->p->regs.v[ins_dst(w->p, i)[0]].kind == REG_SCALAR;
	PriceIns x = plain(w, scalar ? MC_salu : op.cls, line);
	if (!scalar && op.integer && op.cls == MC_valu)
		x.cycles = (u16)(w->dev->cycles_int * (price_cycles(w->dev, MC_valu, w->x->wave) / w->dev->cycles_valu));
	if (vliw && op.n == 1) {
		put_bundled(w, i, x, op.cls);
		return;
	}
	x.dep = distance_back(w, i);
	for (u32 k = 0; k < op.n; k++) {
		array_push(&w->x->ins, x);
		x.dep = 1;
	}
	for (u32 k = 0; k < i->ndst; k++) {
		w->writer[ins_dst(w->p, i)[k]] = w->x->ins.n;
		w->loads[ins_dst(w->p, i)[k]] = 0;
	}
}

/* A value carried into a join: compilers give both names one register. */
static void put_move(Work *w, const Ins *i)
{
	u32 to = ins_dst(w->p, i)[0], from = ins_src(w->p, i)[0];
	w->writer[to] = w->writer[from];
	w->loads[to] = w->loads[from];
	w->is_lds[to] = w->is_lds[from];
}

static void put_ins(Work *w, u32 ins)
{
	const Ins *i = &w->p->ins.v[ins];
	if (i->op == OP_mov) {
		put_move(w, i);
		return;
	}
	const SrcLoc *loc = &w->p->locs.v[i->loc];
	u32 line = i->loc && loc->line ? price_line(w->x, loc->file, loc->line) : 0;
	u32 unit = op_info[i->op].unit;
	put_wait(w, i, line);
	if (unit == UNIT_MEM)
		put_access(w, ins, line);
	else if (i->op == OP_barrier || i->op == OP_async_wait)
		array_push(&w->x->ins, plain(w, MC_barrier, line));
	else if (unit == UNIT_FLOW || i->op == OP_jmp)
		array_push(&w->x->ins, plain(w, MC_branch, line));
	else if (unit == UNIT_VALU || unit == UNIT_TRANS)
		put_arithmetic(w, i, line);
}

static bool falls_through(const Program *p, u32 b)
{
	const Ins *last = &p->ins.v[p->blocks.v[b].first + p->blocks.v[b].n - 1];
	return last->op == OP_jmp && ins_tgt(p, last)[0] == b + 1;
}

void price_ir(Price *x, const Device *dev, const Program *p)
{
	Work w = {.x = x, .dev = dev, .p = p};
	x->source = "ir";
	w.writer = xcalloc(p->regs.n + 1, sizeof *w.writer);
	w.loads = xcalloc(p->regs.n + 1, sizeof *w.loads);
	w.is_lds = xcalloc(p->regs.n + 1, sizeof *w.is_lds);
	for (u32 b = 0; b < p->blocks.n; b++) {
		const Block *k = &p->blocks.v[b];
		x->first_piece[b] = x->pieces.n;
		w.first = w.clause = x->ins.n;
		w.used.n = 0;
		memset(w.loads, 0, (p->regs.n + 1) * sizeof *w.loads);
		w.vm = w.lgkm = w.waited_vm = w.waited_lgkm = 0;
		u32 n = k->n - falls_through(p, b);
		for (u32 i = k->first; i < k->first + n; i++)
			put_ins(&w, i);
		/* What this block's loads bring may be used in the next. */
		if (w.vm > w.waited_vm || w.lgkm > w.waited_lgkm) {
			PriceIns wait = plain(&w, MC_waitcnt, 0);
			wait.vm = w.vm > w.waited_vm ? 0 : NO_WAIT;
			wait.lgkm = w.lgkm > w.waited_lgkm ? 0 : NO_WAIT;
			array_push(&x->ins, wait);
		}
		array_push(&x->pieces, ((PricePiece){w.first, x->ins.n - w.first, 1}));
	}
	x->first_piece[p->blocks.n] = x->pieces.n;
	free(w.writer);
	free(w.loads);
	free(w.is_lds);
	array_free(&w.used);
}
