/* PoCL's unoptimised x86 module -> a module for amdgcn.
 *
 * The types and the struct layout of both targets agree where OpenCL C can tell, and
 * flat pointers have 64 bits on both, so bodies stay as they are. What changes is
 * where things live: x86 has one address space, amdgcn one for each kind of memory.
 * Each variable moves to its own and is used through a cast to a flat pointer; LLVM's
 * infer-address-spaces pass then finds out most of the rest (pipeline.c).
 *
 * Built-in functions are AMD's where its device library has them (amdlib.h), or PoCL's, so
 * that floating-point results are PoCL's own. */
#include "frontend/retarget/retarget.h"

#include "frontend/retarget/amdlib.h"
#include "frontend/retarget/collective.h"
#include "frontend/retarget/copies.h"
#include "frontend/retarget/images.h"
#include "frontend/retarget/shake.h"
#include "frontend/source/pocl/pocl.h"
#include "frontend/retarget/repair.h"
#include "frontend/retarget/unroll.h"

#include <llvm-c/DebugInfo.h>

#include <stdio.h>

/* Did the user's source say noinline? (pocl.h) Some functions of PoCL's library do, which have no
 * debug information. */
static bool is_separate(const FeModule *m, LLVMValueRef f)
{
	bool own = llvm_has_attribute(f, "noinline") && !llvm_has_attribute(f, "optnone") && fe_is_users(m, f);
	return own || llvm_has_attribute(f, POCL_NOINLINE_MARK) || fe_image(LLVMGetValueName(f));
}

/* Keep the kernel and what it uses. A separate function stays visible, as it is for
 * AMD's compiler: nothing is concluded from its body at its calls. */
static bool prune(FeModule *m, Diag *d)
{
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f) && f != m->kernel)
			LLVMSetLinkage(f, is_separate(m, f) && LLVMGetFirstUse(f) ? LLVMExternalLinkage
			                                                       : LLVMInternalLinkage);
	LLVMSetLinkage(m->kernel, LLVMExternalLinkage);
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->mod); g; g = LLVMGetNextGlobal(g))
		if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) != LLVMAppendingLinkage)
			LLVMSetLinkage(g, LLVMInternalLinkage);
	static const char *const lists[] = {"llvm.used", "llvm.compiler.used"};
	for (u32 i = 0; i < COUNT(lists); i++) {
		LLVMValueRef g = LLVMGetNamedGlobal(m->mod, lists[i]);
		if (g)
			LLVMDeleteGlobal(g);
	}
	return fe_passed(m, llvm_passes(m->mod, "globaldce", NULL), "prune the program", d);
}

/* From gfx10 on a chip runs wavefronts of 32 and of 64 lanes, before only of 64. */
static const char *wave_feature(FeModule *m, const char *cpu)
{
	bool both = !strncmp(cpu, "gfx1", 4) && strlen(cpu) == 7;
	m->chip_wave = both && m->wave != 64 ? 32 : 64;
	if (!m->wave || (!both && m->wave == 64))
		return "";
	if (both && (m->wave == 32 || m->wave == 64))
		return m->wave == 64 ? "+wavefrontsize64" : "+wavefrontsize32";
	m->wave_missing = arena_printf(m->arena, "%s has no wavefronts of %u lanes", cpu, m->wave);
	return "";
}

/* The first of FeOptions.cpu that this LLVM knows. */
static bool choose_chip(FeModule *m, const char *list, Diag *d)
{
	m->cpu = llvm_first_chip(m->arena, list);
	int n = (int)strcspn(list, "@ ");
	if (m->cpu && (strlen(m->cpu) != (size_t)n || strncmp(m->cpu, list, (size_t)n) != 0))
		m->stands_for = list[n] != '@' ? arena_strndup(m->arena, list, (size_t)n)
			: arena_printf(m->arena, "%.*s (known from LLVM %.*s on; this is LLVM %u)", n, list,
			               (int)strcspn(list + n + 1, " "), list + n + 1, llvm_version());
	if (!m->chip)
		m->chip = m->cpu;
	if (m->cpu)
		return true;
	diag_error(d, NO_LOC, "LLVM %u knows no AMD chip '%s'", llvm_version(), list);
	diag_hint(d, "set llvm_cpu in the device file to a chip that `llc-%u -march=amdgcn -mcpu=help` lists; of "
	             "several, such as \"gfx942 gfx90a\", the first that LLVM knows is used", llvm_version());
	return false;
}

static bool make_target(FeModule *m, const char *list, Diag *d)
{
	if (!choose_chip(m, list, d))
		return false;
	const char *cpu = m->cpu;
	/* Up to gfx8, subnormal floats cost extra or exclude the fast multiply-add, so AMD's
	 * compiler turns them off by itself. */
	m->flush_f32 = strlen(cpu) == 6 && cpu[3] < '9';
	m->flush_f32 |= fe_build_option(m, "-cl-denorms-are-zero");
	m->limits.flush_f32 = m->flush_f32 && m->builtins != BUILTINS_POCL;
	char *why;
	if (fe_set_target(m, FE_TRIPLE, cpu, wave_feature(m, m->chip), &why))
		return true;
	diag_error(d, NO_LOC, "LLVM has no code generator for AMD GPUs: %s", why ? why : cpu);
	LLVMDisposeMessage(why);
	return false;
}

/* Everything x86 said about a function goes; what the source said (convergent,
 * nounwind, memory effects, noinline: pocl.h) stays. */
static void drop_attributes(const FeModule *m, LLVMValueRef f)
{
	static const char *const drop[] = {"optnone", "uwtable", "noduplicate", "ssp", "sspstrong",
	                                   "sspreq", "alignstack", "returns_twice",
	                                   POCL_NOINLINE_MARK, "noinline" /* last */};
	bool separate = is_separate(m, f);
	u32 n;
	LLVMAttributeRef *a = llvm_attributes(f, ON_FUNCTION, &n);
	for (u32 i = 0; i < n; i++) {
		unsigned len;
		if (!LLVMIsStringAttribute(a[i]))
			continue;
		const char *key = LLVMGetStringAttributeKind(a[i], &len);
		LLVMRemoveStringAttributeAtIndex(f, ON_FUNCTION, key, len);
	}
	free(a);
	for (u32 i = 0; i < COUNT(drop) - separate; i++)
		LLVMRemoveEnumAttributeAtIndex(f, ON_FUNCTION, llvm_attribute(drop[i]));
}

/* For checks, functions of a library are inlined that access memory for their caller, because their accesses are the
 * caller's, and those that are hardly more than the call and call one function at most: chains of those that call each
 * other twice would double with each. (Of the source's own none is: inlining folds what they do with constants.) */
static bool is_inlined(const FeModule *m, LLVMValueRef f)
{
	enum { HARDLY_MORE = 64 };
	u32 n = 0, calls = 0;
	if (fe_is_users(m, f))
		return false;
	llvm_each_instruction(f, i) {
		n++;
		LLVMValueRef callee = llvm_callee(i);
		calls += callee && !LLVMIsDeclaration(callee);
		bool store = LLVMIsAStoreInst(i);
		LLVMValueRef at = store ? LLVMGetOperand(i, 1) : LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
		bool own = at && (LLVMIsAAllocaInst(at) ||
		                  LLVMGetPointerAddressSpace(LLVMTypeOf(at)) == SPACE_CONSTANT);
		if ((at && !own) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i))
			return true;
	}
	return calls <= 1 && n <= HARDLY_MORE;
}

/* What a function says of itself by a text; NULL: nothing. */
static const char *own_text(const FeModule *m, LLVMValueRef f, const char *key)
{
	unsigned n;
	LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(f, ON_FUNCTION, key, (unsigned)strlen(key));
	const char *value = a ? LLVMGetStringAttributeValue(a, &n) : NULL;
	return value ? arena_strndup(m->arena, value, n) : NULL;
}

/* From OpenCL C 2.0 on the last work-group may be smaller, and clang says so: what LLVM 18 makes of sizes that it takes
 * as equal is another number of groups. PoCL 6 says so whatever the language is: where no launch may have such a group,
 * the device's compiler reads sizes as it does for OpenCL C 1.2. */
static const char *equal_groups(const FeModule *m, LLVMValueRef kernel)
{
	const char *value = own_text(m, kernel, "uniform-work-group-size");
	return m->partial_groups && value && !strcmp(value, "false") ? "false" : "true";
}

/* What clang says for the device of a kernel's work-groups (__launch_bounds__) and of how atomics may be made. */
static const char *const device_texts[] = {"amdgpu-flat-work-group-size", "amdgpu-waves-per-eu",
                                           "amdgpu-unsafe-fp-atomics"};

/* The attributes that AMD's compiler gives OpenCL functions. (The machine itself keeps
 * subnormals, as PoCL does on the host.) */
static void set_attributes(const FeModule *m, LLVMValueRef f)
{
	const char *equal = equal_groups(m, f), *own[COUNT(device_texts)] = {NULL};
	for (u32 i = 0; m->device && i < COUNT(device_texts); i++)
		own[i] = own_text(m, f, device_texts[i]);
	drop_attributes(m, f);
	if (m->check && is_inlined(m, f))
		llvm_add_attribute(f, ON_FUNCTION, "alwaysinline");
	/* AMD's compiler compares features as text: those of its library are not the kernel's, so that it changes no
	 * arguments of the library's functions. */
	if (f == m->kernel || fe_is_users(m, f))
		llvm_add_text(f, "target-cpu", m->cpu);
	llvm_add_text(f, "denormal-fp-math", "ieee,ieee");
	llvm_add_text(f, "denormal-fp-math-f32",
	                    m->flush_f32 ? "preserve-sign,preserve-sign" : "ieee,ieee");
	llvm_add_text(f, "no-trapping-math", "true");
	llvm_add_text(f, "no-builtins", "");
	u32 items = m->max_local ? m->max_local : 256, least = 1;
	if (m->reqd_local[0])
		least = items = m->reqd_local[0] * m->reqd_local[1] * m->reqd_local[2];
	char bound[32];
	snprintf(bound, sizeof bound, "%u,%u", least, items);
	if (f == m->kernel) {
		llvm_add_text(f, "amdgpu-flat-work-group-size", bound);
		llvm_add_text(f, "uniform-work-group-size", equal);
	}
	for (u32 i = 0; i < COUNT(own); i++)
		if (own[i])
			llvm_add_text(f, device_texts[i], own[i]);
}

/* Calls and the functions they call must agree on the convention. */
static void plain_conventions(LLVMValueRef f)
{
	LLVMSetFunctionCallConv(f, LLVMCCallConv);
	llvm_each_instruction(f, i)
		if (LLVMIsACallInst(i))
			LLVMSetInstructionCallConv(i, LLVMCCallConv);
}

static bool put_copies(FeModule *m, bool native, Diag *d) { return m->check || native || copies_expand(m, d); }

/* A module that was made for amdgcn is what the steps below make of PoCL's. */
static bool prepare_device(FeModule *m, const char *cpu, bool native, Diag *d)
{
	device_begin(m);
	collective_rename(m);
	if (!put_copies(m, native, d) || !prune(m, d) || !amdlib_find(m, d) || !make_target(m, cpu, d))
		return false;
	repair_conversions(m); /* not those of AMD's library */
	amdlib_device_limits(m);
	if (!device_drop_unreached(m, d) || !amdlib_link(m, d))
		return false;
	if (m->check || native)
		device_barriers(m);
	if (native)
		pipes_reset_later(m);
	if (!prune(m, d) || !retarget_check(m, d) || !device_shared(m, d) || !collective_define(m, d))
		return false;
	if (m->spir) {
		llvm_each_function(m->mod, f)
			plain_conventions(f);
		abi_kernel(m);
		abi_byval(m);
		mem_allocas(m);
	}
	for (u32 i = 0; i < LLVMCountParams(m->kernel); i++)
		LLVMSetValueName2(LLVMGetParam(m->kernel, i), m->args.v[i].name, strlen(m->args.v[i].name));
	workitem_calls(m);
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f))
			set_attributes(m, f);
	return prune(m, d) && fe_verify(m, "preparing it", d);
}

bool fe_retarget(FeModule *m, const char *cpu, bool native, Diag *d)
{
	if (m->device)
		return prepare_device(m, cpu, native, d);
	repair_subprograms(m);
	workitem_drop_runtime(m);
	collective_rename(m);
	if (!put_copies(m, native, d))
		return false;
	amdlib_adapt(m);
	if (m->builtins == BUILTINS_UNDEFINED && !prune(m, d)) /* what other kernels do decides nothing there */
		return false;
	shake_calls(m);
	images_separate(m);
	if (!prune(m, d) || !make_target(m, cpu, d))
		return false;
	repair_conversions(m); /* not those of AMD's library, and its arrays are aligned for the device */
	align_arrays(m);
	if (!amdlib_link(m, d) || !prune(m, d) ||
	    !retarget_check(m, d) || !collective_define(m, d))
		return false;
	if (m->builtins == BUILTINS_AMD)
		amdlib_limits(m);
	llvm_each_function(m->mod, f)
		plain_conventions(f);
	abi_kernel(m);
	abi_byval(m);
	if (!workitem_lower(m, d) || !mem_globals(m, d))
		return false;
	mem_allocas(m);
	unroll_allow(m);
	workitem_calls(m);
	llvm_each_function(m->mod, f)
		if (!LLVMIsDeclaration(f))
			set_attributes(m, f);
	return prune(m, d) && fe_verify(m, "retargeting", d);
}
