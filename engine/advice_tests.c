/* Advice on branches that need not be: tests that are always passed, and branches that never diverge
 * although the compiler must think they might. The launch is played without their instructions. */
#include "engine/advice.h"

#include "base/scan.h"
#include "models/timing/cost_edit.h"

enum { MOST_TESTS = 4 };

/* The branch at the end of a block, or NULL. */
static const Ins *branch_of(const Program *p, u32 b)
{
	const Ins *last = &p->ins.v[p->blocks.v[b].first + p->blocks.v[b].n - 1];
	return last->op == OP_br ? last : NULL;
}

/* The instruction of the block that computes a register. */
static const Ins *maker(const Program *p, u32 b, u32 reg)
{
	const Block *block = &p->blocks.v[b];
	for (u32 i = block->first + block->n; i-- > block->first;)
		for (u32 k = 0; k < p->ins.v[i].ndst; k++)
			if (ins_dst(p, &p->ins.v[i])[k] == reg)
				return &p->ins.v[i];
	return NULL;
}

/* Is the condition "an integer is below another", or several such together? */
static bool is_bound_test(const Program *p, u32 b, u32 reg, u32 depth)
{
	const Ins *x = maker(p, b, reg);
	if (!x || depth > 4)
		return false;
	if (op_is_of(x->op, OP_ult_i8) || op_is_of(x->op, OP_ule_i8) || op_is_of(x->op, OP_slt_i8) ||
	    op_is_of(x->op, OP_sle_i8))
		return true;
	bool joins = x->op == OP_and_b1 || x->op == OP_or_b1 || x->op == OP_xor_b1 || x->op == OP_select_b1;
	bool any = false;
	for (u32 k = 0; joins && k < x->nsrc; k++)
		any |= is_bound_test(p, b, ins_src(p, x)[k], depth + 1);
	return any;
}

ProgramUses program_uses(const Advisor *a)
{
	const Program *p = a->in->program;
	ProgramUses k = {ARENA_ARRAY(a->arena, u32, p->blocks.n + 1), ARENA_ARRAY(a->arena, u32, p->regs.n + 1)};
	for (u32 b = 0; b < p->blocks.n; b++) {
		u32 count;
		const u32 *to = block_succs(p, b, &count);
		for (u32 i = 0; i < count; i++)
			k.ways_in[to[i]]++;
	}
	for (u32 i = p->ins.n; i-- > 0;)
		for (u32 d = 0; d < p->ins.v[i].ndst; d++)
			k.made[ins_dst(p, &p->ins.v[i])[d]] = i + 1;
	return k;
}

/* ---- playing it without ---- */

/* What goes: of the code of a block, from its end, the jump, what sets the mask, and so many
 * comparisons. */
typedef struct Without {
	const Advisor *a;
	const MachineCode *code; /* NULL: the costs are those of the Program's */
	u32 compares;
	bool *gone; /* per instruction of the original costs */
} Without;

static bool sets_mask(const char *name)
{
	return strstr(name, "saveexec") != NULL || strstr(name, "_exec") != NULL;
}

/* Is there no branch at the end of the block in the code, as the sides are predicated? */
static bool is_predicate(const Costs *x, const Program *p, u32 b)
{
	const Ins *end = &p->ins.v[p->blocks.v[b].first + p->blocks.v[b].n - 1];
	for (u32 k = 0; k < end->ntgt; k++)
		if (ins_tgt(p, end)[k] > b && x->head[ins_tgt(p, end)[k]] == x->head[b])
			return true;
	return false;
}

static void mark_gone(Without *w, u32 block)
{
	const Costs *x = w->a->r->estimate->costs;
	u32 compares = w->compares;
	for (u32 k = x->first_block[block + 1]; k-- > x->first_block[block];) {
		const CostBlock *code = &x->blocks.v[k];
		bool jump = true;
		for (u32 i = code->first + code->n; i-- > code->first;) {
			const char *name = w->code && i < w->code->ins.n ? w->code->ins.v[i].mnemonic : "";
			u8 cls = x->ins.v[i].cls;
			bool compare = compares && !jump && (w->code ? !strncmp(name, "v_cmp", 5) : cls == MC_valu);
			w->gone[i] = (jump && cls == MC_branch) || sets_mask(name) || compare;
			jump &= cls != MC_branch;
			compares -= compare;
		}
		if (!jump) /* what else runs with the block comes behind its branch */
			break;
	}
}

static bool drop_gone(void *ctx, const CostIns *x, u32 ins)
{
	const Without *w = ctx;
	(void)x;
	return w->gone[ins];
}

/* Every entry of a block that has a copy becomes one of that. */
static Events *swapped(const Events *from, const u32 *copy)
{
	Rewrite out;
	rewrite_begin(&out, from);
	for (u32 i = 0; i < from->waves.n; i++) {
		for (EventWord w = {0}; event_next(&from->waves.v[i], &w);) {
			if (w.kind == EVENT_BLOCK && copy[w.block])
				rewrite_word(&out, EVENT_BLOCK | (w.lanes - 1) << EVENT_BLOCK_BITS | copy[w.block]);
			else
				rewrite_event(&out, &w);
		}
		rewrite_wave(&out, i);
	}
	return rewrite_end(&out);
}

/* Branches of one source line. */
typedef struct Tests {
	u32 loc;
	bool *block; /* per Block */
} Tests;

static const EstimateChanged *time_without(Advisor *a, const Tests *t, u32 compares)
{
	const Program *p = a->in->program;
	const Costs *x = a->r->estimate->costs;
	Without w = {.a = a, .code = strcmp(x->source, "amdgpu") ? NULL : a->base.code,
	             .compares = compares, .gone = ARENA_ARRAY(a->arena, bool, x->ins.n + 1)};
	u32 *copy = ARENA_ARRAY(a->arena, u32, p->blocks.n + 1);
	CostEdit edit;
	cost_edit_begin(&edit, x, p);
	for (u32 b = 0; b < p->blocks.n; b++) {
		if (!t->block[b] || is_predicate(x, p, b))
			continue;
		u32 head = x->head[b]; /* whose code ends with this branch */
		mark_gone(&w, head);
		copy[head] = cost_edit_copy(&edit, head, drop_gone, &w);
	}
	const EstimateChanged *after = advice_time_record(a, swapped(a->base.profile->events, copy),
	                                                  (EstimateChange){.costs = &edit.costs});
	cost_edit_free(&edit);
	return after;
}

/* Does the source line say one of these words, behind which is NULL? Tests inside of built-in functions carry the
 * line of the call, and nothing can change them. A line that is not known may. */
static bool line_says(const Advisor *a, u32 loc, const char *const *words)
{
	const SrcLoc *at = &a->in->program->locs.v[loc];
	u32 n = 0;
	const char *line = loc ? result_source_line(&a->r->sources[at->file], at->line, &n) : NULL;
	bool says = !line;
	for (; *words && line; words++)
		says |= memmem(line, n, *words, strlen(*words)) != NULL;
	return says;
}

/* Is there a call? A branch that carries its place is inside of a built-in function: what is
 * tested by the source carries the place of its statement or operator. */
static bool is_call(const Advisor *a, u32 loc)
{
	static const char *const statements[] = {"if", "while", "for", "switch", "return", "do"};
	size_t n;
	const char *word = advice_word(a, loc, &n);
	for (u32 i = 0; i < COUNT(statements); i++)
		if (scan_is(word, n, statements[i]))
			return false;
	return n && word[n + strspn(word + n, " ")] == '(';
}

typedef bool IsTest(const Advisor *a, const ProgramUses *k, u32 block);

/* The branches that are such tests, line by line; a line counts when it runs often enough to matter. */
static u32 find_tests(Advisor *a, IsTest *is, const char *const *words, Tests *list)
{
	const Program *p = a->in->program;
	ProgramUses known = program_uses(a);
	u64 execs[MOST_TESTS] = {0};
	u32 n = 0, kept = 0;
	for (u32 b = 0; b < p->blocks.n; b++) {
		const Ins *br = branch_of(p, b);
		if (!br || !a->in->profile->blocks[b].execs || !is(a, &known, b) || is_call(a, br->loc))
			continue;
		const SrcLoc *at = &p->locs.v[br->loc];
		u32 k = 0;
		while (k < n && (p->locs.v[list[k].loc].file != at->file || p->locs.v[list[k].loc].line != at->line))
			k++;
		if (k == MOST_TESTS)
			continue;
		if (k == n)
			list[n++] = (Tests){br->loc, ARENA_ARRAY(a->arena, bool, p->blocks.n + 1)};
		list[k].block[b] = true;
		execs[k] += a->in->profile->blocks[b].execs;
	}
	for (u32 k = 0; k < n; k++)
		if (execs[k] * 50 >= a->r->t.wave_instructions && line_says(a, list[k].loc, words))
			list[kept++] = list[k];
	return kept;
}

/* Say of each of them, while there is time, what the launch would take without it. */
static void advise_tests(Advisor *a, AdviceId id, IsTest *is, const char *const *words, u32 passes, const char *message,
                         const char *hint)
{
	Tests list[MOST_TESTS];
	u32 n = advice_can_time(a) ? find_tests(a, is, words, list) : 0;
	for (u32 i = 0; i < n && advice_can_time(a); i++)
		advise(a, id, list[i].loc, time_without(a, &list[i], passes), message, hint);
}

/* ---- tests that are always passed ---- */

/* The side that all lanes always take, or NO_BLOCK. */
static u32 only_side(const Advisor *a, const ProgramUses *k, u32 b)
{
	const Program *p = a->in->program;
	const BlockProf *prof = a->in->profile->blocks;
	const u32 *to = ins_tgt(p, branch_of(p, b));
	for (u32 i = 0; i < 2; i++)
		if (to[0] != to[1] && k->ways_in[to[i]] == 1 && prof[to[i]].lanes == prof[b].lanes)
			return to[i];
	return NO_BLOCK;
}

static bool is_passed(const Advisor *a, const ProgramUses *k, u32 b)
{
	const Program *p = a->in->program;
	return p->blocks.v[b].loop_depth && only_side(a, k, b) != NO_BLOCK &&
	       is_bound_test(p, b, ins_src(p, branch_of(p, b))[0], 0);
}

void advice_redundant_test(Advisor *a)
{
	static const char *const words[] = {"<", ">", NULL};
	advise_tests(a, ADVICE_redundant_test, is_passed, words, 1,
	             "in this launch the condition is the same for all work-items in every iteration of the loop",
	             "leave the test out if every input gives that; else move it out of the loop or into the loop's "
	             "bounds, or pad the data; what the compiler then gains on the loop is not included");
}

/* ---- branches that never diverge ---- */

/* Does the machine's code guard it with a mask? */
static bool is_masked(const Advisor *a, u32 b)
{
	const Costs *x = a->r->estimate->costs;
	const MachineCode *code = strcmp(x->source, "amdgpu") ? NULL : a->base.code;
	for (u32 k = x->first_block[b]; code && k < x->first_block[b + 1]; k++)
		for (u32 i = x->blocks.v[k].first; i < x->blocks.v[k].first + x->blocks.v[k].n; i++)
			if (i < code->ins.n && strstr(code->ins.v[i].mnemonic, "saveexec"))
				return true;
	return false;
}

/* Moves, scales or resizes an integer. */
static bool keeps_item(u32 op)
{
	const u8 *type = op_info[op].type;
	bool resizes = op_info[op].lane == 1 && type[0] != type[1] && !type_is_float(type[0]) &&
	               !type_is_float(type[1]);
	return resizes || op == OP_mov || op_is_of(op, OP_add_i8) || op_is_of(op, OP_sub_i8) ||
	       op_is_of(op, OP_mul_i8) || op_is_of(op, OP_shl_i8);
}

bool is_item_number(const Program *p, const ProgramUses *known, u32 reg, u32 depth)
{
	if (depth > 6 || !known->made[reg])
		return false;
	const Ins *x = &p->ins.v[known->made[reg] - 1];
	if (x->op == OP_query)
		return query_is_vector(x->aux);
	bool keep = keeps_item(x->op);
	for (u32 k = 0; keep && k < x->nsrc; k++)
		if (is_item_number(p, known, ins_src(p, x)[k], depth + 1))
			return true;
	return false;
}

/* Nothing else could say that, and it is no accident that lanes agree. */
bool tests_item(const Program *p, const ProgramUses *known, u32 b)
{
	const Ins *br = branch_of(p, b);
	u32 reg = br ? ins_src(p, br)[0] : 0;
	const Ins *x = br ? maker(p, b, reg) : NULL;
	if (!x || !is_bound_test(p, b, reg, 0))
		return false;
	for (u32 k = 0; k < x->nsrc; k++)
		if (is_item_number(p, known, ins_src(p, x)[k], 0))
			return true;
	return false;
}

static bool is_uniform(const Advisor *a, const ProgramUses *k, u32 b)
{
	const Program *p = a->in->program;
	const BlockProf *prof = a->in->profile->blocks;
	const Ins *br = branch_of(p, b);
	const u32 *to = ins_tgt(p, br);
	return !prof[b].divergent && prof[b].lanes >= 2 * prof[b].execs && prof[to[0]].execs && prof[to[1]].execs &&
	       p->regs.v[ins_src(p, br)[0]].kind == REG_VECTOR && is_masked(a, b) &&
	       !tests_item(p, k, b);
}

void advice_uniform_branch(Advisor *a)
{
	static const char *const words[] = {"if", "while", "for", "switch", "case", "?", "&&", "||", NULL};
	advise_tests(
	    a, ADVICE_uniform_branch, is_uniform, words, 0,
	    "the lanes of a wavefront always agree here, but the compiler cannot know: it masks lanes where a "
	    "jump would do",
	    advice_text(a,
	                "compute the condition from what is the same for all of them (group id, arguments, values at "
	                "uniform addresses), or make it so with %s",
	                a->words->broadcast));
}
