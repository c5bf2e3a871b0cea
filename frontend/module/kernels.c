/* The kernels of a module: how they are called in it and by the user, and the choice of one.
 *
 * C++ has overloads, instances of templates and namespaces. A kernel is known by the shortest name that no other has:
 * `reduce`, `reduce<float, 256>`, and with its parameters where that is another's as well: `reduce(float*, int)`. It is
 * found by any of its names, whole or without the namespaces that it is in. */
#include "frontend/module/module.h"

#include "base/hash.h"
#include "frontend/module/kernel_args.h"
#include "frontend/module/left_out.h"
#include "frontend/module/mangled.h"

#include <llvm-c/DebugInfo.h>

enum { CC_SPIR_KERNEL = 76, CC_AMDGPU_KERNEL = 91 };

/* What clang makes for enqueue_kernel of the block `__NAME_block_invoke`: no host launches it. */
static bool is_of_block(LLVMValueRef f)
{
	static const char end[] = "_kernel";
	const char *name = LLVMGetValueName(f);
	size_t n = strlen(name), tail = sizeof end - 1;
	if (strncmp(name, "__", 2) || n <= tail || strcmp(name + n - tail, end) || !strstr(name, "_block_invoke"))
		return false;
	char *block = xstrdup(name);
	block[n - tail] = 0;
	bool is = LLVMGetNamedFunction(LLVMGetGlobalParent(f), block);
	free(block);
	return is;
}

static bool is_kernel(LLVMValueRef f)
{
	/* Found by its name later: damaged bitcode may hold an empty one, or one with a NUL. */
	if (LLVMIsDeclaration(f) || LLVMGetNamedFunction(LLVMGetGlobalParent(f), LLVMGetValueName(f)) != f)
		return false;
	if (is_of_block(f))
		return false;
	u32 cc = LLVMGetFunctionCallConv(f);
	return cc == CC_SPIR_KERNEL || cc == CC_AMDGPU_KERNEL || kernel_args_has_metadata(f);
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

const char *fe_source_name(const FeModule *m, LLVMValueRef f)
{
	LLVMMetadataRef at = m->device ? LLVMGetSubprogram(f) : NULL;
	const char *name = at ? llvm_operand_text(m->arena, LLVMMetadataAsValue(m->ctx, at), SUBPROGRAM_NAME) : NULL;
	return name ? name : arena_strdup(m->arena, fe_plain_name(LLVMGetValueName(f)));
}

/* Of the Itanium C++ ABI, whose run time LLVM stands on. */
extern char *__cxa_demangle(const char *symbol, char *buffer, size_t *size, int *status);

/* What C++ declares under that symbol, in the arena: "void ns::reduce<float, 256>(float*, int)"; or NULL. */
static const char *demangled(Arena *a, const char *symbol)
{
	enum { LONGEST = 4096 }; /* it works by recursion */
	int status;
	char *text =
	    strncmp(symbol, "_Z", 2) || strlen(symbol) > LONGEST ? NULL : __cxa_demangle(symbol, NULL, NULL, &status);
	const char *kept = text ? arena_strdup(a, text) : NULL;
	free(text);
	return kept;
}

/* How many bytes of a name are the namespaces it is in: "a::b::". */
static size_t scope_length(const char *name, const char *end)
{
	size_t n = 0;
	i32 depth = 0;
	for (const char *s = name; s < end; s++) {
		depth += (*s == '<' || *s == '(') - (*s == '>' || *s == ')');
		if (!depth && s[0] == ':' && s[1] == ':')
			n = (size_t)(s + 2 - name);
	}
	return n;
}

static FeKernelName names_of(FeModule *m, LLVMValueRef f)
{
	FeKernelName k = {.symbol = arena_strdup(m->arena, LLVMGetValueName(f)), .scope = "", .parameters = ""};
	const char *declared = m->device ? demangled(m->arena, k.symbol) : NULL;
	k.mangled = k.symbol;
	k.plain = k.instance = fe_source_name(m, f);
	if (!declared)
		return k;
	static const char result[] = "void "; /* of an instance */
	if (!strncmp(declared, result, sizeof result - 1))
		declared += sizeof result - 1;
	const char *end = fe_parameters(declared);
	size_t scope = scope_length(declared, end);
	k.scope = arena_strndup(m->arena, declared, scope);
	k.instance = arena_strndup(m->arena, declared + scope, (size_t)(end - declared) - scope);
	k.parameters = end;
	if (!strcmp(k.plain, k.mangled)) /* there is no debug information */
		k.plain = k.instance;
	return k;
}

/* PoCL's headers make macros of the names of built-in functions: a kernel `step` becomes `_cl_step`. It gets its own
 * name back; so does a C++ function, unless that is none for an assembler. */
static void rename_kernel(FeModule *m, FeKernelName *k)
{
	if (strchr(k->plain, '<') || !strcmp(k->plain, k->symbol) || LLVMGetNamedFunction(m->mod, k->plain) ||
	    LLVMGetNamedGlobal(m->mod, k->plain))
		return;
	LLVMSetValueName2(LLVMGetNamedFunction(m->mod, k->symbol), k->plain, strlen(k->plain));
	k->symbol = k->plain;
}

/* The names by which kernels are known. */
static void name_kernels(FeModule *m)
{
	HashIndex index = {0};
	for (u32 i = 0; i < m->names.n; i++)
		hash_index_add(&index, hash_text(m->names.v[i].plain), i);
	for (u32 i = 0; i < m->names.n; i++) {
		FeKernelName *k = &m->names.v[i];
		u32 same = 0;
		for (u32 at = 0, other; same < 2 && hash_index_next(&index, hash_text(k->plain), &at, &other);)
			same += !strcmp(k->plain, m->names.v[other].plain);
		if (same < 2)
			rename_kernel(m, k);
		array_push(&m->kernels, same < 2 ? k->plain
		                        : *k->parameters
		                            ? arena_printf(m->arena, "%s%s%s", k->scope, k->plain, k->parameters)
		                            : k->symbol);
	}
	hash_index_free(&index);
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

/* only: of these alone, by number; NULL: all. */
static void list_kernels(const FeModule *m, const bool *only, Diag *d)
{
	Buf names = {0};
	for (u32 i = 0; i < m->kernels.n; i++) {
		const char *name = m->kernels.v[i], *quote = strpbrk(name, " (") ? "'" : "";
		if (!only || only[i])
			buf_printf(&names, "%s%s%s%s", names.n ? ", " : "", quote, name, quote);
	}
	diag_hint(d, "choose one with --kernel NAME: %s", names.v);
	array_free(&names);
}

/* Does the text have a kernel of that name (NULL: any), which the preprocessor left out? Says so. */
static bool is_left_out(const FeModule *m, const char *name, Diag *d)
{
	LeftOut o;
	Loc loc = {.file = m->user_path};
	if (name) { /* of C++: scope::name<int> */
		const char *own = name;
		size_t n = strcspn(name, "<(");
		for (const char *p = name; (p = strstr(p, "::")) && p < name + n;)
			own = p += 2;
		name = arena_strndup(m->arena, own, n - (size_t)(own - name));
	}
	if (!m->user_text || !left_out_find(m->user_text, m->build_options, name, m->arena, &o))
		return false;
	loc.line = o.line;
	loc.col = o.column;
	diag_error(d, loc, "kernel '%s' is not compiled: %s%s", o.name,
	           o.sure ? "it is left out by "
	                  : "one of the preprocessor conditions around it is false; the innermost is ",
	           o.what);
	diag_source(d, m->user_text);
	if (o.how)
		diag_hint(d, "%s", o.how);
	else if (m->kernels.n)
		list_kernels(m, NULL, d);
	return true;
}

bool fe_module_list(FeModule *m, Diag *d)
{
	take_instance(m);
	llvm_each_function(m->mod, f) {
		u32 width = vload_width(LLVMGetValueName(f));
		m->widest_vload = width > m->widest_vload ? width : m->widest_vload;
		if (is_kernel(f))
			array_push(&m->names, names_of(m, f));
	}
	name_kernels(m);
	if (m->kernels.n)
		return true;
	if (is_left_out(m, NULL, d))
		return false;
	diag_error(d, (Loc){.file = m->user_path}, "there is no kernel in this file");
	diag_hint(d, m->device && !m->spir
	                 ? "a kernel is a function declared `__global__ void name(…)`; a template is one with its "
	                   "arguments: --kernel 'name<float, 256>'"
	                 : "a kernel is a function declared `__kernel void name(…)`");
	return false;
}

/* ---- the choice ---- */

/* Does a text say that, but for blanks? What follows: *rest. */
static bool says(const char *given, const char *text, const char **rest)
{
	for (;; given++, text++) {
		given += strspn(given, " ");
		text += strspn(text, " ");
		if (!*text)
			break;
		if (*given != *text)
			return false;
	}
	*rest = given;
	return true;
}

/* Is it the name, or the instance, in that scope, with the parameters or without? */
static bool says_kernel(const char *given, const char *scope, const FeKernelName *k)
{
	const char *const own[] = {k->plain, k->instance};
	const char *rest, *behind;
	if (!says(given, scope, &given))
		return false;
	for (u32 i = 0; i < COUNT(own); i++)
		if (says(given, own[i], &rest) && (!*rest || (says(rest, k->parameters, &behind) && !*behind)))
			return true;
	return false;
}

typedef enum { BY_WHOLE_NAME, BY_NAME, BY_SYMBOL, WAYS } WayToName;

static bool is_named(const FeModule *m, u32 i, const char *given, WayToName way)
{
	const FeKernelName *k = &m->names.v[i];
	if (way == BY_WHOLE_NAME)
		return says_kernel(given + 2 * !strncmp(given, "::", 2), k->scope, k);
	if (way == BY_SYMBOL)
		return !strcmp(k->symbol, given) || !strcmp(k->mangled, given) ||
		       !strcmp(m->kernels.v[i], fe_plain_name(given));
	for (const char *s = k->scope; (s = strstr(s, "::"));)
		if (says_kernel(given, s += 2, k))
			return true;
	return false;
}

/* Which kernels have that name: of the ways to name one the first that fits any. Returns how many. */
static u32 find_kernels(const FeModule *m, const char *given, bool *found)
{
	u32 n = 0;
	for (u32 way = 0; way < WAYS && !n; way++)
		for (u32 i = 0; i < m->kernels.n; i++)
			n += found[i] = is_named(m, i, given, (WayToName)way);
	return n;
}

static bool choose(FeModule *m, const char *kernel, u32 *chosen, Diag *d)
{
	bool *found = ARENA_ARRAY(m->arena, bool, m->kernels.n);
	u32 n = find_kernels(m, kernel, found);
	Loc file = {.file = m->user_path};
	while (n == 1 && !found[*chosen])
		++*chosen;
	if (n > 1) {
		diag_error(d, file, "'%s' is the name of %u kernels in this file", kernel, n);
		list_kernels(m, found, d);
	} else if (!n && !is_left_out(m, kernel, d)) {
		const char *near = nearest_word(kernel, m->kernels.v, m->kernels.n);
		diag_error(d, file, "there is no kernel '%s' in this file%s%s%s", kernel,
		           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
		list_kernels(m, NULL, d);
	}
	return n == 1;
}

bool fe_module_select(FeModule *m, const char *kernel, Diag *d)
{
	if (!kernel && m->kernels.n > 1) {
		diag_error(d, (Loc){.file = m->user_path}, "there are %u kernels in this file", m->kernels.n);
		list_kernels(m, NULL, d);
		return false;
	}
	u32 i = 0;
	if (kernel && m->instance && strchr(kernel, '<'))
		kernel = m->instance;
	if (kernel && !choose(m, kernel, &i, d))
		return false;
	m->kernel_name = m->kernels.v[i];
	m->kernel_symbol = m->names.v[i].symbol;
	m->kernel_mangled = m->names.v[i].mangled;
	m->kernel = LLVMGetNamedFunction(m->mod, m->kernel_symbol);
	return kernel_args_read(m, d);
}
