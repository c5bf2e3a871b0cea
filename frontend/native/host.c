/* A module that was retargeted (module.h) becomes one for this processor, and machine code.
 *
 * Bodies stay as they are: to x86's code generator address spaces below 256 are one memory, and an alloca may be in
 * any. What asks the GPU calls a function of ours by its address, local memory is a block whose address is known, and
 * the kernel gets an entry that takes all arguments by address. Every place where lanes meet has a number, in the
 * order of the code: so what reaches one is inlined into the kernel first. */
#include "frontend/native/host.h"

#include "frontend/module/assembly.h"
#include "frontend/module/kernel_args.h"
#include "frontend/module/mangled.h"

#include <llvm-c/DebugInfo.h>

LLVMValueRef host_address(const Host *h, const void *p)
{
	LLVMValueRef n = LLVMConstInt(LLVMInt64TypeInContext(h->m->ctx), (u64)(uintptr_t)p, 0);
	return LLVMConstIntToPtr(n, llvm_pointer(h->m->ctx, SPACE_FLAT));
}

/* ---- functions ---- */

/* Does it, or what it calls, have a place where lanes meet? There is no recursion. */
static bool reaches(LLVMValueRef f)
{
	llvm_each_instruction(f, i) {
		LLVMValueRef callee = llvm_callee(i);
		if (host_meets(i) || (callee && !LLVMIsDeclaration(callee) && reaches(callee)))
			return true;
	}
	return false;
}

static bool inline_places(Host *h)
{
	llvm_each_function(h->m->mod, f)
		if (!LLVMIsDeclaration(f) && f != h->m->kernel && reaches(f))
			llvm_inline_always(f);
	return fe_passed(h->m, llvm_passes(h->m->mod, "always-inline,globaldce", NULL), "inline", h->d);
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

static void replace_function(const Host *h, LLVMValueRef f, const void *by)
{
	LLVMReplaceAllUsesWith(f, host_address(h, by));
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
			    g, LLVMConstAddrSpaceCast(host_address(h, native_run_lds(h->run) + at), LLVMTypeOf(g)));
		at += (LLVMABISizeOfType(h->m->td, t) + ALIGN - 1) & ~(u64)(ALIGN - 1);
	}
	for (LLVMValueRef g = LLVMGetFirstGlobal(h->m->mod); g && h->run; g = LLVMGetNextGlobal(g))
		if (LLVMIsDeclaration(g))
			LLVMReplaceAllUsesWith(
			    g, LLVMConstAddrSpaceCast(host_address(h, native_run_lds(h->run) + at), LLVMTypeOf(g)));
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

/* ---- the module ---- */

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
	*out = ok ? host_generate(&h) : NULL;
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
	bool ok = native_in_step(m, wave, in_step, d) && inline_places(&h), waits = host_waits(m);
	if (ok && !(h.run = native_run_new(l, wave, place_lds(&h, l), private_bytes(m), waits, m->v5)))
		ok = diag_error(d, NO_LOC, "not enough memory for the native run, which results are compared with "
		                           "(--no-reference does without it)");
	if (ok) {
		place_lds(&h, l);
		host_replace_calls(&h);
		add_entry(&h);
		forget_gpu(m);
		if (unknown(m))
			ok = diag_error(d, NO_LOC, "the native run does not know '%s'", unknown(m));
	}
	*out = (NativeCode){.run = h.run};
	if (ok)
		out->entry = host_generate(&h);
	LLVMDisposeBuilder(h.b);
	return out->entry != NULL;
}
