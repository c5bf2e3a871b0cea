/* Bitcode -> an LLVM module that keeps its debug lines, the list of its kernels,
 * and where in the user's source an instruction comes from.
 *
 * PoCL links library functions whose debug attachments LLVM's verifier rejects; a
 * plain read then strips the debug info of the whole module. So the module is read
 * lazily, which skips that check, and linked into an empty one. */
#include "frontend/module/module.h"

#include "frontend/module/kernel_args.h"
#include "frontend/module/mangled.h"
#include "frontend/module/spir.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>

#include <unistd.h>


enum { CC_SPIR_KERNEL = 76, CC_AMDGPU_KERNEL = 91 };

typedef struct FeFile {
	LLVMMetadataRef file;
	const char *name; /* the user's name of it; NULL: PoCL's library */
} FeFile;

struct FeFiles {
	FeFile *v;
	u32 n, cap;
};
typedef struct FeFiles FeFiles;

/* LLVM would print and, on errors, exit. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
	FeModule *m = user;
	LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
	if (severity != LLVMDSError)
		return;
	char *text = LLVMGetDiagInfoDescription(info);
	free(m->llvm_message);
	m->llvm_message = xstrdup(text);
	LLVMDisposeMessage(text);
}

bool fe_build_option(const FeModule *m, const char *option)
{
	size_t n = strlen(option);
	for (const char *p = m->build_options; p && (p = strstr(p, option)); p += n)
		if ((p == m->build_options || p[-1] == ' ') && (!p[n] || p[n] == ' '))
			return true;
	return false;
}

static Loc file_loc(const FeModule *m) { return (Loc){.file = m->user_path}; }

static bool is_kernel(LLVMValueRef f)
{
	/* Found by its name later: damaged bitcode may hold an empty one, or one with a NUL. */
	if (LLVMIsDeclaration(f) ||
	    LLVMGetNamedFunction(LLVMGetGlobalParent(f), LLVMGetValueName(f)) != f)
		return false;
	u32 cc = LLVMGetFunctionCallConv(f);
	return cc == CC_SPIR_KERNEL || cc == CC_AMDGPU_KERNEL || kernel_args_has_metadata(f);
}

static bool renumber_spaces(FeModule *m, Diag *d)
{
	char *why;
	m->mod = spir_module(m->mod, &why);
	m->device = m->spir = true;
	if (!m->mod)
		diag_error(d, file_loc(m), "LLVM cannot read this as code for amdgcn: %s", why ? why : "no reason given");
	LLVMDisposeMessage(why);
	return m->mod;
}

static bool is_target(const FeModule *m, const char *name)
{
	const char *target = LLVMGetTarget(m->mod);
	size_t n = strlen(name);
	return !strncmp(target, name, n) && (!target[n] || target[n] == '-');
}

/* The bitcode, linked into m->mod. */
static bool read_bitcode(FeModule *m, const void *bitcode, size_t size, Diag *d)
{
	LLVMMemoryBufferRef buf =
		LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode, size, "bitcode");
	LLVMModuleRef lazy = NULL;
	if (LLVMGetBitcodeModuleInContext2(m->ctx, buf, &lazy)) {
		LLVMDisposeMemoryBuffer(buf);
		diag_error(d, file_loc(m), "this is not LLVM bitcode that can be read: %s",
		           m->llvm_message ? m->llvm_message : "broken file");
		diag_hint(d, "the bitcode must come from LLVM %d or older, as PoCL writes it", LLVM_VERSION_MAJOR);
		return false;
	}
	m->mod = LLVMModuleCreateWithNameInContext("wavesim", m->ctx);
	LLVMSetDataLayout(m->mod, LLVMGetDataLayoutStr(lazy));
	LLVMSetTarget(m->mod, LLVMGetTarget(lazy));
	if (LLVMLinkModules2(m->mod, lazy)) /* frees lazy */
		return diag_error(d, file_loc(m), "the bitcode cannot be linked: %s",
		                  m->llvm_message ? m->llvm_message : "broken file");
	llvm_debug_calls(m->mod);
	m->device = !strncmp(LLVMGetTarget(m->mod), "amdgcn", 6);
	if (is_target(m, "spir64"))
		return renumber_spaces(m, d);
	if (is_target(m, "spir")) {
		diag_error(d, file_loc(m), "this is for addresses of 32 bits (spir), of which wavesim knows no device");
		return diag_hint(d, "compile it for addresses of 64 bits (spir64)");
	}
	if (m->device || !strncmp(LLVMGetTarget(m->mod), "x86_64", 6))
		return true;
	diag_error(d, file_loc(m), "the bitcode is for '%s', not for amdgcn, spir64 or PoCL's x86_64 device",
	           LLVMGetTarget(m->mod));
	return diag_hint(d, "give the source, the device's bitcode of clang, or the program.bc that PoCL keeps in its "
	                    "cache");
}

/* N of vloadN, vstore_halfN, …; 0: another function. */
static u32 vload_width(const char *name)
{
	Mangled f = fe_mangled(name);
	if (!f.pocl || !(mangled_begins(&f, "vload") || mangled_begins(&f, "vstore")))
		return 0;
	u32 digits = f.n;
	while (digits && f.name[digits - 1] >= '0' && f.name[digits - 1] <= '9')
		digits--;
	return digits < f.n ? (u32)strtoul(f.name + digits, NULL, 10) : 0;
}

FeModule *fe_module_open(const void *bitcode, size_t size, const char *path, const char *text, Diag *d)
{
	FeModule *m = xcalloc(1, sizeof *m);
	m->arena = arena_new();
	m->files = xcalloc(1, sizeof *m->files);
	m->ctx = llvm_context();
	m->user_path = arena_strdup(m->arena, path);
	m->user_text = arena_strdup(m->arena, text);
	if (text && path)
		source_numbers(text, &m->numbers, m->arena);
	LLVMContextSetDiagnosticHandler(m->ctx, on_diagnostic, m);
	if (read_bitcode(m, bitcode, size, d))
		return m;
	fe_module_close(m);
	return NULL;
}

const char *fe_source_name(const FeModule *m, LLVMValueRef f)
{
	enum { SUBPROGRAM_NAME = 2 };
	LLVMMetadataRef at = m->device ? LLVMGetSubprogram(f) : NULL;
	const char *name = at ? llvm_operand_text(m->arena, LLVMMetadataAsValue(m->ctx, at), SUBPROGRAM_NAME) : NULL;
	return name ? name : arena_strdup(m->arena, fe_kernel_name(LLVMGetValueName(f)));
}

/* Two overloads have one name: they are told apart by their symbols. */
static bool is_taken(const FeModule *m, const char *name)
{
	for (u32 i = 0; i < m->kernels.n; i++)
		if (!strcmp(m->kernels.v[i], name))
			return true;
	return false;
}

/* PoCL's headers make macros of the names of built-in functions: a kernel `step` becomes `_cl_step`. It gets its own
 * name back; so does a C++ function, unless that is none for an assembler. */
static void name_kernel(FeModule *m, LLVMValueRef f)
{
	const char *old = LLVMGetValueName(f); /* gone when it gets another */
	const char *name = fe_source_name(m, f);
	bool plain = !strchr(name, '<');
	if (plain && strcmp(name, old) != 0 && !LLVMGetNamedFunction(m->mod, name) &&
	    !LLVMGetNamedGlobal(m->mod, name))
		LLVMSetValueName2(f, name, strlen(name));
	const char *symbol = arena_strdup(m->arena, LLVMGetValueName(f));
	array_push(&m->kernels, plain || is_taken(m, name) ? symbol : name);
	array_push(&m->symbols, symbol);
}

/* The variable goes, and the list that keeps it. */
static void take_instance(FeModule *m)
{
	LLVMValueRef g = LLVMGetNamedGlobal(m->mod, FE_INSTANCE), f = g ? LLVMGetInitializer(g) : NULL;
	LLVMValueRef used = LLVMGetNamedGlobal(m->mod, "llvm.compiler.used");
	if (!m->device || !f)
		return;
	while (LLVMIsAConstantExpr(f))
		f = LLVMGetOperand(f, 0);
	if (LLVMIsAFunction(f))
		m->instance = arena_strdup(m->arena, LLVMGetValueName(f));
	if (used)
		LLVMDeleteGlobal(used);
	LLVMReplaceAllUsesWith(g, LLVMGetUndef(LLVMTypeOf(g)));
	LLVMDeleteGlobal(g);
}

bool fe_module_list(FeModule *m, Diag *d)
{
	take_instance(m);
	llvm_each_function(m->mod, f) {
		u32 width = vload_width(LLVMGetValueName(f));
		m->widest_vload = width > m->widest_vload ? width : m->widest_vload;
		if (is_kernel(f))
			name_kernel(m, f);
	}
	if (m->kernels.n)
		return true;
	diag_error(d, file_loc(m), "there is no kernel in this file");
	diag_hint(d, m->device && !m->spir
	                 ? "a kernel is a function declared `__global__ void name(…)`; a template is one with its "
	                   "arguments: --kernel 'name<float, 256>'"
	                 : "a kernel is a function declared `__kernel void name(…)`");
	return false;
}

void fe_module_close(FeModule *m)
{
	if (!m)
		return;
	if (m->td)
		LLVMDisposeTargetData(m->td);
	if (m->tm)
		LLVMDisposeTargetMachine(m->tm);
	if (m->opencl)
		LLVMDisposeModule(m->opencl);
	if (m->mod)
		LLVMDisposeModule(m->mod);
	LLVMContextDispose(m->ctx);
	array_free(m->files);
	free(m->files);
	array_free(&m->args);
	array_free(&m->numbers);
	array_free(&m->kernels);
	array_free(&m->symbols);
	made_of_free(&m->made_of);
	free(m->llvm_message);
	arena_free(m->arena);
	free(m);
}

static void list_kernels(const FeModule *m, Diag *d)
{
	Buf names = {0};
	for (u32 i = 0; i < m->kernels.n; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", m->kernels.v[i]);
	diag_hint(d, "choose one with --kernel NAME: %s", names.v);
	array_free(&names);
}

/* `ns::reduce<float,256>` is `reduce<float, 256>`: blanks do not count, nor where it is declared. */
static bool same_name(const char *given, const char *name)
{
	const char *arguments = strchrnul(given, '<');
	for (const char *s = given; (s = strstr(s, "::")) && s < arguments;)
		given = s += 2;
	for (;; given++, name++) {
		given += strspn(given, " ");
		name += strspn(name, " ");
		if (*given != *name || !*given)
			return *given == *name;
	}
}

bool fe_module_select(FeModule *m, const char *kernel, Diag *d)
{
	if (!kernel && m->kernels.n > 1) {
		diag_error(d, file_loc(m), "there are %u kernels in this file", m->kernels.n);
		list_kernels(m, d);
		return false;
	}
	if (!kernel)
		kernel = m->kernels.v[0];
	if (m->instance && strchr(kernel, '<'))
		kernel = m->instance;
	u32 i = 0;
	while (i < m->kernels.n && strcmp(m->symbols.v[i], kernel) && strcmp(m->kernels.v[i], fe_kernel_name(kernel)) &&
	       !same_name(kernel, m->kernels.v[i]))
		i++;
	if (i == m->kernels.n) {
		const char *near = nearest_word(kernel, m->kernels.v, m->kernels.n);
		diag_error(d, file_loc(m), "there is no kernel '%s' in this file%s%s%s", kernel,
		           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
		list_kernels(m, d);
		return false;
	}
	m->kernel_name = m->kernels.v[i];
	m->kernel_symbol = m->symbols.v[i];
	m->kernel = LLVMGetNamedFunction(m->mod, m->kernel_symbol);
	return kernel_args_read(m, d);
}

/* ---- where things come from ---- */

/* PoCL writes the source to tempfile_ with six letters, .cl, and compiles that. */
static bool is_tempfile(const char *name)
{
	const char *slash = strrchr(name, '/');
	name = slash ? slash + 1 : name;
	return strlen(name) == 18 && !strncmp(name, "tempfile_", 9) && !strcmp(name + 15, ".cl");
}

static bool is_library(const char *path)
{
	static const char *const parts[] = {"/share/pocl/", "/lib/kernel/", "/include/pocl/", "/include/hip/",
	                                    "/lib/clang/", "/include/c++/"};
	for (u32 i = 0; i < COUNT(parts); i++)
		if (strstr(path, parts[i]))
			return true;
	return false;
}

/* A folder with a blank in its name was included through a link in PoCL's cache. */
static const char *linked_file(const FeModule *m, const char *path)
{
	static const char marker[] = "/include/";
	const char *cache = strstr(path, "wavesim-"), *slash = cache ? strchr(cache, '/') : NULL;
	if (!slash || slash - cache != 14 || strncmp(slash, marker, sizeof marker - 1) != 0)
		return NULL;
	const char *rest = slash + sizeof marker - 1, *dir = strrchr(m->user_path, '/');
	return arena_printf(m->arena, "%.*s%s", dir ? (int)(dir + 1 - m->user_path) : 0, m->user_path,
	                    rest);
}

static const char *file_name(const FeModule *m, LLVMMetadataRef file)
{
	unsigned nname, ndir;
	const char *name = LLVMDIFileGetFilename(file, &nname);
	const char *dir = LLVMDIFileGetDirectory(file, &ndir);
	char *given = arena_strndup(m->arena, nname ? name : "", nname);
	char *full = nname && name[0] != '/' && ndir
		? arena_printf(m->arena, "%.*s/%s", (int)ndir, dir, given) : given;
	if (is_library(full))
		return NULL;
	if (m->user_path && (is_tempfile(full) || strstr(full, "<stdin>")))
		return m->user_path;
	const char *linked = m->user_path ? linked_file(m, full) : NULL;
	/* Included files as they were found: relative to the working folder, if they are. Bitcode may have been made in
	 * another. */
	bool elsewhere = !m->user_text && access(given, R_OK) && !access(full, R_OK);
	return linked ? linked : elsewhere ? full : given;
}

const char *fe_file(const FeModule *m, LLVMMetadataRef file)
{
	FeFiles *known = m->files;
	for (u32 i = 0; i < known->n; i++)
		if (known->v[i].file == file)
			return known->v[i].name;
	array_push(known, ((FeFile){file, file_name(m, file)}));
	return known->v[known->n - 1].name;
}

/* The user's file that a scope lies in; NULL for PoCL's own. */
static const char *scope_file(const FeModule *m, LLVMMetadataRef scope)
{
	LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
	return file ? fe_file(m, file) : NULL;
}

bool fe_is_users(const FeModule *m, LLVMValueRef f)
{
	LLVMMetadataRef at = LLVMGetSubprogram(f);
	return at && (!m->device || scope_file(m, at));
}

Loc fe_physical(const FeModule *m, Loc at)
{
	if (m->numbers.n <= 1)
		return at;
	const char *named = strcmp(at.file, m->user_path) ? at.file : NULL;
	u32 line = source_physical(&m->numbers, named, at.line);
	return line ? (Loc){m->user_path, line, at.col} : at;
}

Loc fe_loc(const FeModule *m, LLVMValueRef instruction)
{
	Loc none = NO_LOC;
	for (LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction); at;
	     at = LLVMDILocationGetInlinedAt(at)) {
		const char *file = scope_file(m, LLVMDILocationGetScope(at));
		u32 line = LLVMDILocationGetLine(at);
		if (file && line)
			return fe_physical(m, (Loc){file, line, LLVMDILocationGetColumn(at)});
	}
	return none;
}

bool fe_verror(const FeModule *m, LLVMValueRef instruction, Diag *d, const char *fmt, va_list ap)
{
	Loc loc = instruction ? fe_loc(m, instruction) : NO_LOC;
	if (!loc.file)
		loc = file_loc(m);
	diag_vadd(d, DIAG_ERROR, loc, fmt, ap);
	if (loc.line && loc.file != m->user_path)
		diag_source_file(d, loc.file);
	else if (loc.line && m->user_text)
		diag_source(d, m->user_text);
	return false;
}

bool fe_absent_error(const FeModule *m, LLVMValueRef call, const char *symbol, Diag *d)
{
	const FeAbsent *absent = fe_absent(symbol);
	if (!absent)
		return false;
	fe_error(m, call, d, "%s cannot be simulated", absent->what);
	diag_hint(d, "%s", absent->instead);
	return true;
}

bool fe_error(const FeModule *m, LLVMValueRef instruction, Diag *d, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fe_verror(m, instruction, d, fmt, ap);
	va_end(ap);
	return false;
}

bool fe_passed(const FeModule *m, LLVMErrorRef e, const char *what, Diag *d)
{
	if (!e)
		return true;
	char *text = LLVMGetErrorMessage(e);
	diag_error(d, file_loc(m), "LLVM cannot %s: %s", what, text);
	LLVMDisposeErrorMessage(text);
	return false;
}

static bool verify(const FeModule *m, LLVMModuleRef mod, const char *when, Diag *d)
{
	char *text = NULL;
	bool broken = LLVMVerifyModule(mod, LLVMReturnStatusAction, &text);
	if (broken) {
		text[strcspn(text, "\n")] = 0;
		diag_error(d, file_loc(m), "LLVM rejects the program %s: %s", when, text);
	}
	LLVMDisposeMessage(text);
	return !broken;
}

bool fe_verify(const FeModule *m, const char *step, Diag *d)
{
	Buf when = {0};
	buf_printf(&when, "after %s", step);
	bool ok = verify(m, m->mod, when.v, d);
	array_free(&when);
	return ok;
}

bool fe_module_check(const FeModule *m, Diag *d)
{
	LLVMModuleRef copy = LLVMCloneModule(m->mod);
	LLVMStripModuleDebugInfo(copy);
	bool ok = verify(m, copy, "in this bitcode", d);
	LLVMDisposeModule(copy);
	return ok;
}

bool fe_set_target(FeModule *m, const char *triple, const char *cpu, const char *features, char **why)
{
	m->tm = llvm_machine(triple, cpu, features, why);
	if (!m->tm)
		return false;
	m->td = LLVMCreateTargetDataLayout(m->tm);
	LLVMSetTarget(m->mod, triple);
	LLVMSetModuleDataLayout(m->mod, m->td);
	return true;
}
