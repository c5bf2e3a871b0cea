/* Bitcode -> an LLVM module that keeps its debug lines, and where in the user's source an instruction comes from.
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

static bool has_option(const char *options, const char *option)
{
	size_t n = strlen(option);
	for (const char *p = options; p && (p = strstr(p, option)); p += n)
		if ((p == options || p[-1] == ' ') && (!p[n] || p[n] == ' '))
			return true;
	return false;
}

bool fe_build_option(const FeModule *m, const char *option) { return has_option(m->build_options, option); }
bool fe_dropped_option(const FeModule *m, const char *option) { return has_option(m->dropped, option); }

static Loc file_loc(const FeModule *m) { return (Loc){.file = m->user_path}; }

static bool renumber_spaces(FeModule *m, Diag *d)
{
	char *why;
	m->mod = spir_module(m->mod, &why);
	m->device = m->spir = true;
	if (!m->mod)
		diag_error(d, file_loc(m), "LLVM cannot read this as code for amdgcn: %s",
		           why ? why : "no reason given");
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

static void forget_target(FeModule *m)
{
	if (m->td)
		LLVMDisposeTargetData(m->td);
	if (m->tm)
		LLVMDisposeTargetMachine(m->tm);
}

void fe_module_close(FeModule *m)
{
	if (!m)
		return;
	forget_target(m);
	if (m->opencl)
		LLVMDisposeModule(m->opencl);
	if (m->mod)
		LLVMDisposeModule(m->mod);
	LLVMContextDispose(m->ctx);
	array_free(m->files);
	free(m->files);
	array_free(&m->args);
	array_free(&m->declared_variables);
	array_free(&m->numbers);
	array_free(&m->kernels);
	array_free(&m->names);
	made_of_free(&m->made_of);
	free(m->llvm_message);
	arena_free(m->arena);
	free(m);
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
	/* clang takes apart a path that begins as the folder does which it runs in. */
	if (m->user_path && (is_tempfile(full) || strstr(full, "<stdin>") || !strcmp(full, m->user_path)))
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

LLVMMetadataRef fe_users_place(const FeModule *m, LLVMMetadataRef at)
{
	while (at && !(scope_file(m, LLVMDILocationGetScope(at)) && LLVMDILocationGetLine(at)))
		at = LLVMDILocationGetInlinedAt(at);
	return at;
}

Loc fe_place(const FeModule *m, LLVMMetadataRef at)
{
	const char *file = scope_file(m, LLVMDILocationGetScope(at));
	return fe_physical(m, (Loc){file, LLVMDILocationGetLine(at), LLVMDILocationGetColumn(at)});
}

Loc fe_loc(const FeModule *m, LLVMValueRef instruction)
{
	Loc none = NO_LOC;
	LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction), place = at ? fe_users_place(m, at) : NULL;
	return place ? fe_place(m, place) : none;
}

static void say(const FeModule *m, DiagLevel level, LLVMValueRef instruction, Diag *d, const char *fmt, va_list ap)
{
	Loc loc = instruction ? fe_loc(m, instruction) : NO_LOC;
	if (!loc.file)
		loc = file_loc(m);
	diag_vadd(d, level, loc, fmt, ap);
	if (loc.line && loc.file != m->user_path)
		diag_source_file(d, loc.file);
	else if (loc.line && m->user_text)
		diag_source(d, m->user_text);
}

bool fe_verror(const FeModule *m, LLVMValueRef instruction, Diag *d, const char *fmt, va_list ap)
{
	say(m, DIAG_ERROR, instruction, d, fmt, ap);
	return false;
}

void fe_warn(const FeModule *m, LLVMValueRef instruction, Diag *d, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	say(m, DIAG_WARNING, instruction, d, fmt, ap);
	va_end(ap);
}

bool fe_absent_error(const FeModule *m, LLVMValueRef call, const char *symbol, Diag *d)
{
	const FeAbsent *absent = fe_absent(symbol);
	if (!absent || fe_mangled(symbol).pocl) /* what PoCL's library lacks is another matter */
		return false;
	if (absent->how == ABSENT_IMAGE && m->not_pocl) {
		fe_error(m, call, d, "images cannot be simulated in a source that PoCL's compiler refuses");
		diag_hint(d, "%s; without what it refuses, images run. Or %s", m->not_pocl, absent->instead);
		return true;
	}
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
	LLVMTargetMachineRef tm = llvm_machine(triple, cpu, features, why);
	if (!tm)
		return false;
	forget_target(m);
	m->tm = tm;
	m->td = LLVMCreateTargetDataLayout(m->tm);
	LLVMSetTarget(m->mod, triple);
	LLVMSetModuleDataLayout(m->mod, m->td);
	return true;
}
