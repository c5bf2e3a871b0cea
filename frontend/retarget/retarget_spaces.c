/* Pointers that know their address space from the start.
 *
 * For x86 every pointer is flat: also one in a variable, in an argument of a function or in its result. AMD's clang
 * writes down `global float *` as a pointer of address space 1 wherever it is kept, and its optimiser sees that from
 * its first pass on. LLVM's infer-address-spaces does not look into memory, so it could tell only after other passes
 * have put variables into registers, and code that they have gone over twice is other code in the end. So each
 * variable, argument and result that only ever holds pointers to one space gets that type here.
 *
 * Which space, a fixed point says: at first all may be in any, and each value that is put there takes away what it is
 * not. */
#include "frontend/retarget/repair.h"

#include "base/hash.h"
#include "frontend/retarget/retarget.h"

#include <llvm-c/DebugInfo.h>

enum { ANY = -1 };    /* nothing was put there that is in a space */
enum { MIXED = SPACE_FLAT };
enum { NOBODY = UINT32_MAX };

typedef struct Holder {
	LLVMValueRef v; /* an alloca, a parameter, or a function, for its result; a phi or select, which stays flat */
	int space;
} Holder;

/* A value that is put into a holder: what another holds, or a pointer to a space. */
typedef struct SpacePut {
	u32 to, from; /* from: or NOBODY */
	int space;
} SpacePut;

typedef struct Spaces {
	FeModule *m;
	Arena *arena;
	ARRAY(Holder) holders;
	ARRAY(SpacePut) puts;
	Map *number; /* v -> its number + 1 */
	LLVMBuilderRef b;
} Spaces;

static bool is_flat(LLVMTypeRef t)
{
	return LLVMGetTypeKind(t) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(t) == SPACE_FLAT;
}

static void hold(Spaces *s, LLVMValueRef v)
{
	array_push(&s->holders, ((Holder){v, ANY}));
	*ptrmap_slot(s->number, v) = (void *)(uintptr_t)s->holders.n;
}

/* NOBODY: v is no holder. */
static u32 number_of(const Spaces *s, LLVMValueRef v) { return (u32)(uintptr_t)ptrmap_get(s->number, v) - 1; }

static int held(const Spaces *s, LLVMValueRef v)
{
	u32 number = number_of(s, v);
	return number != NOBODY ? s->holders.v[number].space : MIXED;
}

static int meet(int a, int b) { return a == ANY ? b : b == ANY || a == b ? a : MIXED; }

/* ---- who holds pointers ---- */

/* A variable of which nobody but loads and stores of all of it has the address. */
static bool holds_alone(LLVMValueRef alloca)
{
	if (!is_flat(LLVMGetAllocatedType(alloca)) || !LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) ||
	    LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0)) != 1)
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u);
		bool load = LLVMIsALoadInst(i) && is_flat(LLVMTypeOf(i));
		LLVMValueRef stored = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : NULL;
		bool store = stored && stored != alloca && is_flat(LLVMTypeOf(stored));
		bool plain = (load || store) && !LLVMGetVolatile(i) &&
		             LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
		if (!plain && !llvm_is_lifetime(i))
			return false;
	}
	return true;
}

/* A function of which all callers are seen. */
static bool is_called_only(const FeModule *m, LLVMValueRef f)
{
	if (LLVMIsDeclaration(f) || f == m->kernel || LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef call = LLVMGetUser(u);
		if (llvm_callee(call) != f)
			return false;
		for (u32 i = 0; i < LLVMGetNumArgOperands(call); i++)
			if (LLVMGetOperand(call, i) == f)
				return false;
	}
	return true;
}

static bool chooses(LLVMValueRef i)
{
	return is_flat(LLVMTypeOf(i)) && (LLVMIsAPHINode(i) || LLVMIsASelectInst(i));
}

static void find_holders(Spaces *s)
{
	llvm_each_function(s->m->mod, f) {
		if (is_called_only(s->m, f)) {
			for (u32 i = 0; i < LLVMCountParams(f); i++)
				if (is_flat(LLVMTypeOf(LLVMGetParam(f, i))))
					hold(s, LLVMGetParam(f, i));
			if (is_flat(LLVMGetReturnType(LLVMGlobalGetValueType(f))))
				hold(s, f);
		}
		llvm_each_instruction(f, i)
			if (chooses(i) || (LLVMIsAAllocaInst(i) && holds_alone(i)))
				hold(s, i);
	}
}

/* ---- which spaces ---- */

/* Whose pointer v is: that of a variable that is loaded, of a function that is called, its own. NOBODY: of memory. */
static u32 holder_of(const Spaces *s, LLVMValueRef v)
{
	LLVMValueRef callee = llvm_callee(v), from = LLVMIsALoadInst(v) ? LLVMGetOperand(v, 0) : NULL;
	if (from)
		return LLVMIsAAllocaInst(from) ? number_of(s, from) : NOBODY;
	return number_of(s, callee ? callee : v);
}

/* The address of which v is part, in whatever space. In code that nothing reaches one may be part of itself. */
static LLVMValueRef base_of(LLVMValueRef v)
{
	LLVMValueRef seen = NULL; /* Brent: of every cycle one comes to be remembered */
	for (u32 steps = 0; v != seen; steps++) {
		if (!(steps & (steps - 1)))
			seen = v;
		LLVMValueRef from = llvm_cast_source(v);
		if (!from && (LLVMIsAGetElementPtrInst(v) || LLVMIsAFreezeInst(v) ||
		              (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr)))
			from = LLVMGetOperand(v, 0);
		if (!from)
			break;
		v = from;
	}
	return v;
}

static void put(Spaces *s, LLVMValueRef holder, LLVMValueRef value)
{
	SpacePut p = {.to = number_of(s, holder), .from = NOBODY};
	if (p.to == NOBODY)
		return;
	LLVMValueRef base = base_of(value);
	if (!is_flat(LLVMTypeOf(base))) {
		p.space = (int)LLVMGetPointerAddressSpace(LLVMTypeOf(base));
	} else if (LLVMIsNull(base) || LLVMIsUndef(base)) {
		p.space = ANY;
	} else {
		p.from = holder_of(s, base);
		p.space = MIXED;
	}
	array_push(&s->puts, p);
}

static void put_choice(Spaces *s, LLVMValueRef i)
{
	bool phi = LLVMIsAPHINode(i);
	for (u32 k = 0; k < (phi ? LLVMCountIncoming(i) : 2); k++)
		put(s, i, phi ? LLVMGetIncomingValue(i, k) : LLVMGetOperand(i, k + 1));
}

static void find_puts(Spaces *s)
{
	llvm_each_function(s->m->mod, f)
		llvm_each_instruction(f, i) {
			LLVMValueRef callee = llvm_callee(i);
			if (LLVMIsAStoreInst(i) && LLVMIsAAllocaInst(LLVMGetOperand(i, 1)))
				put(s, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0));
			else if (LLVMIsAReturnInst(i) && LLVMGetNumOperands(i))
				put(s, f, LLVMGetOperand(i, 0));
			else if (chooses(i))
				put_choice(s, i);
			for (u32 k = 0; callee && !LLVMIsDeclaration(callee) && k < LLVMCountParams(callee); k++)
				put(s, LLVMGetParam(callee, k), LLVMGetOperand(i, k));
		}
}

static bool put_one(Spaces *s, const SpacePut *p)
{
	Holder *h = &s->holders.v[p->to];
	int was = h->space;
	h->space = meet(was, p->from != NOBODY ? s->holders.v[p->from].space : p->space);
	return h->space != was;
}

/* In turns forward and backward: results go from functions to later ones, arguments to earlier ones. */
static void settle(Spaces *s)
{
	for (bool more = true; more;) {
		more = false;
		for (u32 i = 0; i < s->puts.n; i++)
			more |= put_one(s, &s->puts.v[i]);
		for (u32 i = s->puts.n; i-- > 0;)
			more |= put_one(s, &s->puts.v[i]);
	}
}

/* ---- their types ---- */

static LLVMValueRef cast(Spaces *s, LLVMValueRef v, LLVMTypeRef to)
{
	LLVMValueRef source = llvm_cast_source(v);
	if (LLVMTypeOf(v) == to)
		return v;
	return source && LLVMTypeOf(source) == to ? source : LLVMBuildAddrSpaceCast(s->b, v, to, "");
}

static void before(Spaces *s, LLVMValueRef i)
{
	LLVMPositionBuilderBefore(s->b, i);
	LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(i));
}

static void same_metadata(LLVMValueRef from, LLVMValueRef to)
{
	size_t n;
	LLVMValueMetadataEntry *e = LLVMInstructionGetAllMetadataOtherThanDebugLoc(from, &n);
	for (u32 i = 0; i < n; i++)
		LLVMSetMetadata(to, LLVMValueMetadataEntriesGetKind(e, i),
		                LLVMMetadataAsValue(LLVMGetTypeContext(LLVMTypeOf(from)),
		                                    LLVMValueMetadataEntriesGetMetadata(e, i)));
	LLVMDisposeValueMetadataEntries(e);
}

static void retype_use(Spaces *s, LLVMValueRef i, LLVMValueRef alloca, LLVMTypeRef t)
{
	before(s, i);
	if (llvm_is_lifetime(i)) {
		u64 bytes = LLVMABISizeOfType(s->m->td, t);
		LLVMSetOperand(i, 0, LLVMConstInt(LLVMTypeOf(LLVMGetOperand(i, 0)), bytes, 0));
	} else if (LLVMIsAStoreInst(i)) {
		LLVMValueRef store = LLVMBuildStore(s->b, cast(s, LLVMGetOperand(i, 0), t), alloca);
		same_metadata(i, store);
		LLVMInstructionEraseFromParent(i);
	} else {
		LLVMValueRef load = LLVMBuildLoad2(s->b, t, alloca, "");
		same_metadata(i, load);
		LLVMReplaceAllUsesWith(i, cast(s, load, LLVMTypeOf(i)));
		LLVMInstructionEraseFromParent(i);
	}
}

static void retype_alloca(Spaces *s, const Holder *h)
{
	LLVMTypeRef t = llvm_pointer(s->m->ctx, (Space)h->space);
	before(s, h->v);
	LLVMValueRef new = LLVMBuildAlloca(s->b, t, "");
	size_t n;
	const char *name = LLVMGetValueName2(h->v, &n);
	name = arena_strndup(s->arena, name, n);
	LLVMReplaceAllUsesWith(h->v, new); /* both are pointers to private memory; debug declarations follow */
	LLVMInstructionEraseFromParent(h->v);
	LLVMSetValueName2(new, name, n);
	ARRAY(LLVMValueRef) users = {0};
	for (LLVMUseRef u = LLVMGetFirstUse(new); u; u = LLVMGetNextUse(u))
		array_push(&users, LLVMGetUser(u));
	for (u32 i = 0; i < users.n; i++)
		retype_use(s, users.v[i], new, t);
	array_free(&users);
}

static void same_call_attributes(LLVMValueRef from, LLVMValueRef to, u32 args)
{
	for (u32 at = 0; at <= args + 1; at++) {
		LLVMAttributeIndex index = at > args ? ON_FUNCTION : at;
		u32 n = LLVMGetCallSiteAttributeCount(from, index);
		LLVMAttributeRef *a = xcalloc(n + 1, sizeof *a);
		LLVMGetCallSiteAttributes(from, index, a);
		for (u32 i = 0; i < n; i++)
			LLVMAddCallSiteAttribute(to, index, a[i]);
		free(a);
	}
}

static void retype_call(Spaces *s, LLVMValueRef call, LLVMValueRef f)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(f);
	u32 n = LLVMCountParams(f);
	LLVMValueRef *args = xcalloc(n + 1, sizeof *args);
	before(s, call);
	for (u32 i = 0; i < n; i++) {
		LLVMTypeRef want = LLVMTypeOf(LLVMGetParam(f, i));
		LLVMValueRef v = LLVMGetOperand(call, i);
		args[i] = LLVMTypeOf(v) == want ? v : cast(s, v, want);
	}
	LLVMValueRef new = LLVMBuildCall2(s->b, type, f, args, n, "");
	free(args);
	LLVMSetInstructionCallConv(new, LLVMGetInstructionCallConv(call));
	LLVMSetTailCall(new, LLVMIsTailCall(call));
	same_call_attributes(call, new, n);
	same_metadata(call, new);
	LLVMTypeRef was = LLVMTypeOf(call);
	if (LLVMGetTypeKind(was) != LLVMVoidTypeKind)
		LLVMReplaceAllUsesWith(call, LLVMTypeOf(new) == was ? new : cast(s, new, was));
	LLVMInstructionEraseFromParent(call);
}

/* The function's type, or NULL: as it is. */
static LLVMTypeRef new_type(const Spaces *s, LLVMValueRef f)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(f), result = LLVMGetReturnType(type);
	u32 n = LLVMCountParams(f);
	LLVMTypeRef *params = xcalloc(n + 1, sizeof *params);
	bool other = held(s, f) > MIXED;
	for (u32 i = 0; i < n; i++) {
		int space = held(s, LLVMGetParam(f, i));
		params[i] = space > MIXED ? llvm_pointer(s->m->ctx, (Space)space) : LLVMTypeOf(LLVMGetParam(f, i));
		other |= space > MIXED;
	}
	if (held(s, f) > MIXED)
		result = llvm_pointer(s->m->ctx, (Space)held(s, f));
	type = other ? LLVMFunctionType(result, params, n, 0) : NULL;
	free(params);
	return type;
}

static void retype_function(Spaces *s, LLVMValueRef old, LLVMTypeRef type)
{
	LLVMValueRef f = LLVMAddFunction(s->m->mod, "", type);
	abi_take_body(s->m, old, f);
	for (u32 i = 0; i < LLVMCountParams(f); i++) {
		LLVMValueRef was = LLVMGetParam(old, i), p = LLVMGetParam(f, i);
		LLVMPositionBuilderBefore(s->b, llvm_entry(f));
		LLVMSetCurrentDebugLocation2(s->b, NULL);
		LLVMReplaceAllUsesWith(was, LLVMTypeOf(p) == LLVMTypeOf(was) ? p : cast(s, p, LLVMTypeOf(was)));
	}
	llvm_each_instruction(f, i)
		if (LLVMIsAReturnInst(i) && LLVMGetNumOperands(i)) {
			before(s, i);
			LLVMSetOperand(i, 0, cast(s, LLVMGetOperand(i, 0), LLVMGetReturnType(type)));
		}
	ARRAY(LLVMValueRef) calls = {0};
	for (LLVMUseRef u = LLVMGetFirstUse(old); u; u = LLVMGetNextUse(u))
		array_push(&calls, LLVMGetUser(u));
	for (u32 i = 0; i < calls.n; i++)
		retype_call(s, calls.v[i], f);
	array_free(&calls);
	size_t n;
	const char *name = LLVMGetValueName2(old, &n);
	name = arena_strndup(s->arena, name, n);
	LLVMDeleteFunction(old);
	LLVMSetValueName2(f, name, n);
}

void retarget_spaces(FeModule *m)
{
	Spaces s = {.m = m, .arena = arena_new()};
	s.number = map_new(s.arena);
	s.b = LLVMCreateBuilderInContext(m->ctx);
	find_holders(&s);
	find_puts(&s);
	settle(&s);
	/* What is made new may lie where something was that held a pointer. */
	struct { LLVMValueRef f; LLVMTypeRef type; } one;
	ARRAY(__typeof__(one)) functions = {0};
	llvm_each_function(m->mod, f) {
		one = (__typeof__(one)){f, new_type(&s, f)};
		if (one.type)
			array_push(&functions, one);
	}
	for (u32 i = 0; i < s.holders.n; i++)
		if (s.holders.v[i].space > MIXED && LLVMIsAAllocaInst(s.holders.v[i].v))
			retype_alloca(&s, &s.holders.v[i]);
	for (u32 i = 0; i < functions.n; i++)
		retype_function(&s, functions.v[i].f, functions.v[i].type);
	array_free(&functions);
	LLVMDisposeBuilder(s.b);
	array_free(&s.holders);
	array_free(&s.puts);
	arena_free(s.arena);
}
