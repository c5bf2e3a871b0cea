/* PoCL's library of built-in functions: finding it, and linking what a program calls.
 *
 * clBuildProgram reads all of it, 23,000 functions, before it links the few that are called:
 * three quarters of its time. So PoCL only compiles (clCompileProgram), and the functions are
 * linked here, their bodies read when they are needed (pocl_needed.c). Where the library is not
 * found, PoCL links as ever. */
#include "frontend/source/pocl/pocl_library.h"

#include "frontend/module/collective.h"
#include "frontend/module/mangled.h"
#include "frontend/source/pocl/pocl_cl.h"
#include "frontend/source/pocl/pocl_needed.h"

#include <llvm-c/Linker.h>

#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

/* ---- finding it ---- */

/* The variants that distributions build, and what of the processor they need, as PoCL chooses:
 * the last one that fits. */
static const struct {
	const char *name, *needs;
} variants[] = {
	{"sse2", "sse2"},
	{"ssse3", "ssse3 cx16"},
	{"sse41", "sse4.1 cx16"},
	{"avx", "avx cx16 popcnt"},
	{"avx_f16c", "avx cx16 popcnt f16c"},
	{"avx_fma4", "avx cx16 popcnt xop fma4"},
	{"avx2", "avx avx2 cx16 popcnt lzcnt f16c fma bmi bmi2"},
	{"avx512", "avx512f"},
};

/* features: "+sse2,-avx,…" */
static bool has_all(const char *features, const char *needs)
{
	while (*needs) {
		size_t n = strcspn(needs, " ");
		char want[16];
		snprintf(want, sizeof want, "+%.*s,", (int)n, needs);
		if (!strstr(features, want))
			return false;
		needs += n + (needs[n] == ' ');
	}
	return true;
}

static const char *variant(void)
{
	char *host = LLVMGetHostCPUFeatures();
	Buf features = {0};
	buf_printf(&features, "%s,", host);
	const char *best = NULL;
	for (u32 i = 0; i < COUNT(variants); i++)
		if (has_all(features.v, variants[i].needs))
			best = variants[i].name;
	LLVMDisposeMessage(host);
	array_free(&features);
	return best;
}

static int find_libpocl(struct dl_phdr_info *info, size_t size, void *out)
{
	(void)size;
	const char *name = strstr(info->dlpi_name, "/libpocl.so");
	if (name)
		snprintf(out, PATH_MAX, "%.*s", (int)(name - info->dlpi_name), info->dlpi_name);
	return name != NULL;
}

bool pocl_library_find(char *path, size_t size)
{
	char folder[PATH_MAX] = "";
	const char *name = variant();
	if (!name || !dl_iterate_phdr(find_libpocl, folder))
		return false;
	char *triple = LLVMGetDefaultTargetTriple();
	int n = snprintf(path, size, "%s/../../share/pocl/kernel-%s-%s.bc", folder, triple, name);
	LLVMDisposeMessage(triple);
	return n > 0 && (size_t)n < size && !access(path, R_OK);
}

bool pocl_headers_find(char *path, size_t size)
{
	char folder[PATH_MAX] = "";
	if (!dl_iterate_phdr(find_libpocl, folder))
		return false;
	int n = snprintf(path, size, "%s/../../share/pocl/include", folder);
	return n > 0 && (size_t)n < size;
}

/* ---- linking ---- */

/* The sampler's initialiser is a name that means something to PoCL's later passes. */
static bool is_special(const char *name)
{
	Collective c;
	return fe_collective(name, &c) || !strncmp(name, "llvm.", 5) ||
	       !strcmp(name, "__translate_sampler_initializer");
}

static LLVMValueRef first_call(LLVMValueRef f)
{
	for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
		if (LLVMIsAInstruction(LLVMGetUser(use)))
			return LLVMGetUser(use);
	return NULL;
}

static LLVMValueRef points_into(FeModule *m, LLVMBuilderRef b, const char *intrinsic, LLVMValueRef pointer)
{
	return llvm_call(b, llvm_intrinsic(m->mod, intrinsic, NULL, 0), &pointer, 1);
}

/* to_global, to_local and to_private, by clang's names, which PoCL 6 declares only: the pointer, or null. */
static bool define_space(FeModule *m, LLVMValueRef f)
{
	static const char *const names[] = {"__to_global", "__to_local", "__to_private"};
	LLVMTypeRef type = LLVMGlobalGetValueType(f), result = LLVMGetReturnType(type);
	u32 space = 0;
	while (space < COUNT(names) && strcmp(LLVMGetValueName(f), names[space]) != 0)
		space++;
	if (space == COUNT(names) || LLVMCountParams(f) != 1 || LLVMGetTypeKind(result) != LLVMPointerTypeKind ||
	    LLVMTypeOf(LLVMGetParam(f, 0)) != LLVMPointerTypeInContext(m->ctx, 0))
		return false;
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->ctx);
	LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(m->ctx, f, ""));
	LLVMValueRef p = LLVMGetParam(f, 0), local = points_into(m, b, "llvm.amdgcn.is.shared", p);
	LLVMValueRef own = points_into(m, b, "llvm.amdgcn.is.private", p);
	LLVMValueRef is = space == 0   ? LLVMBuildNot(b, LLVMBuildOr(b, local, own, ""), "")
	                  : space == 1 ? local
	                               : own;
	LLVMBuildRet(b, LLVMBuildSelect(b, is, LLVMBuildAddrSpaceCast(b, p, result, ""), LLVMConstNull(result), ""));
	LLVMDisposeBuilder(b);
	LLVMSetLinkage(f, LLVMInternalLinkage);
	return true;
}

/* A function without a definition is an error where it is called. */
static bool check_defined(FeModule *m, LLVMModuleRef library, Diag *d)
{
	llvm_each_function(m->mod, f) {
		const char *name = LLVMGetValueName(f);
		LLVMValueRef call = LLVMIsDeclaration(f) ? first_call(f) : NULL;
		if (!call || is_special(name) || LLVMGetNamedFunction(library, name))
			continue;
		if (define_space(m, f)) {
			m->not_pocl = arena_printf(m->arena, "the PoCL that is installed has no function %s", name + 2);
			continue;
		}
		if (fe_absent_error(m, call, name, d))
			return false;
		Mangled x = fe_mangled(name);
		fe_error(m, call, d, "function '%.*s' has no body", x.name ? (int)x.n : (int)strlen(name),
		         x.name ? x.name : name);
		diag_hint(d, "define it in the kernel file, or include the file that does");
		return false;
	}
	return true;
}

/* Linked only when something refers to them; not where the lowering gives the name a meaning. (The
 * library's printf takes its format from another address space than the program's.) */
static void link_on_demand(LLVMModuleRef library)
{
	Collective c;
	llvm_each_function(library, f) {
		if (fe_is_runtime(LLVMGetValueName(f)) || fe_collective(LLVMGetValueName(f), &c))
			LLVMSetValueName2(f, "", 0);
		if (!LLVMIsDeclaration(f))
			LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
	}
	for (LLVMValueRef g = LLVMGetFirstGlobal(library); g; g = LLVMGetNextGlobal(g))
		if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMExternalLinkage)
			LLVMSetLinkage(g, LLVMLinkOnceODRLinkage);
}

/* That of PoCL 6.0 is 0 where every work-item gives 1. */
static bool is_wrong(const Collective *c)
{
	static const char name[] = "work_group_all";
	return c->n == sizeof name - 1 && !memcmp(c->name, name, c->n);
}

/* The first function that is called and that only wavesim has, or has right. */
static void note_ours(FeModule *m, LLVMModuleRef library)
{
	Collective c;
	llvm_each_function(m->mod, f) {
		const char *name = LLVMGetValueName(f);
		bool amd = !strncmp(name, "llvm.amdgcn.", 12), ours = fe_collective(name, &c);
		LLVMValueRef theirs = ours ? LLVMGetNamedFunction(library, name) : NULL;
		bool there = theirs && !LLVMIsDeclaration(theirs), wrong = there && is_wrong(&c);
		if (m->not_pocl || !LLVMIsDeclaration(f) || !first_call(f) || !(amd || ours) || (there && !wrong))
			continue;
		m->not_pocl =
		    amd ? arena_printf(m->arena, "PoCL's CPU device cannot run AMD's instruction %s", name + 12)
		    : wrong
			? arena_printf(m->arena, "PoCL's own %.*s gives wrong values", (int)c.n, c.name)
			: arena_printf(m->arena, "the PoCL that is installed has no function %.*s", (int)c.n, c.name);
	}
}

/* PoCL 6 compiles a kernel that sets variables of the program before the first launch, where compilers are no longer
 * allowed. (What has no value is local memory.) */
static void note_variables(FeModule *m)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->mod); g && !m->not_pocl; g = LLVMGetNextGlobal(g)) {
		LLVMValueRef value = LLVMGetInitializer(g);
		if (value && !LLVMIsGlobalConstant(g) && !LLVMIsUndef(value))
			m->not_pocl = "its run cannot set variables of the program";
	}
}

bool pocl_library_link(FeModule *m, const char *path, Diag *d)
{
	char *why = NULL;
	made_of(&m->made_of, path);
	LLVMModuleRef library = pocl_needed_make(m, path)
	                                ? llvm_read_bytes(m->ctx, m->needed.bytes, m->needed.n)
	                                : llvm_read_file(m->ctx, path, &why);
	if (!library && why)
		diag_error(d, NO_LOC, "PoCL's library of built-in functions: %s: %s", path, why);
	else if (!library)
		diag_error(d, NO_LOC, "LLVM cannot read PoCL's library of built-in functions, %s", path);
	LLVMDisposeMessage(why);
	if (!library)
		return false;
	if (!check_defined(m, library, d)) {
		LLVMDisposeModule(library);
		return false;
	}
	note_ours(m, library);
	note_variables(m);
	link_on_demand(library);
	if (!LLVMLinkModules2(m->mod, library)) /* frees library */
		return true;
	return diag_error(d, NO_LOC, "LLVM cannot link PoCL's library of built-in functions, %s: %s", path,
	                  m->llvm_message ? m->llvm_message : "no reason given");
}
