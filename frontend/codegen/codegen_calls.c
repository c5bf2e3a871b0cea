/* Calls that the machine runs by itself (fe_is_runtime) or as a texture unit's (images.h) become code for the code
 * generator, in the child's copy of the module: AMD's library reads images by its instructions, and is linked and
 * inlined; a wait for copies is a barrier; what says where copies begin and end goes, since their loops are in the
 * module (retarget/copies.h), and a prefetch, for which AMD's library does nothing; a printf or a failed assertion is
 * left out, since what it costs says nothing about the kernel. An inlined instruction has the number of the call. */
#include "frontend/codegen/codegen.h"
#include "frontend/module/mangled.h"
#include "frontend/retarget/amdlib.h"

#include <llvm-c/DebugInfo.h>

static bool is_called(LLVMValueRef f)
{
	return LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f) && LLVMGetFirstUse(f);
}

/* What is left out: its symbol, and its name for people. */
static const struct {
	const char *symbol, *name;
} left_out[] = {{FE_PRINTF_MEANWHILE, "printf"}, {FE_ASSERT, "assert"}};

/* NULL: not called. */
static LLVMValueRef find_left_out(const FeModule *m, u32 i)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->mod, left_out[i].symbol);
	return f && is_called(f) ? f : NULL;
}

const char *codegen_leaves_out(const FeModule *m)
{
	for (u32 i = 0; i < COUNT(left_out); i++)
		if (find_left_out(m, i))
			return left_out[i].name;
	return NULL;
}

static bool is_left_out(const char *symbol)
{
	for (u32 i = 0; i < COUNT(left_out); i++)
		if (!strcmp(symbol, left_out[i].symbol))
			return true;
	return false;
}

const char *codegen_cannot_call(const FeModule *m)
{
	llvm_each_function(m->mod, f) {
		const char *name = LLVMGetValueName(f);
		bool known = fe_is_runtime(name) || (codegen_is_wave(name) && m->amd_library);
		if (is_called(f) && !is_left_out(name) && !known)
			return name;
	}
	return NULL;
}

static void drop_call(LLVMValueRef call)
{
	if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
		LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
	LLVMInstructionEraseFromParent(call);
}

static void drop_calls(LLVMValueRef f)
{
	LLVMUseRef use;
	while ((use = LLVMGetFirstUse(f))) {
		LLVMValueRef call = LLVMGetUser(use);
		if (!LLVMIsACallInst(call))
			return;
		drop_call(call);
	}
}

/* The fences around a wait are in the module. */
static void put_barrier(FeModule *m, LLVMValueRef wait)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	LLVMPositionBuilderBefore(b, wait); /* keeps its number */
	llvm_call(b, llvm_intrinsic(m->mod, "llvm.amdgcn.s.barrier", NULL, 0), NULL, 0);
	LLVMDisposeBuilder(b);
}

/* What copies work-groups. False: there is none. */
static bool replace_copies(FeModule *m)
{
	bool any = false;
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i) {
			const char *symbol = llvm_callee_name(i);
			if (!fe_is_runtime(symbol) || is_left_out(symbol))
				continue;
			Mangled name = fe_mangled(symbol);
			if (mangled_is(&name, "wait_group_events") || !strcmp(symbol, FE_WAIT))
				put_barrier(m, i);
			bool bounds = !strcmp(symbol, FE_COPIES) && LLVMGetNumArgOperands(i) &&
			              LLVMTypeOf(i) == LLVMTypeOf(LLVMGetOperand(i, 0));
			if (bounds) /* there nothing bounds them */
				LLVMReplaceAllUsesWith(i, LLVMGetOperand(i, 0));
			drop_call(i);
			any = true;
		}
	return any;
}

bool codegen_passes(const FeModule *m, const char *passes)
{
	LLVMErrorRef e = llvm_passes(m->mod, passes, m->tm);
	LLVMConsumeError(e);
	return !e;
}

/* Everything but the kernel goes into its callers. */
static void inline_all(FeModule *m)
{
	llvm_each_function(m->mod, f) {
		if (LLVMIsDeclaration(f) || fe_is_users(m, f))
			continue;
		llvm_inline_always(f);
		LLVMSetLinkage(f, LLVMInternalLinkage);
	}
}

/* Descriptions of images are constant: AMD's own compiler takes their loads out of loops. Of texels only the components
 * are loaded that are used. */
static bool clean_images(const FeModule *m)
{
	return codegen_passes(
	    m, "always-inline,globaldce,function(infer-address-spaces,sroa," LLVM_PASS_INSTCOMBINE ",early-cse<memssa>,"
	       "loop-mssa(licm)," LLVM_PASS_INSTCOMBINE ")");
}

bool codegen_replace_calls(FeModule *m)
{
	bool images = false, print = codegen_leaves_out(m) != NULL;
	for (u32 i = 0; i < COUNT(left_out); i++)
		if (find_left_out(m, i))
			drop_calls(find_left_out(m, i));
	if (!codegen_wave_calls(m))
		return false;
	/* Events are in memory for the waits. */
	if (replace_copies(m) && !codegen_passes(m, "function(sroa,dse,adce)"))
		return false;
	llvm_each_function(m->mod, f)
		images |= fe_image(LLVMGetValueName(f)) != NULL;
	if (images) {
		Diag d;
		diag_init(&d);
		bool linked = amdlib_adapt_images(m) && amdlib_link(m, &d);
		diag_free(&d);
		if (!linked)
			return false;
		inline_all(m);
	}
	if (images && !clean_images(m))
		return false;
	/* What was only printed is not computed either. */
	return !print ||
	       codegen_passes(m, "function(sroa,early-cse,dse,adce,simplifycfg,loop(loop-deletion),"
	                         "simplifycfg),globalopt,globaldce");
}
