/* The lanes of a wavefront run in step on a GPU, and programs older than sub-groups and tiles count on it: they hand
 * values on through local memory, without a barrier. One work-item after another would read what is not there yet, or
 * what is there too early. So lanes meet before each such access, as far as its address is known to be in local memory:
 *
 *   always       where it is volatile, which says as much
 *   if asked to  where a plain access may meet another lane's since the last barrier. That is a race, which a kernel's
 *                report names; but a program goes on with what its kernels wrote, and so with what lanes in step write
 *                in the source's order. (A compiler may choose another order.)
 */
#include "frontend/native/native.h"

#include "frontend/retarget/repair.h"

static bool is_volatile(LLVMValueRef i) { return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetVolatile(i); }

/* Of a load, store, atomic, or of what a copy or fill writes; NULL: i is none. */
static LLVMValueRef address_of(LLVMValueRef i)
{
	if (LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAMemIntrinsic(i))
		return LLVMGetOperand(i, 0);
	return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

/* What a copy reads; NULL: i is none. */
static LLVMValueRef source_of(LLVMValueRef i)
{
	return LLVMIsAMemCpyInst(i) || LLVMIsAMemMoveInst(i) ? LLVMGetOperand(i, 1) : NULL;
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
	LLVMValueRef address;
	LLVMAtomicRMWBinOp op; /* of UPDATES: a compare and swap counts as an exchange */
	AccessKind kind;
	LaneAddress of;
} Access;

/* What may have been accessed since. */
typedef struct Since {
	Access access[16];
	u32 n;
	bool more; /* than there is room for: anything */
} Since;

typedef ARRAY(LLVMValueRef) Instructions;

typedef struct Steps {
	LLVMTargetDataRef td;
	u32 wave;
	bool uses_second;
	LlvmBlocks all;
	Map *accesses; /* address -> its LaneAddress */
	Since *at;     /* the start of each block */
	Arena *arena;
} Steps;

static Access access_to(const Steps *t, LLVMValueRef address, AccessKind kind)
{
	LaneAddress **of = (LaneAddress **)ptrmap_slot(t->accesses, address);
	if (!*of) {
		*of = ARENA_NEW(t->arena, LaneAddress);
		lane_address(address, t->td, t->wave, t->uses_second, *of);
	}
	return (Access){.address = address, .kind = kind, .of = **of};
}

/* Lanes may do these at one place, and what they get then depends on who is first. */
static bool collide(const Access *a, const Access *b)
{
	if (a->kind == b->kind && a->kind != WRITES && a->op == b->op)
		return false;
	if (a->of.variable && b->of.variable && a->of.variable != b->of.variable)
		return false;
	if (a->address == b->address)
		return a->of.kind == LANE_ANY;
	bool alike = a->of.kind == b->of.kind && a->of.step == b->of.step && a->of.by == b->of.by &&
	             a->of.pitch == b->of.pitch && a->of.pitch_by == b->of.pitch_by;
	return !alike || a->of.kind < LANE_COLUMN;
}

static bool since_add(Since *s, const Access *a)
{
	for (u32 i = 0; i < s->n; i++)
		if (s->access[i].address == a->address && s->access[i].kind == a->kind && s->access[i].op == a->op)
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

static AccessKind kind_of(LLVMValueRef i)
{
	return LLVMIsALoadInst(i) ? READS : LLVMIsAStoreInst(i) || LLVMIsAMemIntrinsic(i) ? WRITES : UPDATES;
}

/* s: before the block, then behind it. found: those not volatile at which lanes have to meet; or NULL. */
static void walk(const Steps *t, LLVMBasicBlockRef b, Since *s, Instructions *found)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		Access a[2];
		u32 n = 0;
		bool meet = false;
		if (llvm_is_barrier(i))
			*s = (Since){0};
		if (is_local(source_of(i)))
			a[n++] = access_to(t, source_of(i), READS);
		if (is_local(address_of(i)))
			a[n++] = access_to(t, address_of(i), kind_of(i));
		if (n && a[n - 1].kind == UPDATES)
			a[n - 1].op = LLVMIsAAtomicRMWInst(i) ? LLVMGetAtomicRMWBinOp(i) : LLVMAtomicRMWBinOpXchg;
		for (u32 k = 0; k < n; k++)
			meet |= must_meet(s, &a[k]);
		for (u32 k = 0; k < n; k++)
			since_add(s, &a[k]);
		if (found && meet && !is_volatile(i))
			array_push(found, i);
	}
}

static bool spread(Steps *t, u32 b)
{
	Since s = t->at[b];
	walk(t, t->all.block[b], &s, NULL);
	bool changed = false;
	for (u32 k = 0; k < llvm_successors(&t->all, b); k++)
		changed |= since_join(&t->at[llvm_successor(&t->all, b, k)], &s);
	return changed;
}

static void find_plain(const FeModule *m, u32 wave, LLVMValueRef f, Instructions *found)
{
	Arena *a = arena_new();
	Steps t = {.td = m->td, .wave = wave, .all = llvm_blocks(f, a), .accesses = map_new(a), .arena = a};
	llvm_each_instruction(f, i)
		t.uses_second |= !strcmp(llvm_callee_name(i), "llvm.amdgcn.workitem.id.y") ||
		                 !strcmp(llvm_callee_name(i), "llvm.amdgcn.workitem.id.z");
	t.at = ARENA_ARRAY(a, Since, t.all.n + 1);
	for (bool more = true; more;) {
		more = false;
		for (u32 b = 0; b < t.all.n; b++)
			more |= spread(&t, b);
	}
	for (u32 b = 0; b < t.all.n; b++)
		walk(&t, t.all.block[b], &t.at[b], found);
	arena_free(a);
}

/* ---- the module ---- */

bool native_in_step(FeModule *m, u32 wave, bool plain, Diag *d)
{
	static const char passes[] =
	    "always-inline,globaldce,function(sroa,sccp,simplifycfg,early-cse,infer-address-spaces,early-cse)";
	plain &= has_local(m);
	if (!plain && !has_volatile(m))
		return true;
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f) && f != m->kernel)
			llvm_inline_always(f);
	if (!fe_passed(m, llvm_passes(m->mod, passes, m->tm), "inline the functions that use local memory", d))
		return false;
	repair_addresses(m);
	Instructions found = {0};
	llvm_each_function(m->mod, f) {
		if (plain && !LLVMIsDeclaration(f))
			find_plain(m, wave, f, &found);
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
