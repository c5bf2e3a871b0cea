/* Which values differ between the lanes of a wavefront (divergent), and which are the
 * same in all active lanes (uniform).
 *
 * Divergent by birth: work-item ids, lane ids, old values of atomics, what is loaded
 * from private or flat memory. A load from a uniform address elsewhere is uniform: one
 * wave instruction reads one address once. Everything else is divergent when an
 * operand is. Control adds three cases, found when a branch turns out divergent:
 *
 *   joins       two paths from a divergent branch meet: a phi there chooses by lane.
 *               Each successor of the branch sends its label down the blocks in layout
 *               order (topological, back edges left out); where two labels meet is a
 *               join, which sends a label of its own.
 *   loop exits  if the labels that leave the innermost loop around the branch and the
 *               label that comes to its latch are not all one, lanes leave in different
 *               iterations: what they carry out (LCSSA phis) is divergent, and the loop
 *               as a whole is a divergent branch to its exits for the loop around it.
 *   a counter   of a loop stays uniform even when lanes leave early: the lanes that
 *               are still in the loop are all in the same iteration (layout.c).
 *
 * In irreducible regions lanes may pass a block at different times; phis, loads and
 * calls there are divergent, and so are their exits. A function called from several
 * places has divergent parameters where any caller's argument is. Runs to a fixed
 * point: values only ever change from uniform to divergent. */
#include "frontend/lower/lowering.h"
#include "frontend/module/collective.h"
#include "frontend/module/mangled.h"

#include "isa/matrix.h"

typedef struct Uni {
	Lower *l;
	Cfg *c;
	u32 *label;  /* per block, NO_BLOCK = none; of all between two propagations */
	u32 *seen;   /* per block: the last search that met it */
	u32 search;  /* its number */
	u8 **branch; /* [function][block]: branch already propagated */
	bool changed;
} Uni;

static bool uniform_mark(Uni *u, bool *flag)
{
	if (!*flag) {
		*flag = true;
		u->changed = true;
		return true;
	}
	return false;
}

/* ---- control ---- */

static void uniform_leave(Uni *u, u32 loop);

/* What the labels of one region say about its loop. */
typedef struct Exits {
	u32 label; /* the only one so far, NO_BLOCK = none */
	bool mixed, any;
} Exits;

static void uniform_exit(Exits *e, u32 label, bool is_exit)
{
	if (e->label == NO_BLOCK)
		e->label = label;
	else if (e->label != label)
		e->mixed = true;
	e->any |= is_exit;
}

/* Is the block one that the present search (u->search) has not met? */
static bool uniform_is_new(Uni *u, u32 block)
{
	bool is_new = u->seen[block] != u->search;
	u->seen[block] = u->search;
	return is_new;
}

/* Send labels from the sources (blocks, each its own label) through the region `loop`. Where only one
 * block is left that has a label, all that comes behind it has the same one: no join is there, and of
 * a loop nothing is mixed unless a label has left it before. */
static void uniform_propagate(Uni *u, const u32 *src, u32 n, u32 loop)
{
	Cfg *c = u->c;
	u32 first = c->n, last = loop == NO_BLOCK ? c->n - 1 : c->loops[loop].last;
	u32 waiting = 0, behind = 0; /* blocks with a label that are still to come; the last of all */
	Exits e = {.label = NO_BLOCK};
	for (u32 i = 0; i < n; i++) {
		if (!cfg_in_loop(c, src[i], loop)) {
			uniform_exit(&e, src[i], true);
		} else if (loop != NO_BLOCK && src[i] == c->loops[loop].first) {
			uniform_exit(&e, src[i], false);
		} else {
			u->label[src[i]] = src[i];
			waiting++;
			first = src[i] < first ? src[i] : first;
			behind = src[i] > behind ? src[i] : behind;
		}
	}
	for (u32 b = first; waiting && b <= last && b < c->n; b++) {
		if (u->label[b] == NO_BLOCK)
			continue;
		if (waiting == 1 && e.label == NO_BLOCK)
			break;
		waiting--;
		for (u32 i = 0; i < c->b[b].nsucc; i++) {
			u32 s = c->b[b].succ[i], *to = &u->label[s];
			if (!cfg_in_loop(c, s, loop)) {
				uniform_exit(&e, u->label[b], true);
			} else if (cfg_is_back_edge(b, s)) {
				if (loop != NO_BLOCK && s == c->loops[loop].first)
					uniform_exit(&e, u->label[b], false);
			} else if (*to == NO_BLOCK) {
				*to = u->label[b];
				waiting++;
				behind = s > behind ? s : behind;
			} else if (*to != u->label[b]) {
				*to = s;
				uniform_mark(u, &c->b[s].join);
			}
		}
	}
	for (u32 b = first; b <= behind && b < c->n; b++)
		u->label[b] = NO_BLOCK;
	if (loop != NO_BLOCK && e.any && e.mixed)
		uniform_leave(u, loop);
}

/* Lanes leave the loop in different iterations. */
static void uniform_leave(Uni *u, u32 loop)
{
	Cfg *c = u->c;
	CfLoop *x = &c->loops[loop];
	ARRAY(u32) exits = {0};
	if (!uniform_mark(u, &x->div_exit))
		return;
	u->search++;
	for (u32 b = x->first; b <= x->last; b++) {
		for (u32 i = 0; i < c->b[b].nsucc; i++) {
			u32 s = c->b[b].succ[i];
			if (cfg_in_loop(c, s, loop))
				continue;
			if (uniform_is_new(u, s))
				array_push(&exits, s);
			else
				uniform_mark(u, &c->b[s].join);
		}
	}
	uniform_propagate(u, exits.v, exits.n, x->parent);
	array_free(&exits);
}

static void uniform_branch(Uni *u, u32 b)
{
	Cfg *c = u->c;
	u8 *seen = &u->branch[c->func][b];
	if (*seen || c->b[b].nsucc < 2)
		return;
	*seen = 1;
	u->changed = true;
	/* A block that is a successor twice (switch) is still one way. */
	u32 *src = xmalloc(c->b[b].nsucc * sizeof *src), n = 0;
	u->search++;
	for (u32 i = 0; i < c->b[b].nsucc; i++)
		if (uniform_is_new(u, c->b[b].succ[i]))
			src[n++] = c->b[b].succ[i];
	if (n > 1)
		uniform_propagate(u, src, n, c->b[b].loop);
	free(src);
}

/* ---- values ---- */

bool uniform_carried_out(const Cfg *c, const VInfo *v, u32 user)
{
	for (u32 x = c->b[v->block].loop; x != NO_BLOCK && !cfg_in_loop(c, user, x);
	     x = c->loops[x].parent) {
		if (c->loops[x].div_exit)
			return true;
	}
	return false;
}

static bool uniform_operand(Uni *u, LLVMValueRef v, u32 user)
{
	bool ins = LLVMIsAInstruction(v) != NULL;
	if (!ins && !LLVMIsAArgument(v))
		return false;
	const VInfo *i = lo_info(u->l, v);
	return i->divergent || (ins && uniform_carried_out(u->c, i, user));
}

static bool uniform_operands(Uni *u, LLVMValueRef v, u32 block)
{
	u32 n = (u32)LLVMGetNumOperands(v);
	for (u32 i = 0; i < n; i++) {
		if (uniform_operand(u, LLVMGetOperand(v, i), block))
			return true;
	}
	return false;
}

static bool uniform_phi(Uni *u, LLVMValueRef v, u32 block)
{
	const CfBlock *b = &u->c->b[block];
	u32 n = LLVMCountIncoming(v);
	bool same = true;
	if (b->masked)
		return true;
	for (u32 i = 0; i < n; i++) {
		LLVMValueRef x = LLVMGetIncomingValue(v, i);
		same = same && x == LLVMGetIncomingValue(v, 0);
		/* Used at the end of its own block at the earliest: seen from here, so that
		 * what leaves a loop on this very edge counts as carried out. */
		if (uniform_operand(u, x, block))
			return true;
	}
	return b->join && !same;
}

/* Results that differ by lane, and results that all lanes share, whatever the operands. */
static const char *const by_lane[] = {
	"llvm.amdgcn.workitem.id", "llvm.amdgcn.mbcnt", "llvm.amdgcn.ds.bpermute",
	"llvm.amdgcn.ds.swizzle", "llvm.amdgcn.update.dpp", "llvm.masked.",
	"llvm.amdgcn.atomic.", "llvm.amdgcn.permlane",
};
static const char *const shared[] = {
	"llvm.amdgcn.readfirstlane", "llvm.amdgcn.readlane", "llvm.amdgcn.ballot",
	"llvm.amdgcn.icmp", "llvm.amdgcn.fcmp", "llvm.read_register",
};

static bool is_one_of(const char *name, const char *const *list, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (!strncmp(name, list[i], strlen(list[i])))
			return true;
	return false;
}

static bool uniform_call(Uni *u, LLVMValueRef v, u32 block)
{
	LLVMValueRef f = LLVMGetCalledValue(v);
	size_t len;
	const char *name = LLVMIsAFunction(f) ? LLVMGetValueName2(f, &len) : "";
	void *cfg = ptrmap_get(u->l->funcs, f);
	if (cfg)
		return ((Cfg *)cfg)->div_ret || u->c->b[block].masked;
	if (is_one_of(name, by_lane, COUNT(by_lane)) || matrix_is(name))
		return true;
	if (is_one_of(name, shared, COUNT(shared)))
		return u->c->b[block].masked;
	if (lo_wave_differs(v, name))
		return true;
	if (!strncmp(name, FE_WAVE, sizeof FE_WAVE - 1) || fe_is_copy(name))
		return u->c->b[block].masked;
	if (strncmp(name, "llvm.", 5))
		return true; /* printf and other services of the run time */
	return uniform_operands(u, v, block);
}

static bool uniform_value(Uni *u, LLVMValueRef v, u32 block)
{
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMPHI:
		return uniform_phi(u, v, block);
	case LLVMLoad: {
		u32 space = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0)));
		return space == SPACE_PRIVATE || space == SPACE_FLAT || u->c->b[block].masked ||
		       uniform_operands(u, v, block);
	}
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return true;
	case LLVMCall:
		return uniform_call(u, v, block);
	default:
		return uniform_operands(u, v, block);
	}
}

/* Arguments of a call make the callee's parameters divergent. */
static void uniform_arguments(Uni *u, LLVMValueRef v, u32 block)
{
	Cfg *callee = ptrmap_get(u->l->funcs, LLVMGetCalledValue(v));
	if (!callee)
		return;
	u32 n = LLVMGetNumArgOperands(v);
	for (u32 i = 0; i < n && i < LLVMCountParams(callee->fn); i++) {
		if (u->c->b[block].masked || uniform_operand(u, LLVMGetOperand(v, i), block))
			uniform_mark(u, &lo_info(u->l, LLVMGetParam(callee->fn, i))->divergent);
	}
}

static void uniform_terminator(Uni *u, LLVMValueRef v, u32 block, u32 *rets)
{
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMBr:
		if (LLVMIsConditional(v) && uniform_operand(u, LLVMGetCondition(v), block))
			uniform_branch(u, block);
		break;
	case LLVMSwitch:
		if (uniform_operand(u, LLVMGetOperand(v, 0), block))
			uniform_branch(u, block);
		break;
	case LLVMRet:
		if (++*rets > 1 || u->c->b[block].masked || uniform_operands(u, v, block))
			uniform_mark(u, &u->c->div_ret);
		break;
	default:
		break;
	}
}

static void uniform_function(Uni *u)
{
	Cfg *c = u->c;
	u32 rets = 0;
	for (u32 b = 0; b < c->n; b++) {
		LLVMValueRef v = LLVMGetFirstInstruction(c->b[b].bb);
		for (; v; v = LLVMGetNextInstruction(v)) {
			VInfo *i = lo_info(u->l, v);
			if (!i->divergent && uniform_value(u, v, b))
				uniform_mark(u, &i->divergent);
			if (LLVMGetInstructionOpcode(v) == LLVMCall)
				uniform_arguments(u, v, b);
		}
		v = LLVMGetBasicBlockTerminator(c->b[b].bb);
		uniform_terminator(u, v, b, &rets);
	}
	for (u32 x = 0; x < c->nloops; x++) {
		if (c->loops[x].irreducible)
			uniform_leave(u, x);
	}
}

void uniform_run(Lower *l)
{
	Uni u = {.l = l};
	u32 most = 0;
	u.branch = ARENA_ARRAY(l->arena, u8 *, l->nfns);
	for (u32 f = 0; f < l->nfns; f++) {
		Cfg *c = l->fns[f];
		most = c->n > most ? c->n : most;
		u.branch[f] = ARENA_ARRAY(l->arena, u8, c->n);
		for (u32 b = 0; b < c->n; b++) {
			LLVMValueRef v = LLVMGetFirstInstruction(c->b[b].bb);
			for (; v; v = LLVMGetNextInstruction(v))
				lo_info(l, v)->block = b;
		}
	}
	u.label = ARENA_ARRAY(l->arena, u32, most);
	u.seen = ARENA_ARRAY(l->arena, u32, most);
	memset(u.label, 0xff, most * sizeof *u.label);
	do {
		u.changed = false;
		for (u32 f = 0; f < l->nfns; f++) {
			u.c = l->fns[f];
			uniform_function(&u);
		}
	} while (u.changed);
}
