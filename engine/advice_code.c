/* Advice on what the machine code of a line does: arithmetic of doubles between floats, divisions of integers, private
 * arrays and spilled registers in scratch memory. The launch is played with the code that would do instead. */
#include "engine/advice.h"
#include "engine/blame.h"

#include "models/timing/cost_edit.h"

static const Ins *ins_at(const Advisor *a, u32 i) { return &a->in->program->ins.v[i]; }

/* How often wavefronts ran each instruction. */
static u64 *runs_of(const Advisor *a)
{
	const Program *p = a->in->program;
	u64 *runs = ARENA_ARRAY(a->arena, u64, p->ins.n + 1);
	for (u32 b = 0; b < p->blocks.n; b++)
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++)
			runs[i] = a->in->profile->blocks[b].execs;
	return runs;
}

/* The line of costs that an instruction belongs to; UINT32_MAX: none. */
static u32 line_of(const Advisor *a, u32 i)
{
	const SrcLoc *at = program_place(a->in->program, ins_at(a, i)->loc);
	return at ? cost_find_line(a->r->estimate->costs, at->file, at->line) : UINT32_MAX;
}

static const EstimateChanged *time_code(Advisor *a, CostChange *change, void *ctx, const Occupancy *o)
{
	if (!advice_can_time(a))
		return NULL;
	CostEdit edit;
	cost_edit_begin(&edit, a->r->estimate->costs, a->in->program);
	cost_edit_each(&edit, change, ctx);
	const EstimateChanged *after = advice_time(a, (EstimateChange){.costs = &edit.costs, .occupancy = o});
	cost_edit_free(&edit);
	return after;
}

/* What instructions of another class take. */
typedef struct Prices {
	const Device *dev;
	u32 wave;
} Prices;

static Prices prices_of(const Advisor *a) { return (Prices){a->in->device, a->r->estimate->costs->wave}; }

static void reprice(const Prices *p, CostIns *x, MachineClass cls)
{
	x->cls = (u8)cls;
	x->cycles = (u16)cost_cycles(p->dev, cls, p->wave);
}

/* ---- double where float would do ---- */

typedef struct Doubles {
	Prices prices;
	struct DoublesOf {
		bool any;           /* has arithmetic of doubles */
		u32 floats, others; /* conversions from or to float, and from or to integers, which stay */
		u32 part;           /* of one that stays */
	} *line; /* per Costs.lines */
} Doubles;

/* Does the conversion of a line go? Of machine code only its line is known. */
static bool goes(struct DoublesOf *l)
{
	u32 all = l->floats + l->others;
	l->part += l->others;
	bool stays = l->others && l->part >= all;
	l->part -= stays ? all : 0;
	return !stays;
}

static bool as_float(void *ctx, CostIns *x)
{
	const Doubles *d = ctx;
	switch (x->cls) {
	case MC_valu_cvt: return !d->line[x->line].any || !goes(&d->line[x->line]);
	case MC_valu_f64_add: reprice(&d->prices, x, MC_valu); break;
	case MC_valu_f64_mul: reprice(&d->prices, x, MC_valu_fma); break;
	case MC_trans_f64: reprice(&d->prices, x, MC_trans); break;
	default: break;
	}
	return true;
}

static bool is_double(const Program *p, u32 reg) { return p->regs.v[reg].type == T_f64; }

static void count_conversion(const Program *p, const Ins *x, struct DoublesOf *l)
{
	bool looks = x->op == OP_bits_i64_f64 || x->op == OP_bits_f64_i64 || x->op == OP_bits_i32_f32 ||
	             x->op == OP_bits_f32_i32;
	if (x->ndst != 1 || x->nsrc != 1 || looks)
		return;
	u32 to = ins_dst(p, x)[0], from = ins_src(p, x)[0];
	l->floats += x->op == OP_fpext_f64_f32 || x->op == OP_fptrunc_f32_f64;
	l->others += type_is_float(p->regs.v[to].type) != type_is_float(p->regs.v[from].type);
}

static bool is_loaded(const Program *p, const ProgramUses *known, u32 reg)
{
	return known->made[reg] && op_info[p->ins.v[known->made[reg] - 1].op].unit == UNIT_MEM;
}

/* Is it from or to an integer of 64 bits that is data? A float has no room for these; sizes and ids are small. */
static bool needs_double(const Program *p, const ProgramUses *known, const Ins *x)
{
	if (x->ndst != 1 || x->nsrc != 1)
		return false;
	u32 to = ins_dst(p, x)[0], from = ins_src(p, x)[0];
	bool into = is_double(p, to) && p->regs.v[from].type == T_i64;
	bool out = is_double(p, from) && p->regs.v[to].type == T_i64 && x->op != OP_bits_i64_f64;
	return out || (into && is_loaded(p, known, from));
}

/* Are all doubles between floats, so that none comes from memory, leaves, or is made of what a float does not hold?
 * Functions of doubles look at their bits (bits_i64_f64): these are let through. */
static bool doubles_between(const Advisor *a)
{
	const Program *p = a->in->program;
	ProgramUses known = program_uses(a);
	bool all = true, floats = false;
	for (u32 i = 0; all && i < p->params.n; i++)
		all = !is_double(p, p->params.v[i].reg);
	for (u32 i = 0; all && i < p->ins.n; i++) {
		const Ins *x = &p->ins.v[i];
		all = !needs_double(p, &known, x);
		floats |= x->op == OP_fpext_f64_f32 || x->op == OP_fptrunc_f32_f64;
		if (op_info[x->op].unit != UNIT_MEM && !ins_calls(x))
			continue;
		for (u32 k = 0; all && k < (u32)x->ndst + x->nsrc; k++)
			all = !is_double(p, p->opnds.v[x->opnd + k]);
	}
	return all && floats;
}

void advice_double_math(Advisor *a)
{
	const Program *p = a->in->program;
	const Costs *costs = a->r->estimate->costs;
	Doubles d = {prices_of(a), ARENA_ARRAY(a->arena, struct DoublesOf, costs->lines.n + 1)};
	u64 *runs = runs_of(a), most = 0;
	u32 loc = 0, lines = 0;
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *x = ins_at(a, i);
		u32 unit = op_info[x->op].unit, line = line_of(a, i);
		bool counts =
		    unit == UNIT_VALU || unit == UNIT_MUL || unit == UNIT_FMA || unit == UNIT_DIV || unit == UNIT_TRANS;
		if (line != UINT32_MAX)
			count_conversion(p, x, &d.line[line]);
		if (!counts || !x->ndst || !is_double(p, ins_dst(p, x)[0]) || line == UINT32_MAX)
			continue;
		lines += !d.line[line].any && runs[i];
		d.line[line].any = true;
		if (runs[i] > most) {
			most = runs[i];
			loc = x->loc;
		}
	}
	if (most && doubles_between(a))
		advise(
		    a, ADVICE_double_math, loc, time_code(a, as_float, &d, NULL),
		    advice_text(
			a,
			"values are converted to double here%s, but no result needs a double: %s or a double variable "
			"makes the whole expression double",
			lines < 2    ? ""
			: lines == 2 ? " and in another line"
			             : advice_text(a, " and in %u more lines", lines - 1),
			a->words->unsuffixed),
		    advice_text(
			a,
			"write %s, float variables and float functions, if the results may differ in their last "
			"digits",
			a->words->as_float));
}

/* ---- divisions of integers ---- */

enum {
	MOST_COPIES = 8,  /* from the divisor to the argument that it is */
	PER_DIVISION = 2, /* a high product and a shift */
	PER_WIDE = 11,    /* the same of 64 bits, as LLVM expands it */
};

static bool is_division(const Program *p, const Ins *x)
{
	u32 unit = op_info[x->op].unit;
	return (unit == UNIT_UDIV || unit == UNIT_SDIV) && p->regs.v[ins_src(p, x)[1]].kind == REG_SCALAR &&
	       p->regs.v[ins_dst(p, x)[0]].kind == REG_VECTOR;
}

/* Of 64 bits, and they were needed? */
static bool divides_wide(const Advisor *a, u32 i) { return a->in->profile->divisions[i].wide != 0; }

typedef struct LineDivisions {
	const Advisor *a;
	u32 line;
	bool wide; /* one of its divisions needs 64 bits */
	u32 *left; /* per Block: how many vector instructions of the line are left once divisions are cheap,
	            * counted down as costs are walked; UINT32_MAX: the block has no such division */
	u32 *block_of; /* per Costs.ins; of those that did not run one more than there are */
	u32 at;
} LineDivisions;

static bool without_steps(void *ctx, CostIns *x)
{
	LineDivisions *d = ctx;
	u32 *left = &d->left[d->block_of[d->at++]];
	u8 unit = machine_class_unit[x->cls];
	if (x->line != d->line || (unit != MU_VECTOR && unit != MU_TRANS) || *left == UINT32_MAX)
		return true;
	return *left && (*left)--;
}

static void count_line(LineDivisions *d)
{
	const Program *p = d->a->in->program;
	const Costs *costs = d->a->r->estimate->costs;
	u32 *others = xcalloc(p->blocks.n + 1, sizeof *others), *instead = xcalloc(p->blocks.n + 1, sizeof *instead);
	for (u32 b = 0; b < p->blocks.n; b++) {
		u32 head = costs->head[b];
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++) {
			const Ins *x = ins_at(d->a, i);
			if (line_of(d->a, i) != d->line || !x->ndst || op_info[x->op].unit == UNIT_MEM)
				continue;
			bool is = is_division(p, x);
			d->wide |= is && divides_wide(d->a, i);
			instead[head] += !is ? 0 : divides_wide(d->a, i) ? PER_WIDE : PER_DIVISION;
			others[head] +=
			    !is && op_info[x->op].unit != UNIT_NONE && p->regs.v[ins_dst(p, x)[0]].kind == REG_VECTOR;
		}
	}
	for (u32 b = 0; b < p->blocks.n; b++)
		d->left[b] = instead[b] ? others[b] + instead[b] : UINT32_MAX;
	free(others);
	free(instead);
	d->left[p->blocks.n] = UINT32_MAX;
	for (u32 i = 0; i < costs->ins.n; i++)
		d->block_of[i] = p->blocks.n;
	for (u32 b = 0; b < p->blocks.n; b++)
		for (u32 k = costs->first_block[b]; k < costs->first_block[b + 1]; k++)
			for (u32 i = 0; i < costs->blocks.v[k].n; i++)
				d->block_of[costs->blocks.v[k].first + i] = b;
}

/* A copy, or the same value in more bits. */
static bool keeps_value(const Ins *x)
{
	return x->op == OP_mov || x->op == OP_zext_i64_i32 || x->op == OP_sext_i64_i32;
}

/* The divisor by the name that the source gives it. */
static const char *divisor_name(const Advisor *a, const Ins *x)
{
	const Program *p = a->in->program;
	u32 reg = ins_src(p, x)[1];
	ProgramUses known = program_uses(a);
	for (u32 steps = 0; steps < MOST_COPIES; steps++) {
		for (u32 i = 0; i < p->params.n; i++)
			if (p->params.v[i].reg == reg && !p->params.v[i].by_address)
				return p->args.v[p->params.v[i].arg].name;
		if (p->regs.v[reg].name)
			return p->regs.v[reg].name;
		const Ins *made = known.made[reg] ? &p->ins.v[known.made[reg] - 1] : NULL;
		if (!made || !keeps_value(made))
			break;
		reg = ins_src(p, made)[0];
	}
	return "the divisor";
}

void advice_integer_division(Advisor *a)
{
	const Program *p = a->in->program;
	u64 *runs = runs_of(a), most = 0;
	u32 worst = 0;
	for (u32 i = 0; i < p->ins.n; i++)
		if (is_division(p, ins_at(a, i)) && runs[i] > most && line_of(a, i) != UINT32_MAX) {
			most = runs[i];
			worst = i;
		}
	if (!most)
		return;
	LineDivisions d = {a, line_of(a, worst), false, ARENA_ARRAY(a->arena, u32, p->blocks.n + 1),
	                   ARENA_ARRAY(a->arena, u32, a->r->estimate->costs->ins.n + 1), 0};
	count_line(&d);
	bool narrow = p->regs.v[ins_dst(p, ins_at(a, worst))[0]].type == T_i64 && !d.wide;
	const char *n = divisor_name(a, ins_at(a, worst));
	advise(a, ADVICE_integer_division, ins_at(a, worst)->loc, time_code(a, without_steps, &d, NULL),
	       "a division of integers takes a dozen instructions and more, as GPUs have none; the divisor is the same "
	       "for all lanes",
	       advice_text(a,
	                   "%smake %s a compile-time constant with -D (a power of two is cheapest); or compute a "
	                   "multiplier m and a shift s on the host, and write %s >> s for the quotient of x; or keep a "
	                   "counter instead of dividing",
	                   narrow ? "if both operands always fit in 32 bits, as they do in this launch, convert them to "
	                            "uint; then "
	                          : "",
	                   n, a->words->high_product));
}

/* ---- scratch memory ---- */

static bool is_scratch(const Ins *x) { return (x->op == OP_ld || x->op == OP_st) && x->space == SPACE_PRIVATE; }

static bool in_registers(void *ctx, CostIns *x)
{
	(void)ctx;
	return x->cls != MC_scratch;
}

static bool in_lds(void *ctx, CostIns *x)
{
	if (x->cls != MC_scratch)
		return true;
	reprice(ctx, x, x->write ? MC_lds_write : MC_lds_read);
	x->naccess = 0;
	return true;
}

/* The launch with the arrays in local memory, so many bytes of a work-item; NULL: they do not fit. */
static const EstimateChanged *time_in_lds(Advisor *a, u64 bytes)
{
	Prices prices = prices_of(a);
	OccInput in = a->r->occupancy.o.in;
	Occupancy o;
	in.lds_bytes += bytes * in.group_size;
	if (in.lds_bytes > a->in->device->lds_per_group)
		return NULL;
	occupancy(a->in->device, &in, &o);
	return o.groups_per_cu > 0 ? time_code(a, in_lds, &prices, &o) : NULL;
}

/* The launch with all loops unrolled that access private arrays: registers can then hold those whose indices are
 * known. Only the compiler can say whether they do. */
static TrialOutcome try_flattened(Advisor *a, TrialCost *cost)
{
	enum { MOST_LOOPS = 16 };
	const Program *p = a->in->program;
	const SrcLoc *loops[MOST_LOOPS];
	u32 n = 0;
	for (u32 b = 0; b < p->blocks.n; b++) {
		LoopBlocks loop;
		bool any = false;
		for (u32 i = p->blocks.v[b].first; i < p->blocks.v[b].first + p->blocks.v[b].n; i++)
			any |= is_scratch(ins_at(a, i));
		for (bool in = any && loop_around(p, b, &loop); in; in = loop_outside(p, b, &loop)) {
			const SrcLoc *at = program_place(p, loop.loc);
			u32 k = 0;
			while (at && k < n &&
			       (at->line < loops[k]->line || (at->line == loops[k]->line && at->col < loops[k]->col)))
				k++;
			if (!at || n == MOST_LOOPS || (k < n && at->line == loops[k]->line && at->col == loops[k]->col))
				continue;
			memmove(&loops[k + 1], &loops[k], (n++ - k) * sizeof *loops);
			loops[k] = at;
		}
	}
	const char *text = n ? advice_source(a, loops[0]) : NULL;
	for (u32 k = 1; k < n && text; k++)
		text = loops[k]->file == loops[0]->file ? text : NULL;
	return text ? advice_try_text(a, text_flattened(text, loops, n), advice_most(a), cost) : TRIAL_UNKNOWN;
}

/* What a work-item's private arrays take, and where they are read or written most. */
typedef struct PrivateArrays {
	u64 bytes, most; /* most: wave instructions; 0: none is accessed */
	u32 worst;       /* Program.ins index */
	bool counted;    /* all indices are made of constants, and the same for all lanes, as a loop's counter is */
} PrivateArrays;

static PrivateArrays private_arrays(const Advisor *a)
{
	const Program *p = a->in->program;
	const u64 *runs = runs_of(a);
	bool *by_run = blame_known_by_run(p);
	PrivateArrays out = {.counted = true};
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *x = ins_at(a, i);
		if (!is_scratch(x) || !runs[i])
			continue;
		u32 at = ins_src(p, x)[0];
		out.counted &= !by_run[at] && p->regs.v[at].kind != REG_VECTOR;
		if (runs[i] >= out.most) {
			out.most = runs[i];
			out.worst = i;
		}
	}
	for (u32 i = 0; i < p->objects.n; i++)
		out.bytes += p->objects.v[i].space == SPACE_PRIVATE ? p->objects.v[i].size : 0;
	free(by_run);
	return out;
}

void advice_private_array(Advisor *a)
{
	PrivateArrays x = private_arrays(a);
	const SourceWords *w = a->words;
	const MachineCode *code = a->base.code;
	if (!x.most || !code || !code->scratch_bytes)
		return;
	TrialCost cost;
	/* Values that spill instead are no promise: estimates of those are poor. */
	bool flat = x.counted && try_flattened(a, &cost) == TRIAL_SAME && !cost.scratch && advice_gains(a, cost.us);
	const EstimateChanged *after = flat ? &(EstimateChanged){.time_us = cost.us} : time_in_lds(a, x.bytes);
	const char *message =
	    advice_text(a, "private arrays of %s bytes lie in scratch memory, which is DRAM behind the caches",
	                advice_number(a, x.bytes));
	advise(a, ADVICE_private_array, ins_at(a, x.worst)->loc, after, message,
	       flat ? advice_text(a,
	                          "unroll the loops over the array%s, so that its indices are constants and it can "
	                          "stay in registers (tried, with the same results)",
	                          w->unroll)
	       : !after ? advice_text(a,
	                              "make it smaller, so that registers or %s memory hold one for each work-item; or "
	                              "compute the element anew",
	                              w->shared)
	       : x.counted
	           ? advice_text(a,
	                         "use a %s array with an element for each work-item (t[i][%s]), or make it smaller; "
	                         "with the loops unrolled the compiler does not keep it in registers",
	                         w->shared, w->local_id)
	           : advice_text(a,
	                         "an index that only the run knows needs memory: a %s array with an element for each "
	                         "work-item (t[i][%s]) is faster; so is computing the element anew",
	                         w->shared, w->local_id));
}

void advice_spill(Advisor *a)
{
	const MachineCode *code = a->base.code;
	const Program *p = a->in->program;
	for (u32 i = 0; i < p->objects.n; i++)
		if (p->objects.v[i].space == SPACE_PRIVATE)
			return;
	if (!code || !code->scratch_bytes)
		return;
	advise(
	    a, ADVICE_spill, p->peak_loc, time_code(a, in_registers, NULL, NULL),
	    advice_text(
		a,
		"the code needs more than the %u vector registers that it has: values of %s bytes of a work-item go to "
		"scratch memory and back",
		code->vgprs, advice_number(a, code->scratch_bytes)),
	    advice_text(
		a,
		"keep fewer values at a time: smaller tiles, shorter unrolled loops, values computed anew; a smaller "
		"work-group, said by %s, leaves each work-item more registers",
		a->words->required_size));
}
