/* The lanes of a wavefront run in step on a GPU, and programs older than sub-groups and tiles count on it: they hand
 * values on through local memory, without a barrier. One work-item after another would read what is not there yet, or
 * what is there too early. So lanes meet before each such access, as far as its address is known to be in local memory:
 *
 *   always       where it is volatile, which says as much
 *   if asked to  where a plain access may meet another lane's since the last barrier. That is a race, which a kernel's
 *                report names; but a program goes on with what its kernels wrote, and so with what a GPU would write
 */
#include "frontend/native/native.h"

#include "frontend/retarget/repair.h"

static bool is_volatile(LLVMValueRef i) { return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetVolatile(i); }

/* Of a load, store or atomic; NULL: i is none. */
static LLVMValueRef address_of(LLVMValueRef i)
{
	if (LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
		return LLVMGetOperand(i, 0);
	return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

static bool is_local(LLVMValueRef address)
{
	return address && LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == SPACE_LDS;
}

/* Of what is not a variable of the function's own. */
static bool has_volatile(const FeModule *m)
{
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			if (is_volatile(i) && !LLVMIsAAllocaInst(address_of(i)))
				return true;
	return false;
}

static bool has_local(const FeModule *m)
{
	for (LLVMValueRef v = LLVMGetFirstGlobal(m->mod); v; v = LLVMGetNextGlobal(v))
		if (is_local(v))
			return true;
	return false;
}

/* ---- accesses since the last barrier ---- */

typedef enum { READS, WRITES, UPDATES } AccessKind; /* UPDATES: an atomic */

typedef struct Access {
	LLVMValueRef address, variable; /* variable: NULL if it is not known */
	AccessKind kind;
	bool own; /* the address depends on the lane: no other lane has the same */
} Access;

/* What may have been accessed since. */
typedef struct Since {
	Access access[16];
	u32 n;
	bool more; /* than there is room for: anything */
} Since;

typedef ARRAY(LLVMValueRef) Instructions;

typedef struct Steps {
	LLVMBasicBlockRef *block;
	u32 n;
	Map *number; /* block -> its number + 1 */
	Since *at;   /* the start of each block */
} Steps;

static bool is_barrier(LLVMValueRef i) { return !strcmp(llvm_callee_name(i), "llvm.amdgcn.s.barrier"); }

static LLVMValueRef variable_of(LLVMValueRef address)
{
	while (!LLVMIsAGlobalVariable(address)) {
		bool within = LLVMIsAInstruction(address) || LLVMIsAConstantExpr(address);
		LLVMOpcode op = LLVMIsAInstruction(address)    ? LLVMGetInstructionOpcode(address)
		                : LLVMIsAConstantExpr(address) ? LLVMGetConstOpcode(address)
		                                               : LLVMRet;
		if (!within || (op != LLVMGetElementPtr && op != LLVMBitCast))
			return NULL;
		address = LLVMGetOperand(address, 0);
	}
	return address;
}

/* Of the lane's place in the first dimension, as far as it is computed in a few steps. */
static bool depends_on_lane(LLVMValueRef v)
{
	LLVMValueRef todo[64] = {v};
	for (u32 at = 0, n = 1; at < n; at++) {
		if (!strcmp(llvm_callee_name(todo[at]), "llvm.amdgcn.workitem.id.x"))
			return true;
		bool computed = LLVMIsAInstruction(todo[at]) && !LLVMIsALoadInst(todo[at]) && !LLVMIsACallInst(todo[at]);
		for (u32 k = 0; computed && k < (u32)LLVMGetNumOperands(todo[at]) && n < COUNT(todo); k++)
			todo[n++] = LLVMGetOperand(todo[at], k);
	}
	return false;
}

static bool access_at(LLVMValueRef i, Access *out)
{
	LLVMValueRef address = address_of(i);
	if (!is_local(address))
		return false;
	*out = (Access){.address = address,
	                .variable = variable_of(address),
	                .kind = LLVMIsALoadInst(i) ? READS : LLVMIsAStoreInst(i) ? WRITES : UPDATES,
	                .own = depends_on_lane(address)};
	return true;
}

/* Lanes may do these at one place, and what they get then depends on who is first. */
static bool collide(const Access *a, const Access *b)
{
	if (a->kind == b->kind && a->kind != WRITES)
		return false;
	if (a->variable && b->variable && a->variable != b->variable)
		return false;
	return a->address != b->address || !a->own;
}

static bool since_add(Since *s, const Access *a)
{
	for (u32 i = 0; i < s->n; i++)
		if (s->access[i].address == a->address && s->access[i].kind == a->kind)
			return false;
	if (s->more)
		return false;
	if (s->n == COUNT(s->access))
		s->more = true;
	else
		s->access[s->n++] = *a;
	return true;
}

/* True: to has more than before. */
static bool since_join(Since *to, const Since *from)
{
	bool changed = from->more && !to->more;
	to->more |= from->more;
	for (u32 i = 0; i < from->n; i++)
		changed |= since_add(to, &from->access[i]);
	return changed;
}

static bool must_meet(const Since *s, const Access *a)
{
	for (u32 i = 0; i < s->n; i++)
		if (collide(&s->access[i], a))
			return true;
	return s->more;
}

/* s: before the block, then behind it. found: those not volatile at which lanes have to meet; or NULL. */
static void walk(LLVMBasicBlockRef b, Since *s, Instructions *found)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		Access a;
		if (is_barrier(i))
			*s = (Since){0};
		if (!access_at(i, &a))
			continue;
		if (found && !is_volatile(i) && must_meet(s, &a))
			array_push(found, i);
		since_add(s, &a);
	}
}

static bool spread(Steps *t, u32 b)
{
	Since s = t->at[b];
	walk(t->block[b], &s, NULL);
	LLVMValueRef end = LLVMGetBasicBlockTerminator(t->block[b]);
	bool changed = false;
	for (u32 k = 0; end && k < LLVMGetNumSuccessors(end); k++)
		changed |= since_join(&t->at[(uintptr_t)ptrmap_get(t->number, LLVMGetSuccessor(end, k)) - 1], &s);
	return changed;
}

static void find_plain(LLVMValueRef f, Instructions *found)
{
	Arena *a = arena_new();
	Steps t = {.n = LLVMCountBasicBlocks(f), .number = map_new(a)};
	t.block = ARENA_ARRAY(a, LLVMBasicBlockRef, t.n + 1);
	t.at = ARENA_ARRAY(a, Since, t.n + 1);
	LLVMGetBasicBlocks(f, t.block);
	for (u32 b = 0; b < t.n; b++)
		*ptrmap_slot(t.number, t.block[b]) = (void *)(uintptr_t)(b + 1);
	for (bool more = true; more;) {
		more = false;
		for (u32 b = 0; b < t.n; b++)
			more |= spread(&t, b);
	}
	for (u32 b = 0; b < t.n; b++)
		walk(t.block[b], &t.at[b], found);
	arena_free(a);
}

/* ---- the module ---- */

bool native_in_step(FeModule *m, bool plain, Diag *d)
{
	static const char passes[] = "always-inline,globaldce,function(sroa,early-cse,infer-address-spaces,early-cse)";
	plain &= has_local(m);
	if (!plain && !has_volatile(m))
		return true;
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f) && f != m->kernel)
			llvm_inline_always(f);
	if (!fe_passed(m, llvm_passes(m->mod, passes, m->tm), "find what is handed on through local memory", d))
		return false;
	repair_addresses(m);
	Instructions found = {0};
	llvm_each_function(m->mod, f) {
		if (plain && !LLVMIsDeclaration(f))
			find_plain(f, &found);
		llvm_each_instruction(f, i)
			if (is_volatile(i) && is_local(address_of(i)))
				array_push(&found, i);
	}
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	for (u32 i = 0; i < found.n; i++) {
		LLVMPositionBuilderBefore(b, found.v[i]);
		llvm_call(b, llvm_intrinsic(m->mod, "llvm.amdgcn.wave.barrier", NULL, 0), NULL, 0);
	}
	LLVMDisposeBuilder(b);
	array_free(&found);
	return true;
}
