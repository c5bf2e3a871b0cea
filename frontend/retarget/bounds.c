/* For checks: indices against the array types of the source, and stores of what the source stores.
 *
 * The machine knows where each variable and each buffer ends, but not where a row or a member does. That is in the
 * types of getelementptr, before anything is optimised. Where such an address is accessed, each index into an array
 * within it is compared with the array's length by a call, which becomes an operation (OP_within). An address that is
 * only computed is not: one past the end is fine. Steps of pointers have no type to go by, so what is in front of one
 * is not looked at. An array at the end of a structure that a bare pointer points to may go on behind it, as C's older
 * idiom for trailing arrays has it: it is left alone.
 *
 * `v.x = 1` of a vector in memory comes as load, insertelement, store of the whole. The source writes one component and
 * reads none: so does what is stored here. */
#include "frontend/retarget/bounds.h"

#include "frontend/module/mangled.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_STEPS = 16, MOST_COMPONENTS = 16 };

typedef struct Bounds {
	FeModule *m;
	LLVMBuilderRef b;
	LLVMTargetDataRef td;
	LLVMTypeRef i32, i64, call;
} Bounds;

static bool is_gep(LLVMValueRef v)
{
	return LLVMIsAGetElementPtrInst(v) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

static bool is_zero(LLVMValueRef v) { return LLVMIsAConstantInt(v) && !LLVMConstIntGetZExtValue(v); }

/* ---- indices ---- */

/* One step from a whole into a part of it. */
typedef struct Inward {
	LLVMValueRef index; /* into an array or a vector; NULL: a structure's member … */
	u64 n;              /* its elements */
	bool last;          /* … the last one */
} Inward;

/* The steps that lead to an address, the innermost first. */
typedef struct Path {
	Inward step[MOST_STEPS];
	u32 n;
	LLVMTypeRef type; /* of what the outermost steps into */
	bool whole;       /* that is a variable */
	bool stepped;     /* an element that a pointer to such was moved to */
} Path;

/* By their sizes: LLVM's own call has 32 bits for the number. 0: elements without a size, or no end. */
static u64 elements_of(LLVMTargetDataRef td, LLVMTypeRef array)
{
	u64 size = LLVMABISizeOfType(td, LLVMGetElementType(array));
	return size ? LLVMABISizeOfType(td, array) / size : 0;
}

/* Those of one getelementptr. Its first index moves the pointer. */
static void path_gep(Path *p, LLVMTargetDataRef td, LLVMValueRef gep)
{
	LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
	Inward in[MOST_STEPS];
	u32 n = 0, indices = (u32)LLVMGetNumOperands(gep);
	p->type = t;
	for (u32 i = 2; i < indices && n < MOST_STEPS; i++) {
		LLVMValueRef x = LLVMGetOperand(gep, i);
		LLVMTypeKind kind = LLVMGetTypeKind(t);
		if (kind == LLVMStructTypeKind) {
			u32 member = (u32)LLVMConstIntGetZExtValue(x);
			in[n++] = (Inward){.last = member + 1 == LLVMCountStructElementTypes(t)};
			t = LLVMStructGetTypeAtIndex(t, member);
		} else {
			bool array = kind == LLVMArrayTypeKind;
			in[n++] = (Inward){.index = x, .n = array ? elements_of(td, t) : LLVMGetVectorSize(t)};
			t = LLVMGetElementType(t);
		}
	}
	while (n && p->n < MOST_STEPS)
		p->step[p->n++] = in[--n];
}

static LLVMTypeRef variable_type(LLVMValueRef v)
{
	return LLVMIsAAllocaInst(v)       ? LLVMGetAllocatedType(v)
	       : LLVMIsAGlobalVariable(v) ? LLVMGlobalGetValueType(v)
	                                  : NULL;
}

static Path path_to(LLVMTargetDataRef td, LLVMValueRef address)
{
	Path p = {0};
	for (;;) {
		LLVMValueRef from = llvm_cast_source(address);
		if (!from && !is_gep(address))
			break;
		if (!from) {
			path_gep(&p, td, address);
			from = LLVMGetOperand(address, 0);
			if (!is_zero(LLVMGetOperand(address, 1))) {
				LLVMTypeKind kind = LLVMGetTypeKind(p.type);
				p.stepped = kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
				return p;
			}
		}
		address = from;
	}
	p.whole = p.type && variable_type(address) == p.type;
	return p;
}

/* Is the array of step i without an end that its type knows, or one that the machine knows anyway? */
static bool is_open(const Path *p, u32 i)
{
	if (!p->step[i].n)
		return true;
	if (p->whole || p->stepped || i + 1 == p->n)
		return p->whole && i + 1 == p->n;
	for (u32 k = i + 1; k < p->n; k++)
		if (p->step[k].index || !p->step[k].last)
			return false;
	return true;
}

static void call_compare(const Bounds *b, LLVMValueRef x, LLVMValueRef n, LLVMValueRef address, u64 bytes, u32 how)
{
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != SPACE_FLAT)
		address = LLVMBuildAddrSpaceCast(b->b, address, llvm_pointer(b->m->ctx, SPACE_FLAT), "");
	LLVMValueRef args[] = {LLVMBuildSExtOrBitCast(b->b, x, b->i64, ""),
	                       LLVMBuildZExtOrBitCast(b->b, n, b->i64, ""), address,
	                       LLVMConstInt(b->i64, bytes, false), LLVMConstInt(b->i64, how, false)};
	LLVMBuildCall2(b->b, b->call, LLVMGetNamedFunction(b->m->mod, BOUNDS_CALL), args, COUNT(args), "");
}

/* Before the builder's place: index x of n elements, in front of an access. */
static void compare(const Bounds *b, LLVMValueRef x, u64 n, LLVMValueRef address, u64 bytes, u32 how)
{
	if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(x)) > 64)
		return;
	if (LLVMIsAConstantInt(x) && (u64)LLVMConstIntGetSExtValue(x) < n)
		return;
	call_compare(b, x, LLVMConstInt(b->i64, n, false), address, bytes, how);
}

static void mark_access(const Bounds *b, LLVMValueRef access, LLVMValueRef address, u64 bytes, u32 how)
{
	Path p = path_to(b->td, address);
	LLVMPositionBuilderBefore(b->b, access);
	LLVMSetCurrentDebugLocation2(b->b, LLVMInstructionGetDebugLoc(access));
	for (u32 i = p.n; i--;)
		if (p.step[i].index && !is_open(&p, i)) {
			u32 k = i + 1;
			while (k < p.n && p.step[k].index)
				k++;
			bool row = p.n > i + 1 && k == p.n;
			compare(b, p.step[i].index, p.step[i].n, address, bytes, how | (row ? WITHIN_ROW : 0));
		}
}

static u64 size_of(const Bounds *b, LLVMTypeRef t) { return LLVMStoreSizeOfType(b->td, t); }

static void mark_copy(const Bounds *b, LLVMValueRef i)
{
	LLVMValueRef bytes = LLVMGetOperand(i, 2);
	u64 n = LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : 1;
	mark_access(b, i, LLVMGetOperand(i, 0), n, WITHIN_WRITE);
	if (!LLVMIsAMemSetInst(i))
		mark_access(b, i, LLVMGetOperand(i, 1), n, 0);
}

/* A built-in atomic is a call here. */
static bool is_atomic_call(const FeModule *m, LLVMValueRef i)
{
	LLVMValueRef f = llvm_callee(i);
	return f && LLVMIsDeclaration(f) == 0 && !fe_is_users(m, f) && strstr(LLVMGetValueName(f), "atom") &&
	       LLVMGetNumArgOperands(i) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMPointerTypeKind;
}

/* A built-in's object is as large as what goes in or comes out, beside int's of order and scope. */
static void mark_atomic_call(const Bounds *b, LLVMValueRef i)
{
	LLVMTypeRef result = LLVMTypeOf(i);
	u64 bytes = LLVMGetTypeKind(result) == LLVMVoidTypeKind ? 0 : size_of(b, result);
	for (u32 k = 1; k < LLVMGetNumArgOperands(i); k++) {
		LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(i, k));
		if (LLVMGetTypeKind(t) != LLVMPointerTypeKind && size_of(b, t) > bytes)
			bytes = size_of(b, t);
	}
	Mangled name = fe_mangled(llvm_callee_name(i));
	bool reads = mangled_begins(&name, "atomic_load");
	mark_access(b, i, LLVMGetOperand(i, 0), bytes < 4 ? 4 : bytes, reads ? 0 : WITHIN_WRITE);
}

static void mark_instruction(const Bounds *b, LLVMValueRef i)
{
	if (LLVMIsALoadInst(i))
		mark_access(b, i, LLVMGetOperand(i, 0), size_of(b, LLVMTypeOf(i)), 0);
	else if (LLVMIsAStoreInst(i))
		mark_access(b, i, LLVMGetOperand(i, 1), size_of(b, LLVMTypeOf(LLVMGetOperand(i, 0))), WITHIN_WRITE);
	else if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
		mark_access(b, i, LLVMGetOperand(i, 0), size_of(b, LLVMTypeOf(LLVMGetOperand(i, 1))), WITHIN_WRITE);
	else if (LLVMIsAMemIntrinsic(i))
		mark_copy(b, i);
	else if (LLVMIsACallInst(i) && is_atomic_call(b->m, i))
		mark_atomic_call(b, i);
}

/* An element of a vector that is no memory. */
static void mark_element(const Bounds *b, LLVMValueRef i)
{
	LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(i, 0));
	LLVMPositionBuilderBefore(b->b, i);
	LLVMSetCurrentDebugLocation2(b->b, LLVMInstructionGetDebugLoc(i));
	compare(b, LLVMGetOperand(i, LLVMIsAInsertElementInst(i) ? 2 : 1), LLVMGetVectorSize(t),
	        LLVMConstNull(llvm_pointer(b->m->ctx, SPACE_FLAT)), 0, LLVMIsAInsertElementInst(i) ? WITHIN_WRITE : 0);
}

/* ---- components ---- */

/* Component `at` of v: the scalar that it is made of, or that of *whole at *k; both NULL when nothing is there (the
 * fourth of three). */
static LLVMValueRef trace(LLVMValueRef v, u32 at, LLVMValueRef address, LLVMValueRef *whole, u32 *k)
{
	*k = at;
	for (*whole = v; !LLVMIsALoadInst(*whole) || LLVMGetOperand(*whole, 0) != address;) {
		if (LLVMIsAInsertElementInst(*whole) && LLVMIsAConstantInt(LLVMGetOperand(*whole, 2))) {
			if (LLVMConstIntGetZExtValue(LLVMGetOperand(*whole, 2)) == *k)
				return LLVMGetOperand(*whole, 1);
			*whole = LLVMGetOperand(*whole, 0);
		} else if (LLVMIsAShuffleVectorInst(*whole)) {
			u32 n = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(*whole, 0)));
			int mask = LLVMGetMaskValue(*whole, *k);
			if (mask == LLVMGetUndefMaskElem())
				return *whole = NULL;
			*k = (u32)mask % n;
			*whole = LLVMGetOperand(*whole, (u32)mask / n);
		} else {
			break;
		}
	}
	return NULL;
}

/* Nothing may write between load and store, of one block. */
static bool is_undisturbed(LLVMValueRef load, LLVMValueRef store)
{
	for (LLVMValueRef i = LLVMGetPreviousInstruction(store); i; i = LLVMGetPreviousInstruction(i)) {
		if (i == load)
			return !LLVMGetVolatile(load);
		if (!llvm_debug(i) && (LLVMIsAStoreInst(i) || LLVMIsACallInst(i) || LLVMIsAAtomicRMWInst(i)))
			return false;
	}
	return false;
}

/* What nobody uses any more is no access of the source. */
static void erase_unused(LLVMValueRef v)
{
	if (!v || LLVMGetFirstUse(v) ||
	    !(LLVMIsALoadInst(v) || LLVMIsAInsertElementInst(v) || LLVMIsAShuffleVectorInst(v)))
		return;
	LLVMValueRef first = LLVMIsALoadInst(v) ? NULL : LLVMGetOperand(v, 0);
	LLVMValueRef second = LLVMIsAShuffleVectorInst(v) ? LLVMGetOperand(v, 1) : NULL;
	LLVMInstructionEraseFromParent(v);
	/* A second one that has users still may go with the first. */
	bool both = second && second != first && !LLVMGetFirstUse(second);
	erase_unused(first);
	if (both)
		erase_unused(second);
}

static void store_component(const Bounds *b, LLVMValueRef address, LLVMTypeRef e, LLVMValueRef index,
                            LLVMValueRef value)
{
	LLVMSetAlignment(LLVMBuildStore(b->b, value, LLVMBuildGEP2(b->b, e, address, &index, 1, "")),
	                 (u32)LLVMStoreSizeOfType(b->td, e));
}

static void split_store(const Bounds *b, LLVMValueRef store)
{
	LLVMValueRef v = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1), load = NULL;
	LLVMTypeRef t = LLVMTypeOf(v), e = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : NULL;
	u32 n = e ? LLVMGetVectorSize(t) : 0;
	bool varies = n && LLVMIsAInsertElementInst(v) && !LLVMIsAConstantInt(LLVMGetOperand(v, 2));
	struct {
		LLVMValueRef scalar, whole;
		u32 k;
	} part[MOST_COMPONENTS];
	if (!n || n > MOST_COMPONENTS || LLVMGetVolatile(store) || LLVMSizeOfTypeInBits(b->td, e) % 8)
		return;
	for (u32 k = 0; k < n; k++) {
		part[k].scalar = trace(varies ? LLVMGetOperand(v, 0) : v, k, address, &part[k].whole, &part[k].k);
		LLVMValueRef from = part[k].scalar ? NULL : part[k].whole;
		if (from && LLVMIsALoadInst(from) && LLVMGetOperand(from, 0) == address && part[k].k == k) {
			load = from;
			part[k].whole = NULL;
		}
	}
	if (!load) /* all of them are new, and yet the front end loads the old ones */
		for (LLVMValueRef i = LLVMGetPreviousInstruction(store); i && !LLVMIsAStoreInst(i);
		     i = LLVMGetPreviousInstruction(i))
			if (LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == address && !LLVMGetFirstUse(i)) {
				LLVMInstructionEraseFromParent(i);
				return;
			}
	if (!load || !is_undisturbed(load, store))
		return;
	LLVMPositionBuilderBefore(b->b, store);
	LLVMSetCurrentDebugLocation2(b->b, LLVMInstructionGetDebugLoc(store));
	if (varies)
		store_component(b, address, e, LLVMGetOperand(v, 2), LLVMGetOperand(v, 1));
	for (u32 k = 0; k < n; k++) {
		LLVMValueRef x = part[k].scalar, at = LLVMConstInt(b->i32, part[k].k, false);
		if (!x && part[k].whole)
			x = LLVMBuildExtractElement(b->b, part[k].whole, at, "");
		if (x)
			store_component(b, address, e, LLVMConstInt(b->i32, k, false), x);
	}
	LLVMInstructionEraseFromParent(store);
	erase_unused(v);
}

/* ---- images ---- */

/* PoCL's function that all writes of images come to drops what lies beside them. Its image is a description
 * (engine/image.c): width, height, depth, 0 where there is none. (A layer is brought into range before that.) */
static void mark_pixels(const Bounds *b)
{
	enum { COLOR, IMAGE, AT, PARAMS, SIZES = 8, DIMS = 3 };
	LLVMValueRef f = LLVMGetNamedFunction(b->m->mod, "pocl_write_pixel");
	if (!f || LLVMIsDeclaration(f) || LLVMCountParams(f) < PARAMS ||
	    LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, IMAGE))) != LLVMPointerTypeKind ||
	    LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, AT))) != LLVMVectorTypeKind)
		return;
	LLVMValueRef image = LLVMGetParam(f, IMAGE), none = LLVMConstNull(b->i32), most = LLVMConstAllOnes(b->i32);
	LLVMPositionBuilderBefore(b->b, llvm_entry(f));
	LLVMValueRef pixels = LLVMBuildLoad2(b->b, llvm_pointer(b->m->ctx, SPACE_FLAT), image, "");
	for (u32 i = 0; i < DIMS; i++) {
		LLVMValueRef k = LLVMConstInt(b->i32, SIZES / sizeof(u32) + i, false);
		LLVMValueRef dim = LLVMConstInt(b->i32, i, false);
		LLVMValueRef size = LLVMBuildLoad2(b->b, b->i32, LLVMBuildGEP2(b->b, b->i32, image, &k, 1, ""), "");
		LLVMValueRef has = LLVMBuildICmp(b->b, LLVMIntNE, size, none, "");
		LLVMValueRef at = LLVMBuildExtractElement(b->b, LLVMGetParam(f, AT), dim, "");
		/* No size: it has no such dimension. */
		call_compare(b, LLVMBuildSelect(b->b, has, at, none, ""), LLVMBuildSelect(b->b, has, size, most, ""),
		             pixels, -(u64)(i + 1), WITHIN_WRITE);
	}
}

/* ---- all of it ---- */

void bounds_mark(FeModule *m)
{
	Bounds b = {.m = m, .b = LLVMCreateBuilderInContext(m->ctx), .td = LLVMGetModuleDataLayout(m->mod),
	            .i32 = LLVMInt32TypeInContext(m->ctx), .i64 = LLVMInt64TypeInContext(m->ctx)};
	LLVMTypeRef args[] = {b.i64, b.i64, llvm_pointer(m->ctx, SPACE_FLAT), b.i64, b.i64};
	b.call = LLVMFunctionType(LLVMVoidTypeInContext(m->ctx), args, COUNT(args), false);
	LLVMValueRef f = LLVMAddFunction(m->mod, BOUNDS_CALL, b.call);
	llvm_add_attribute(f, ON_FUNCTION, "nounwind");
	llvm_each_function(m->mod, user) {
		if (!fe_is_users(m, user))
			continue; /* of a library: its types say nothing about the source's */
		llvm_each_instruction(user, i)
			if (LLVMIsAStoreInst(i))
				split_store(&b, i);
		llvm_each_instruction(user, i) {
			mark_instruction(&b, i);
			if (LLVMIsAExtractElementInst(i) || LLVMIsAInsertElementInst(i))
				mark_element(&b, i);
		}
	}
	LLVMSetCurrentDebugLocation2(b.b, NULL);
	mark_pixels(&b);
	LLVMDisposeBuilder(b.b);
}
