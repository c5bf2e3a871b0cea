/* The instructions of a module for this processor: what asks the GPU calls a function of ours by its address. Every
 * place where lanes meet has a number, in the order of the code. */
#include "frontend/native/host.h"

#include "frontend/module/collective.h"
#include "frontend/module/mangled.h"

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

/* A call of sub-groups. */
static bool wave_call(LLVMValueRef i, NativeCall *out)
{
	const char *name = llvm_callee_name(i);
	return !strncmp(name, FE_WAVE, sizeof FE_WAVE - 1) && native_wave_call(name + sizeof FE_WAVE - 1, out);
}

/* The shape of a matrix instruction; MATRIX_COUNT: it is none. */
static u32 matrix_call(LLVMValueRef i) { return matrix_named(llvm_callee_name(i)); }

bool host_meets(LLVMValueRef i)
{
	const NativeCall *c = call_of(i);
	NativeCall wave;
	return (c && c->site) || mask_kind(i) || matrix_call(i) < MATRIX_COUNT || (wave_call(i, &wave) && wave.site);
}

/* ---- calls of ours ---- */

static LLVMValueRef number(const Host *h, u32 n) { return LLVMConstInt(LLVMInt32TypeInContext(h->m->ctx), n, 0); }

/* With what goes before its arguments; truth values are passed as int's. */
static LLVMValueRef build_call(Host *h, const NativeCall *c, LLVMTypeRef result, LLVMValueRef *args, u32 nargs)
{
	enum { MOST = 16 };
	LLVMValueRef all[MOST];
	LLVMTypeRef types[MOST];
	u32 n = 0;
	if (c->run)
		all[n++] = host_address(h, h->run);
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
	LLVMValueRef call = LLVMBuildCall2(h->b, type, host_address(h, (const void *)c->call), all, n, "");
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

/* True: lanes meet in the block. */
static bool replace_in(Host *h, LLVMBasicBlockRef b)
{
	bool places = false;
	for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
		const NativeCall *c = call_of(i);
		MaskKind mask = mask_kind(i);
		NativeCall wave;
		Mangled name;
		CopyKind copy = copy_kind(i, &name);
		next = LLVMGetNextInstruction(i);
		places |= host_meets(i);
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
		else if (!host_guard(h, i))
			replace_plain(h, i);
	}
	return places;
}

/* Lanes that go back to the start of a loop wait for those that are still in it. i: of the block; met: the number of
 * the last one up to it where lanes meet, + 1, or 0. */
static void end_of_loop(Host *h, const LlvmBlocks *all, u32 i, u32 met)
{
	static const NativeCall sync = {"", (void (*)(void))native_sync, -1, true, true};
	bool back = false;
	for (u32 k = 0; k < llvm_successors(all, i); k++) {
		u32 to = llvm_successor(all, i, k);
		back |= to <= i && to < met;
	}
	if (!back)
		return;
	LLVMPositionBuilderBefore(h->b, LLVMGetBasicBlockTerminator(all->block[i]));
	h->site++;
	build_call(h, &sync, LLVMVoidTypeInContext(h->m->ctx), NULL, 0);
}

void host_replace_calls(Host *h)
{
	llvm_each_function(h->m->mod, f) {
		Arena *a = arena_new();
		LlvmBlocks all = llvm_blocks(f, a);
		for (u32 i = 0, met = 0; i < all.n; i++) {
			met = replace_in(h, all.block[i]) ? i + 1 : met;
			end_of_loop(h, &all, i, met);
		}
		arena_free(a);
	}
}

bool host_waits(const FeModule *m)
{
	Mangled name;
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i)
			if (host_meets(i) || llvm_is_barrier(i) || copy_kind(i, &name) == COPY_WAIT)
				return true;
	return false;
}
