/* A module that its compiler made for amdgcn: of HIP, or bitcode. What it has of its run time becomes what the machine
 * runs by itself, and local memory whose size the launch says becomes an argument. */
#include "frontend/module/kernel_args.h"
#include "frontend/module/mangled.h"
#include "frontend/retarget/retarget.h"

#include <llvm-c/Comdat.h>

/* Functions that headers define in each file are in this module once. */
static void drop_comdats(FeModule *m)
{
	llvm_each_function(m->mod, f)
		LLVMSetComdat(f, NULL);
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->mod); g; g = LLVMGetNextGlobal(g))
		LLVMSetComdat(g, NULL);
}

/* The machine goes on behind one that fails. */
static void may_return(FeModule *m)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->mod, FE_ASSERT);
	if (f)
		LLVMRemoveEnumAttributeAtIndex(f, ON_FUNCTION, llvm_attribute("noreturn"));
}

/* HIP's function of a fence, whose result nobody takes, or AMD's, or the instruction. */
static bool is_fence(LLVMValueRef i)
{
	return LLVMIsAFenceInst(i) || strstr(llvm_callee_name(i), "atomic_work_item_fence");
}

/* sync() of a tile or of coalesced threads: HIP's headers have a fence there, for the lanes of one wavefront. */
static bool is_tile_sync(LLVMValueRef f)
{
	const char *name = LLVMGetValueName(f);
	return strstr(name, "cooperative_groups8internal") &&
	       (strstr(name, "tiled_group") || strstr(name, "coalesced_group")) && strstr(name, "4syncEv");
}

static void put_wave_barrier(FeModule *m, LLVMValueRef before)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	LLVMPositionBuilderBefore(b, before);
	llvm_call(b, llvm_intrinsic(m->mod, "llvm.amdgcn.wave.barrier", NULL, 0), NULL, 0);
	LLVMDisposeBuilder(b);
}

void device_barriers(FeModule *m)
{
	llvm_each_function(m->mod, f) {
		bool waits = false;
		llvm_each_instruction(f, i)
			waits |= llvm_is_barrier(i);
		if (fe_is_users(m, f) || !(waits || is_tile_sync(f)))
			continue;
		llvm_each_instruction(f, i)
			if (is_fence(i)) {
				if (!waits)
					put_wave_barrier(m, i);
				if (m->check)
					LLVMInstructionEraseFromParent(i);
			}
	}
}

/* Memory that host and device share: clang has a pointer for it, which HIP's run time sets. */
static void place_managed(FeModule *m)
{
	static const char end[] = ".managed";
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->mod); g; g = LLVMGetNextGlobal(g)) {
		const char *name = LLVMGetValueName(g);
		size_t n = strlen(name), k = sizeof end - 1;
		LLVMValueRef at = n > k && !strcmp(name + n - k, end)
		                      ? LLVMGetNamedGlobal(m->mod, arena_strndup(m->arena, name, n - k)) : NULL;
		if (!at || LLVMGetTypeKind(LLVMGlobalGetValueType(at)) != LLVMPointerTypeKind)
			continue;
		LLVMSetInitializer(at, LLVMConstPointerCast(g, LLVMGlobalGetValueType(at)));
		LLVMSetExternallyInitialized(at, 0);
		LLVMSetGlobalConstant(at, 1);
	}
}

static bool is_of_groups(LLVMValueRef f)
{
	const FeAbsent *absent = f ? fe_absent(LLVMGetValueName(f)) : NULL;
	return absent && absent->how == ABSENT_OF_GROUPS && LLVMGetFirstUse(f);
}

static void drop_calls(const FeModule *m, LLVMValueRef of)
{
	llvm_each_function(m->mod, f)
		llvm_each_instruction(f, i) {
			if (llvm_callee(i) != of)
				continue;
			if (LLVMGetFirstUse(i))
				LLVMReplaceAllUsesWith(i, LLVMGetUndef(LLVMTypeOf(i)));
			LLVMInstructionEraseFromParent(i);
		}
}

/* The module when everything is inlined. */
static LLVMModuleRef inlined(const FeModule *m, Diag *d)
{
	LLVMModuleRef copy = LLVMCloneModule(m->mod);
	llvm_each_function(copy, f)
		if (!LLVMIsDeclaration(f))
			llvm_inline_always(f);
	if (fe_passed(m, llvm_passes(copy, "default<O2>", m->tm), "find the kinds of its groups of threads", d))
		return copy;
	LLVMDisposeModule(copy);
	return NULL;
}

bool device_drop_unreached(const FeModule *m, Diag *d)
{
	bool any = false;
	llvm_each_function(m->mod, f)
		any |= is_of_groups(f);
	if (!any)
		return true;
	LLVMModuleRef copy = inlined(m, d);
	if (!copy)
		return false;
	llvm_each_function(m->mod, f)
		if (is_of_groups(f) && !is_of_groups(LLVMGetNamedFunction(copy, LLVMGetValueName(f))))
			drop_calls(m, f);
	LLVMDisposeModule(copy);
	return true;
}

void device_begin(FeModule *m)
{
	place_managed(m);
	drop_comdats(m);
	workitem_drop_runtime(m);
	may_return(m);
	pipes_drop_commits(m);
	if (m->check)
		workitem_mark_barriers(m);
	m->builtins = BUILTINS_AMD; /* PoCL's are not for this target */
	m->builtins_missing = NULL;
}

/* ---- local memory of the launch's size ---- */

static LLVMTypeRef element_of(LLVMTypeRef t)
{
	while (LLVMGetTypeKind(t) == LLVMArrayTypeKind)
		t = LLVMGetElementType(t);
	return t;
}

static const char *element_name(LLVMTypeRef t)
{
	switch (LLVMGetTypeKind(t)) {
	case LLVMHalfTypeKind: return "half*";
	case LLVMFloatTypeKind: return "float*";
	case LLVMDoubleTypeKind: return "double*";
	case LLVMIntegerTypeKind:
		switch (LLVMGetIntTypeWidth(t)) {
		case 8: return "char*";
		case 16: return "short*";
		case 32: return "int*";
		case 64: return "long*";
		}
		break;
	default: break;
	}
	return "void*";
}

/* `extern __shared__ float s[];` has no size, and all such arrays begin at one address: the first names the
 * argument. */
bool device_shared(FeModule *m, Diag *d)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->mod); g; g = LLVMGetNextGlobal(g)) {
		const char *name = LLVMGetValueName(g);
		if (!LLVMIsDeclaration(g))
			continue;
		if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != SPACE_LDS)
			return diag_error(d, (Loc){.file = m->user_path}, "variable '%s' has no definition", name);
		if (m->shared_arg)
			continue;
		LLVMTypeRef t = element_of(LLVMGlobalGetValueType(g));
		KernelArg a = {.name = fe_variable_name(m->arena, arena_strdup(m->arena, name))};
		kernel_args_local(&a, element_name(t), LLVMTypeIsSized(t) ? (u32)LLVMABISizeOfType(m->td, t) : 1);
		array_push(&m->args, a);
		m->shared_arg = m->args.n;
	}
	return true;
}
