/* Reasons for results to differ, from the operations of a program.
 *
 * Work-items meet in memory where a store may reach what another one reads or writes. That is ruled out where each
 * stores at an address of its own, worked out from its ids without loaded values, into memory that the kernel does
 * not read. The addresses are followed through registers: what they are computed from, in any order. */
#include "engine/blame.h"

/* What an address is computed from. */
typedef struct Origin {
	u64 args;    /* a bit for each argument; the last stands for all above it */
	bool lane;   /* ids of the work-item */
	bool run;    /* what only the run knows: arguments, ids, memory that is written */
	bool folded; /* loaded values, or what gives two work-items the same: division, bits that are cut off */
} Origin;

static u64 arg_bit(u32 arg) { return 1ull << (arg < 63 ? arg : 63); }

static bool folds(u32 op)
{
	return op == OP_ld || op == OP_atomic || op == OP_cas || op == OP_call || op == OP_image || op == OP_bpermute ||
	       op == OP_readlane || op_is_of(op, OP_and_i32) || op_is_of(op, OP_lshr_i32) ||
	       op_is_of(op, OP_ashr_i32) || op_is_of(op, OP_udiv_i32) || op_is_of(op, OP_urem_i32) ||
	       op_is_of(op, OP_sdiv_i32) || op_is_of(op, OP_srem_i32) || op_is_of(op, OP_select_i32) ||
	       op_is_of(op, OP_umin_i32) || op_is_of(op, OP_smin_i32) || op_is_of(op, OP_umax_i32) ||
	       op_is_of(op, OP_smax_i32);
}

/* What the compiler cannot know, other than by operands. A table of constants is told by its address. */
static bool known_by_run(const Ins *ins)
{
	return (ins->op == OP_ld && ins->space != SPACE_CONSTANT) || ins->op == OP_atomic || ins->op == OP_cas ||
	       ins->op == OP_query || ins->op == OP_call || ins->op == OP_image;
}

static bool join(Origin *to, const Origin *from)
{
	Origin was = *to;
	to->args |= from->args;
	to->lane |= from->lane;
	to->run |= from->run;
	to->folded |= from->folded;
	return was.args != to->args || was.lane != to->lane || was.run != to->run || was.folded != to->folded;
}

/* Of each register, until nothing changes. */
static Origin *origins(const Program *p)
{
	Origin *of = xcalloc(p->regs.n + 1, sizeof *of);
	for (u32 i = 0; i < p->params.n; i++) {
		of[p->params.v[i].reg].args |= arg_bit(p->params.v[i].arg);
		of[p->params.v[i].reg].run = true;
	}
	for (u32 f = 1; f < p->funcs.n; f++)
		for (u32 i = 0; i < p->funcs.v[f].nparams; i++)
			of[p->opnds.v[p->funcs.v[f].params + i]].run = true;
	for (bool changed = true; changed;) {
		changed = false;
		for (u32 i = 0; i < p->ins.n; i++) {
			const Ins *ins = &p->ins.v[i];
			Origin all = {.folded = folds(ins->op),
			              .run = known_by_run(ins),
			              .lane = ins->op == OP_query &&
			                      (query_is_vector(ins->aux) || ins->aux == QUERY_group_id_x ||
			                       ins->aux == QUERY_group_id_y || ins->aux == QUERY_group_id_z)};
			for (u32 k = 0; k < ins->nsrc; k++)
				join(&all, &of[ins_src(p, ins)[k]]);
			for (u32 k = 0; k < ins->ndst; k++)
				changed |= join(&of[ins_dst(p, ins)[k]], &all);
		}
	}
	return of;
}

/* Spaces that work-items share. */
static bool shared(const Ins *ins) { return ins->space != SPACE_PRIVATE && ins->space != SPACE_CONSTANT; }

/* (Of images only one kernel writes, which reads others, or it is told by their data.) */
static bool calls(const Program *p)
{
	bool any = false;
	for (u32 f = 1; f < p->funcs.n; f++)
		any |= !p->funcs.v[f].image;
	return any;
}

static bool may_race(const Program *p)
{
	Origin *of = origins(p), read = {0}, written = {0};
	bool lds_read = false, lds_written = false, meet = calls(p);
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *ins = &p->ins.v[i];
		if ((ins->op != OP_ld && ins->op != OP_st && ins->op != OP_copy) || !shared(ins))
			continue;
		const Origin *at = &of[ins_src(p, ins)[0]];
		bool store = ins->op != OP_ld, lds = ins->space == SPACE_LDS;
		join(store ? &written : &read, at);
		lds_read |= !store && lds;
		lds_written |= store && lds;
		meet |= ins->op == OP_copy || (store && (!at->lane || at->folded));
	}
	free(of);
	return meet || (read.args & written.args) || (lds_read && lds_written);
}

/* Is there a barrier between a block and where its branches meet again? seen: what was walked for this one is `mark`.
 */
static bool barrier_from(const Program *p, u32 block, u32 meet, u32 *seen, u32 mark, u32 *todo)
{
	u32 n = 0;
	todo[n++] = block;
	for (bool first = true; n; first = false) {
		const Block *b = &p->blocks.v[todo[--n]];
		const Ins *last = &p->ins.v[b->first + b->n - 1];
		for (u32 i = b->first; i < b->first + b->n; i++)
			if (p->ins.v[i].op == OP_barrier && !first)
				return true;
		for (u32 k = 0; k < last->ntgt && !ins_calls(last); k++) {
			u32 to = ins_tgt(p, last)[k];
			if (to == meet || seen[to] == mark)
				continue;
			seen[to] = mark;
			todo[n++] = to;
		}
	}
	return false;
}

/* A barrier that some work-items of a work-group may reach more often than others. */
static bool odd_barrier(const Program *p)
{
	u32 nbarriers = 0;
	for (u32 i = 0; i < p->ins.n; i++)
		nbarriers += p->ins.v[i].op == OP_barrier;
	if (!nbarriers)
		return false;
	Origin *of = origins(p);
	u32 n = p->blocks.n, *seen = xcalloc(n + 1, sizeof *seen), *todo = xcalloc(n + 1, sizeof *todo);
	bool found = false;
	for (u32 i = 0; i < n && !found; i++) {
		const Block *b = &p->blocks.v[i];
		const Ins *last = &p->ins.v[b->first + b->n - 1];
		const Origin *by = last->ntgt > 1 && last->nsrc ? &of[ins_src(p, last)[0]] : NULL;
		found = by && (by->lane || by->folded) && barrier_from(p, i, b->ipdom, seen, i + 1, todo);
	}
	free(of);
	free(seen);
	free(todo);
	return found;
}

const char *blame_reasons(const Program *p, bool checked, bool own, bool addresses, bool unset, const char *loose,
                          const SourceWords *w, Arena *a)
{
	bool floats = false, atomics = false, converts = false, unwritten = false;
	for (u32 i = 0; i < p->ins.n; i++) {
		const Ins *ins = &p->ins.v[i];
		floats |= ins->op == OP_atomic && atomic_is_float((AtomicOp)ins->aux);
		atomics |= ins->op == OP_atomic || ins->op == OP_cas;
		unwritten |= ins->op == OP_ld && (ins->space == SPACE_LDS || ins->space == SPACE_PRIVATE);
		converts |= op_info[ins->op].lane == 1 && strncmp(op_info[ins->op].name, "fpto", 4) == 0 &&
		            !strstr(op_info[ins->op].name, "_sat");
	}
	const struct {
		bool applies;
		const char *why;
	} rows[] = {
	    {floats, "atomics add floats in an undefined order, so the rounding of their sums may differ in each run"},
	    {atomics && !floats, "atomics run in an undefined order, so the values that they return may differ in each "
	                         "run, and so may float sums made by compare-and-swap"},
	    {!checked && may_race(p), "work-items may race: one may store to an address that another accesses with no "
	                              "barrier in between (--check shows it)"},
	    {!own && odd_barrier(p),
	     "work-items of a group may take different ways around a barrier, which PoCL runs as "
	     "if all took the same"},
	    {addresses, "results depend on addresses, which differ between devices and between runs"},
	    {unset, "a vector component without a value is used, such as the second one of .hi of three"},
	    {loose, arena_printf(a, "%s lets each compiler round in its own way: build without it to compare exact "
	                            "results", loose ? loose : "")},
	    {converts, "a float may be out of the range of the integer that it is converted to"},
	    {!checked && unwritten,
	     arena_printf(a, "%s or private memory may be read before it is written (--check shows it)", w->shared)},
	};
	Buf out = {0};
	for (u32 i = 0; i < COUNT(rows); i++)
		if (rows[i].applies)
			buf_printf(&out, "%s%s", out.n ? "; " : "possible reasons in this kernel: ", rows[i].why);
	return out.n ? buf_keep(&out, a) : NULL;
}

bool *blame_known_by_run(const Program *p)
{
	Origin *of = origins(p);
	bool *is = xcalloc(p->regs.n + 1, sizeof *is);
	for (u32 r = 0; r < p->regs.n; r++)
		is[r] = of[r].run;
	free(of);
	return is;
}

u64 blame_loop_args(const Program *p)
{
	Origin *of = origins(p);
	u64 args = 0;
	for (u32 i = 0; i < p->blocks.n; i++) {
		const Block *b = &p->blocks.v[i];
		const Ins *last = &p->ins.v[b->first + b->n - 1];
		bool leaves = false;
		for (u32 k = 0; k < last->ntgt; k++)
			leaves |= p->blocks.v[ins_tgt(p, last)[k]].loop_depth < b->loop_depth;
		if (leaves && last->ntgt > 1 && last->nsrc)
			args |= of[ins_src(p, last)[0]].args;
	}
	free(of);
	return args;
}

u64 blame_operand_args(const Program *p, const u32 *ins, u32 n, u32 operand)
{
	Origin *of = origins(p);
	u64 args = 0;
	for (u32 i = 0; i < n; i++) {
		const Ins *x = &p->ins.v[ins[i]];
		args |= operand < x->nsrc ? of[ins_src(p, x)[operand]].args : 0;
	}
	free(of);
	return args;
}
