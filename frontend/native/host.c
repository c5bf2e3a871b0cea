/* A module that was retargeted (module.h) becomes one for this processor, and machine code.
 *
 * Bodies stay as they are: to x86's code generator address spaces below 256 are one memory, and an alloca may be in
 * any. What asks the GPU calls a function of ours by its address, local memory is a block whose address is known, and
 * the kernel gets an entry that takes all arguments by address. Every place where lanes meet has a number, in the
 * order of the code: so what reaches one is inlined into the kernel first. */
#include "frontend/native/native.h"

#include "frontend/module/assembly.h"
#include "frontend/module/collective.h"
#include "frontend/module/kernel_args.h"
#include "frontend/module/mangled.h"

#include "frontend/retarget/amdlib.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/LLJIT.h>

typedef struct Host {
	FeModule *m;
	LLVMBuilderRef b;
	NativeRun *run;
	u32 site; /* the last number */
	Diag *d;
} Host;

/* ---- which functions ---- */

static const NativeCall *call_of(LLVMValueRef i)
{
	static const char start[] = "llvm.";
	const char *name = llvm_callee_name(i);
	return strncmp(name, start, sizeof start - 1) ? NULL : native_call(name + sizeof start - 1);
}

/* What gives a mask of lanes: a ballot over a comparison, or over all that are there (the register of active lanes). */
typedef enum { NO_MASK, MASK_ICMP, MASK_FCMP, MASK_EXEC } MaskKind;

static MaskKind mask_kind(LLVMValueRef i)
{
	static const struct {
		const char *start;
		MaskKind kind;
	} rows[] = {
		{"llvm.amdgcn.icmp.", MASK_ICMP}, {"llvm.amdgcn.fcmp.", MASK_FCMP}, {"llvm.read_register.", MASK_EXEC},
	};
	const char *name = llvm_callee_name(i);
	for (u32 k = 0; k < COUNT(rows); k++)
		if (!strncmp(name, rows[k].start, strlen(rows[k].start)))
			return rows[k].kind;
	return NO_MASK;
}

static bool is_barrier(LLVMValueRef i)
{
	const NativeCall *c = call_of(i);
	return c && !strcmp(c->name, "amdgcn.s.barrier");
}

/* A call of sub-groups. */
static bool wave_call(LLVMValueRef i, NativeCall *out)
{
	const char *name = llvm_callee_name(i);
	return !strncmp(name, FE_WAVE, sizeof FE_WAVE - 1) && native_wave_call(name + sizeof FE_WAVE - 1, out);
}

/* The shape of a matrix instruction; MATRIX_COUNT: it is none. */
static u32 matrix_call(LLVMValueRef i) { return matrix_named(llvm_callee_name(i)); }

static bool meets(LLVMValueRef i)
{
	const NativeCall *c = call_of(i);
	NativeCall wave;
	return (c && c->site) || mask_kind(i) || matrix_call(i) < MATRIX_COUNT || (wave_call(i, &wave) && wave.site);
}

/* Does it, or what it calls, have a place where lanes meet? There is no recursion. */
static bool reaches(LLVMValueRef f)
{
	llvm_each_instruction(f, i) {
		LLVMValueRef callee = llvm_callee(i);
		if (meets(i) || (callee && !LLVMIsDeclaration(callee) && reaches(callee)))
			return true;
	}
	return false;
}

/* Nothing calls through a pointer here, so functions that variables and stores name (in tables of virtual functions,
 * too) need no code, which may be more than this processor can run. In their place are numbers. */
static void number_functions(const FeModule *m)
{
	struct Call {
		LLVMValueRef call, callee;
	} c;
	ARRAY(struct Call) calls = {0};
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			if ((c = (struct Call){i, llvm_callee(i)}).callee)
				array_push(&calls, c);
	llvm_each_function(m->mod, f)
		if (!LLVMGetIntrinsicID(f)) {
			LLVMTypeRef wide = LLVMInt64TypeInContext(m->ctx);
			LLVMValueRef v = LLVMConstInt(wide, llvm_function_number(f), 0);
			LLVMReplaceAllUsesWith(f, LLVMConstIntToPtr(v, LLVMTypeOf(f)));
		}
	for (u32 i = 0; i < calls.n; i++)
		LLVMSetOperand(calls.v[i].call, (u32)LLVMGetNumOperands(calls.v[i].call) - 1, calls.v[i].callee);
	array_free(&calls);
}

static bool inline_places(Host *h)
{
	llvm_each_function(h->m->mod, f)
		if (!LLVMIsDeclaration(f) && f != h->m->kernel && reaches(f))
			llvm_inline_always(f);
	return fe_passed(h->m, llvm_passes(h->m->mod, "always-inline,globaldce", NULL), "inline", h->d);
}

/* ---- calls of ours ---- */

static LLVMValueRef address(const Host *h, const void *p)
{
	LLVMValueRef n = LLVMConstInt(LLVMInt64TypeInContext(h->m->ctx), (u64)(uintptr_t)p, 0);
	return LLVMConstIntToPtr(n, llvm_pointer(h->m->ctx, SPACE_FLAT));
}

static LLVMValueRef number(const Host *h, u32 n) { return LLVMConstInt(LLVMInt32TypeInContext(h->m->ctx), n, 0); }

/* With what goes before its arguments; truth values are passed as int's. */
static LLVMValueRef build_call(Host *h, const NativeCall *c, LLVMTypeRef result, LLVMValueRef *args, u32 nargs)
{
	enum { MOST = 16 };
	LLVMValueRef all[MOST];
	LLVMTypeRef types[MOST];
	u32 n = 0;
	if (c->run)
		all[n++] = address(h, h->run);
	if (c->site)
		all[n++] = number(h, h->site);
	if (c->first >= 0)
		all[n++] = number(h, (u32)c->first);
	for (u32 i = 0; i < nargs && n < MOST; i++) {
		bool truth = LLVMTypeOf(args[i]) == LLVMInt1TypeInContext(h->m->ctx);
		all[n++] = truth ? LLVMBuildZExt(h->b, args[i], LLVMInt32TypeInContext(h->m->ctx), "") : args[i];
	}
	for (u32 i = 0; i < n; i++)
		types[i] = LLVMTypeOf(all[i]);
	LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
	LLVMValueRef call = LLVMBuildCall2(h->b, type, address(h, (const void *)c->call), all, n, "");
	llvm_call_convergent(call);
	return call;
}

static LLVMValueRef as_type(Host *h, LLVMValueRef v, LLVMTypeRef t) { return llvm_bits_as(h->b, h->m->td, v, t); }

/* The bits of a value, in so many. */
static LLVMValueRef to_bits(Host *h, LLVMValueRef v, u32 bits)
{
	return as_type(h, v, LLVMIntTypeInContext(h->m->ctx, bits));
}

/* How a half is passed differs by the version of LLVM: its bits are, as an int; short results are ints, too. */
static bool is_half(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMHalfTypeKind; }

static void replace_call(Host *h, LLVMValueRef i, const NativeCall *c)
{
	enum { MOST = 12 };
	LLVMValueRef args[MOST];
	u32 n = LLVMGetNumArgOperands(i);
	LLVMTypeRef t = LLVMTypeOf(i);
	bool small = is_half(t) || t == LLVMInt16TypeInContext(h->m->ctx);
	n = n < MOST ? n : MOST;
	LLVMPositionBuilderBefore(h->b, i);
	for (u32 k = 0; k < n; k++) {
		LLVMValueRef v = LLVMGetOperand(i, k);
		args[k] = is_half(LLVMTypeOf(v)) ? to_bits(h, v, 32) : v;
	}
	h->site += c->site;
	LLVMValueRef new = build_call(h, c, small ? LLVMInt32TypeInContext(h->m->ctx) : t, args, n);
	if (LLVMGetTypeKind(t) != LLVMVoidTypeKind)
		LLVMReplaceAllUsesWith(i, small ? as_type(h, new, t) : new);
	LLVMInstructionEraseFromParent(i);
}

/* What the lanes vote on; *from: the lowest lane that is wanted. */
static LLVMValueRef vote(Host *h, LLVMValueRef i, MaskKind kind, u32 *from)
{
	LLVMValueRef a = LLVMGetOperand(i, 0);
	*from = 0;
	if (kind == MASK_EXEC) {
		const char *name = llvm_operand_text(h->m->arena, a, 0);
		*from = name && !strcmp(name, "exec_hi") ? 32 : 0;
		return LLVMConstInt(LLVMInt1TypeInContext(h->m->ctx), 1, 0);
	}
	LLVMValueRef b = LLVMGetOperand(i, 1);
	u32 predicate = (u32)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2));
	return kind == MASK_FCMP ? LLVMBuildFCmp(h->b, (LLVMRealPredicate)predicate, a, b, "")
	                         : LLVMBuildICmp(h->b, (LLVMIntPredicate)predicate, a, b, "");
}

static void replace_mask(Host *h, LLVMValueRef i, MaskKind kind)
{
	u32 from;
	LLVMTypeRef wide = LLVMInt64TypeInContext(h->m->ctx);
	LLVMPositionBuilderBefore(h->b, i);
	LLVMValueRef holds = vote(h, i, kind, &from);
	h->site++;
	LLVMValueRef mask = build_call(h, native_call("amdgcn.ballot.i64"), wide, &holds, 1);
	mask = LLVMBuildLShr(h->b, mask, LLVMConstInt(wide, from, 0), "");
	LLVMReplaceAllUsesWith(i, LLVMBuildTrunc(h->b, mask, LLVMTypeOf(i), ""));
	LLVMInstructionEraseFromParent(i);
}

static void replace_wave(Host *h, LLVMValueRef i, const NativeCall *c)
{
	LLVMValueRef args[2];
	u32 n = LLVMGetNumArgOperands(i);
	bool nothing = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind;
	n = nothing ? 0 : n < COUNT(args) ? n : COUNT(args);
	LLVMPositionBuilderBefore(h->b, i);
	for (u32 k = 0; k < n; k++)
		args[k] = to_bits(h, LLVMGetOperand(i, k), 64);
	h->site += c->site;
	LLVMTypeRef result = nothing ? LLVMTypeOf(i) : LLVMIntTypeInContext(h->m->ctx, 128);
	LLVMValueRef new = build_call(h, c, result, args, n);
	if (!nothing)
		LLVMReplaceAllUsesWith(i, as_type(h, new, LLVMTypeOf(i)));
	LLVMInstructionEraseFromParent(i);
}

static void replace_matrix(Host *h, LLVMValueRef i, u32 shape)
{
	const NativeCall meet = {"", (void (*)(void))native_matrix, (i32)shape, true, true};
	const NativeCall one = {"", (void (*)(void))native_matrix_result, (i32)shape, true, false};
	LLVMTypeRef wide = LLVMInt64TypeInContext(h->m->ctx), t = LLVMTypeOf(i);
	bool many = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
	LLVMPositionBuilderBefore(h->b, i);
	LLVMValueRef in[2], sums = LLVMGetOperand(i, 2), out = LLVMGetUndef(t);
	for (u32 k = 0; k < COUNT(in); k++)
		in[k] = to_bits(h, LLVMGetOperand(i, k), 64);
	h->site++;
	build_call(h, &meet, LLVMVoidTypeInContext(h->m->ctx), in, COUNT(in));
	for (u32 k = 0; k < matrix_results(&matrix_shape[shape]); k++) {
		LLVMValueRef at = number(h, k);
		LLVMValueRef args[] = {at, to_bits(h, many ? LLVMBuildExtractElement(h->b, sums, at, "") : sums, 64)};
		LLVMValueRef v = build_call(h, &one, wide, args, COUNT(args));
		v = as_type(h, v, many ? LLVMGetElementType(t) : t);
		out = many ? LLVMBuildInsertElement(h->b, out, v, at, "") : v;
	}
	LLVMReplaceAllUsesWith(i, out);
	LLVMInstructionEraseFromParent(i);
}

/* By 0 a quotient is the dividend on the machine (isa/ops.def), and a finding; this processor would end the run. */
static bool guard_division(Host *h, LLVMValueRef i)
{
	LLVMOpcode op = LLVMIsAInstruction(i) ? LLVMGetInstructionOpcode(i) : LLVMRet;
	bool is_signed = op == LLVMSDiv || op == LLVMSRem;
	if (!is_signed && op != LLVMUDiv && op != LLVMURem)
		return false;
	LLVMTypeRef t = LLVMTypeOf(i), element = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
	u32 bits = LLVMGetIntTypeWidth(element);
	LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1), zero = LLVMConstNull(t);
	if (LLVMIsConstant(b) || bits > 64 || (element != t && LLVMGetVectorSize(t) > 64))
		return false;
	LLVMPositionBuilderBefore(h->b, i);
	LLVMValueRef bad = LLVMBuildICmp(h->b, LLVMIntEQ, b, zero, "");
	if (is_signed) { /* the least number by -1 */
		LLVMValueRef least = LLVMBuildICmp(h->b, LLVMIntEQ, a, llvm_integers(t, 1ull << (bits - 1)), "");
		LLVMValueRef wraps = LLVMBuildICmp(h->b, LLVMIntEQ, b, LLVMConstAllOnes(t), "");
		bad = LLVMBuildOr(h->b, bad, LLVMBuildAnd(h->b, least, wraps, ""), "");
	}
	LLVMSetOperand(i, 1, LLVMBuildSelect(h->b, bad, llvm_integers(t, 1), b, ""));
	if (op != LLVMSRem)
		return true;
	LLVMValueRef sign = LLVMBuildAShr(h->b, a, llvm_integers(t, bits - 1), "");
	LLVMPositionBuilderBefore(h->b, LLVMGetNextInstruction(i));
	LLVMValueRef result = LLVMBuildSelect(h->b, bad, sign, i, "");
	LLVMReplaceAllUsesWith(i, result);
	LLVMSetOperand(result, 2, i);
	return true;
}

/* Local memory at an address that is a number, as inline assembly has it: where none is, a chip reads 0 and drops what
 * is stored. The machine has a finding; this processor would end the run. */
static bool guard_local(Host *h, LLVMValueRef i)
{
	enum { FIRST_PAGE = 4096, WIDEST = 128 }; /* native_run keeps local memory behind that page; bytes of an access */
	static _Alignas(WIDEST) const u8 zero[WIDEST];
	static _Alignas(WIDEST) u8 dropped[WIDEST];
	unsigned at = LLVMIsALoadInst(i) ? 0 : 1;
	bool access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
	LLVMValueRef p = access && LLVMGetVolatile(i) ? LLVMGetOperand(i, at) : NULL;
	if (!p || LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != SPACE_LDS ||
	    !(LLVMIsAIntToPtrInst(p) || LLVMIsNull(p) ||
	      (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMIntToPtr)))
		return false;
	LLVMTypeRef of = LLVMTypeOf(at ? LLVMGetOperand(i, 0) : i), wide = LLVMInt64TypeInContext(h->m->ctx);
	if (LLVMStoreSizeOfType(LLVMGetModuleDataLayout(h->m->mod), of) > WIDEST)
		return false;
	LLVMPositionBuilderBefore(h->b, i);
	LLVMValueRef number = LLVMBuildPtrToInt(h->b, p, wide, "");
	LLVMValueRef none = LLVMBuildICmp(h->b, LLVMIntULT, number, LLVMConstInt(wide, FIRST_PAGE, false), "");
	LLVMValueRef flat = LLVMBuildIntToPtr(h->b, number, llvm_pointer(h->m->ctx, 0), "");
	LLVMSetOperand(i, at,
	               LLVMBuildSelect(h->b, none, address(h, at ? (void *)dropped : (const void *)zero), flat, ""));
	return true;
}

/* A product and a sum in one are fused, as on the machine. */
static void replace_plain(Host *h, LLVMValueRef i)
{
	static const char fused[] = "llvm.fmuladd.";
	LLVMTypeRef t = LLVMTypeOf(i);
	if (!strncmp(llvm_callee_name(i), fused, sizeof fused - 1))
		LLVMSetOperand(i, (u32)LLVMGetNumOperands(i) - 1, llvm_intrinsic(h->m->mod, "llvm.fma", &t, 1));
}

/* ---- work-group copies ---- */

typedef enum { NO_COPY, COPY, COPY_STRIDED, COPY_WAIT } CopyKind;

static CopyKind copy_kind(LLVMValueRef i, Mangled *name)
{
	*name = fe_mangled(llvm_callee_name(i));
	return mangled_is(name, "async_work_group_copy")           ? COPY
	       : mangled_is(name, "async_work_group_strided_copy") ? COPY_STRIDED
	       : mangled_is(name, "wait_group_events")             ? COPY_WAIT
	                                                           : NO_COPY;
}

/* Copied at once; work-items that wait for events wait for each other. */
static void replace_copy(Host *h, LLVMValueRef i, CopyKind kind, const Mangled *name)
{
	static const NativeCall copy = {"", (void (*)(void))native_copy, -1, true, false};
	static const NativeCall wait = {"", (void (*)(void))native_barrier, -1, true, false};
	LLVMTypeRef wide = LLVMInt64TypeInContext(h->m->ctx), nothing = LLVMVoidTypeInContext(h->m->ctx);
	LLVMPositionBuilderBefore(h->b, i);
	if (kind == COPY_WAIT) {
		build_call(h, &wait, nothing, NULL, 0);
		LLVMInstructionEraseFromParent(i);
		return;
	}
	LLVMValueRef one = LLVMConstInt(wide, 1, 0), stride = kind == COPY_STRIDED ? LLVMGetOperand(i, 3) : one;
	bool to_lds = !mangled_is_global(name->params);
	LLVMValueRef args[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMGetOperand(i, 2),
	                       LLVMConstInt(wide, mangled_pointed(name->params), 0), to_lds ? one : stride,
	                       to_lds ? stride : one};
	build_call(h, &copy, nothing, args, COUNT(args));
	LLVMReplaceAllUsesWith(i, LLVMConstNull(LLVMTypeOf(i)));
	LLVMInstructionEraseFromParent(i);
}

/* ---- places ---- */

typedef ARRAY(LLVMBasicBlockRef) Blocks;

static u32 position(const Blocks *all, LLVMBasicBlockRef b)
{
	u32 i = 0;
	while (all->v[i] != b)
		i++;
	return i;
}

static void replace_in(Host *h, LLVMBasicBlockRef b, bool *places)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
		const NativeCall *c = call_of(i);
		MaskKind mask = mask_kind(i);
		NativeCall wave;
		Mangled name;
		CopyKind copy = copy_kind(i, &name);
		next = LLVMGetNextInstruction(i);
		*places |= meets(i);
		u32 shape = matrix_call(i);
		if (mask)
			replace_mask(h, i, mask);
		else if (shape < MATRIX_COUNT)
			replace_matrix(h, i, shape);
		else if (wave_call(i, &wave))
			replace_wave(h, i, &wave);
		else if (copy)
			replace_copy(h, i, copy, &name);
		else if (c)
			replace_call(h, i, c);
		else if (!guard_division(h, i) && !guard_local(h, i))
			replace_plain(h, i);
	}
}

/* Lanes that go back to the start of a loop wait for those that are still in it. */
static void end_of_loop(Host *h, LLVMBasicBlockRef b, const Blocks *all, const bool *places, u32 at)
{
	static const NativeCall sync = {"", (void (*)(void))native_sync, -1, true, true};
	LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
	bool back = false;
	for (u32 k = 0; k < LLVMGetNumSuccessors(last); k++) {
		u32 to = position(all, LLVMGetSuccessor(last, k));
		for (u32 i = to; i <= at && to <= at; i++)
			back |= places[i];
	}
	if (!back)
		return;
	LLVMPositionBuilderBefore(h->b, last);
	h->site++;
	build_call(h, &sync, LLVMVoidTypeInContext(h->m->ctx), NULL, 0);
}

static void replace_calls(Host *h)
{
	llvm_each_function(h->m->mod, f) {
		Blocks all = {0};
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			array_push(&all, b);
		bool *places = xcalloc(all.n + 1, sizeof *places);
		for (u32 i = 0; i < all.n; i++) {
			replace_in(h, all.v[i], &places[i]);
			end_of_loop(h, all.v[i], &all, places, i);
		}
		free(places);
		array_free(&all);
	}
}

/* ---- functions by name ---- */

static void replace_function(const Host *h, LLVMValueRef f, const void *by)
{
	LLVMReplaceAllUsesWith(f, address(h, by));
	if (!LLVMIsDeclaration(f))
		LLVMSetLinkage(f, LLVMInternalLinkage);
}

static bool is_prefetch(const char *name)
{
	Mangled m = fe_mangled(name);
	return mangled_is(&m, "prefetch");
}

static void replace_functions(const Host *h, bool math)
{
	llvm_each_function(h->m->mod, f) {
		const char *name = LLVMGetValueName(f);
		if (math && native_math(name))
			replace_function(h, f, (const void *)native_math(name));
		else if (LLVMIsDeclaration(f) && !strcmp(name, "printf"))
			replace_function(h, f,
			                 kernel_args_has_metadata(h->m->kernel) ? (const void *)native_print_opencl
			                                                        : (const void *)native_print);
		else if (LLVMIsDeclaration(f) && (!strcmp(name, "__assert_fail") || is_prefetch(name)))
			replace_function(h, f, (const void *)native_nothing);
	}
}

/* C's printf takes none. */
static bool prints_vectors(const FeModule *m)
{
	bool any = false;
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i) {
			bool prints = !strcmp(llvm_callee_name(i), "printf");
			for (u32 k = 0; prints && k < LLVMGetNumArgOperands(i); k++)
				any |= LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, k))) == LLVMVectorTypeKind;
		}
	return any;
}

/* What is still asked of the GPU. NULL: nothing. */
static const char *unknown(const FeModule *m)
{
	llvm_each_function(m->mod, f)
		if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) &&
		    (!LLVMGetIntrinsicID(f) || !strncmp(LLVMGetValueName(f), "llvm.amdgcn.", 12)))
			return fe_source_name(m, f);
	return NULL;
}

/* ---- memory ---- */

static u64 shared_bytes(const FeModule *m, const PoclLaunch *l)
{
	return m->shared_arg && m->shared_arg <= l->nargs ? l->args[m->shared_arg - 1].size : 0;
}

/* Local memory, variable by variable; the launch's own part at the end. With a run, their addresses take their
 * places. */
static u64 place_lds(Host *h, const PoclLaunch *l)
{
	enum { ALIGN = 64 };
	u64 at = 0;
	for (LLVMValueRef g = LLVMGetFirstGlobal(h->m->mod); g; g = LLVMGetNextGlobal(g)) {
		LLVMTypeRef t = LLVMGlobalGetValueType(g);
		if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != SPACE_LDS || LLVMIsDeclaration(g))
			continue;
		if (h->run)
			LLVMReplaceAllUsesWith(
			    g, LLVMConstAddrSpaceCast(address(h, native_run_lds(h->run) + at), LLVMTypeOf(g)));
		at += (LLVMABISizeOfType(h->m->td, t) + ALIGN - 1) & ~(u64)(ALIGN - 1);
	}
	for (LLVMValueRef g = LLVMGetFirstGlobal(h->m->mod); g && h->run; g = LLVMGetNextGlobal(g))
		if (LLVMIsDeclaration(g))
			LLVMReplaceAllUsesWith(
			    g, LLVMConstAddrSpaceCast(address(h, native_run_lds(h->run) + at), LLVMTypeOf(g)));
	return at + shared_bytes(h->m, l);
}

static u64 private_bytes(const FeModule *m)
{
	enum { OWN = 256 << 10 }; /* for the functions that are called */
	u64 bytes = OWN;
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			if (LLVMIsAAllocaInst(i))
				bytes += LLVMABISizeOfType(m->td, LLVMGetAllocatedType(i)) + 16;
	return bytes;
}

static bool has_waits(const FeModule *m)
{
	Mangled name;
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			if (meets(i) || is_barrier(i) || copy_kind(i, &name) == COPY_WAIT)
				return true;
	return false;
}

/* ---- the entry ---- */

/* native_entry(args): args[i] is where argument i lies. */
static void add_entry(Host *h)
{
	LLVMContextRef x = h->m->ctx;
	LLVMValueRef kernel = h->m->kernel;
	LLVMTypeRef pointer = llvm_pointer(x, SPACE_FLAT);
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(x), &pointer, 1, 0);
	LLVMValueRef f = LLVMAddFunction(h->m->mod, NATIVE_ENTRY, type);
	u32 n = LLVMCountParams(kernel), byref = llvm_attribute("byref");
	LLVMValueRef *args = xcalloc(n + 1, sizeof *args);
	LLVMPositionBuilderAtEnd(h->b, LLVMAppendBasicBlockInContext(x, f, ""));
	for (u32 i = 0; i < n; i++) {
		LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(kernel, i));
		LLVMValueRef k = LLVMConstInt(LLVMInt64TypeInContext(x), i, 0);
		LLVMValueRef at = LLVMBuildGEP2(h->b, pointer, LLVMGetParam(f, 0), &k, 1, "");
		at = LLVMBuildLoad2(h->b, pointer, at, "");
		if (LLVMGetEnumAttributeAtIndex(kernel, i + 1, byref)) {
			args[i] = LLVMBuildAddrSpaceCast(h->b, at, t, "");
		} else {
			args[i] = LLVMBuildLoad2(h->b, t, at, "");
			LLVMSetAlignment(args[i], 1);
		}
	}
	llvm_call(h->b, kernel, args, n);
	LLVMBuildRetVoid(h->b);
	LLVMSetLinkage(kernel, LLVMInternalLinkage);
	free(args);
}

/* ---- code ---- */

static void forget_gpu(FeModule *m)
{
	u32 byref = llvm_attribute("byref");
	llvm_each_function(m->mod, f) {
		LLVMSetFunctionCallConv(f, LLVMCCallConv);
		u32 n;
		LLVMAttributeRef *a = llvm_attributes(f, ON_FUNCTION, &n);
		for (u32 i = 0; i < n; i++) {
			unsigned length;
			if (!LLVMIsStringAttribute(a[i]))
				continue;
			const char *key = LLVMGetStringAttributeKind(a[i], &length);
			LLVMRemoveStringAttributeAtIndex(f, ON_FUNCTION, key, length);
		}
		free(a);
		for (u32 i = 0; i < LLVMCountParams(f); i++)
			LLVMRemoveEnumAttributeAtIndex(f, i + 1, byref);
		llvm_each_instruction(f, i)
			if (LLVMIsACallInst(i))
				LLVMSetInstructionCallConv(i, LLVMCCallConv);
	}
}

static const char *said(LLVMErrorRef e, Arena *a)
{
	char *text = LLVMGetErrorMessage(e);
	const char *kept = arena_strdup(a, text);
	LLVMDisposeErrorMessage(text);
	return kept;
}

/* Load an object file; what it calls of the C library is this process's. */
static NativeEntry *load(Host *h, LLVMMemoryBufferRef object)
{
	LLVMOrcLLJITRef jit;
	LLVMOrcDefinitionGeneratorRef own;
	LLVMOrcExecutorAddress at = 0;
	LLVMErrorRef e = LLVMOrcCreateLLJIT(&jit, NULL);
	if (e)
		LLVMDisposeMemoryBuffer(object);
	e = e ? e : LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), object);
	e = e ? e
	      : LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&own, LLVMOrcLLJITGetGlobalPrefix(jit), NULL,
	                                                             NULL);
	if (!e)
		LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), own);
	e = e ? e : LLVMOrcLLJITLookup(jit, &at, NATIVE_ENTRY);
	if (e)
		diag_error(h->d, NO_LOC, "LLVM cannot load the kernel's code for this processor: %s",
		           said(e, h->m->arena));
	return (NativeEntry *)(uintptr_t)at;
}

static NativeEntry *generate(Host *h)
{
	FeModule *m = h->m;
	char *why = NULL, *triple = LLVMGetDefaultTargetTriple();
	LLVMMemoryBufferRef object;
	NativeEntry *entry = NULL;
	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	LLVMTargetMachineRef tm = llvm_machine(triple, "", "", &why);
	if (!tm) {
		diag_error(h->d, NO_LOC,
		           "results are not compared: LLVM has no code generator for this processor (%s)", triple);
		LLVMDisposeMessage(why);
		LLVMDisposeMessage(triple);
		return NULL;
	}
	LLVMTargetDataRef td = LLVMCreateTargetDataLayout(tm);
	LLVMSetTarget(m->mod, triple);
	LLVMSetModuleDataLayout(m->mod, td);
	if (fe_verify(m, "it was made for this processor", h->d) &&
	    fe_passed(m, llvm_passes(m->mod, "default<O2>", tm), "optimise it for this processor", h->d)) {
		if (!LLVMTargetMachineEmitToMemoryBuffer(tm, m->mod, LLVMObjectFile, &why, &object))
			entry = load(h, object);
		else
			diag_error(h->d, NO_LOC, "LLVM cannot generate code for this processor: %s", why);
	}
	LLVMDisposeTargetData(td);
	LLVMDisposeTargetMachine(tm);
	LLVMDisposeMessage(triple);
	return entry;
}

bool native_variables(FeModule *m, NativeEntry **out, Diag *d)
{
	Host h = {.m = m, .d = d, .b = LLVMCreateBuilderInContext(m->ctx)};
	LLVMTypeRef pointer = llvm_pointer(m->ctx, SPACE_FLAT), wide = LLVMInt64TypeInContext(m->ctx);
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->ctx), &pointer, 1, 0);
	LLVMTargetDataRef td = LLVMGetModuleDataLayout(m->mod);
	const SrcProgram *src = m->src;
	LLVMStripModuleDebugInfo(m->mod);
	llvm_resolve_aliases(m->mod);
	number_functions(m);
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMValueRef entry = LLVMAddFunction(m->mod, NATIVE_ENTRY, type);
	LLVMPositionBuilderAtEnd(h.b, LLVMAppendBasicBlockInContext(m->ctx, entry, ""));
	for (u32 i = 0; i < src->nplaced; i++) {
		LLVMValueRef g = LLVMGetNamedGlobal(m->mod, src->placed[i].symbol);
		LLVMValueRef init = g ? LLVMGetInitializer(g) : NULL;
		if (!init || LLVMIsNull(init) || LLVMIsUndef(init))
			continue;
		LLVMTypeRef t = LLVMGlobalGetValueType(g);
		LLVMValueRef from = LLVMAddGlobal(m->mod, t, "wavesim.first");
		LLVMSetInitializer(from, init);
		LLVMSetLinkage(from, LLVMInternalLinkage);
		LLVMValueRef to = LLVMConstIntToPtr(LLVMConstInt(wide, src->placed[i].address, 0), pointer);
		LLVMBuildMemCpy(h.b, to, 1, from, 1, LLVMConstInt(wide, LLVMABISizeOfType(td, t), 0));
	}
	LLVMBuildRetVoid(h.b);
	bool ok = fe_passed(m, llvm_passes(m->mod, "globaldce", NULL), "leave its functions out", d);
	if (ok)
		forget_gpu(m);
	*out = ok ? generate(&h) : NULL;
	LLVMDisposeBuilder(h.b);
	return *out != NULL;
}

bool native_code(FeModule *m, const PoclLaunch *l, u32 wave, bool in_step, NativeCode *out, Diag *d)
{
	Host h = {.m = m, .d = d, .b = LLVMCreateBuilderInContext(m->ctx)};
	*out = (NativeCode){0};
	LLVMStripModuleDebugInfo(m->mod);
	if (prints_vectors(m)) {
		LLVMDisposeBuilder(h.b);
		return diag_error(d, NO_LOC, "the native run does not know printf of vectors");
	}
	assembly_expand(m);
	number_functions(m);
	replace_functions(&h, !l->same_library);
	bool ok = native_in_step(m, in_step, d) && inline_places(&h), waits = has_waits(m);
	if (ok && !(h.run = native_run_new(l, wave, place_lds(&h, l), private_bytes(m), waits, m->v5)))
		ok = diag_error(d, NO_LOC, "not enough memory for the native run, which results are compared with "
		                           "(--no-reference does without it)");
	if (ok) {
		place_lds(&h, l);
		replace_calls(&h);
		add_entry(&h);
		forget_gpu(m);
		if (unknown(m))
			ok = diag_error(d, NO_LOC, "the native run does not know '%s'", unknown(m));
	}
	*out = (NativeCode){.run = h.run};
	if (ok)
		out->entry = generate(&h);
	LLVMDisposeBuilder(h.b);
	return out->entry != NULL;
}
