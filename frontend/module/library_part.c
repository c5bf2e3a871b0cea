/* Parts of libraries, and those that this process keeps. */
#include "frontend/module/library_part.h"

#include "frontend/module/llvm.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>

void library_part_add(LibraryPart *p, Arena *a, const char *name) { array_push(&p->names, arena_strdup(a, name)); }
void library_part_free(LibraryPart *p) { array_free(&p->names); }

/* ---- making one ---- */

static bool is_function(LLVMValueRef f)
{
	return f && LLVMGetTypeKind(LLVMGlobalGetValueType(f)) == LLVMFunctionTypeKind;
}

static void declare(LLVMModuleRef part, LLVMModuleRef from, const char *name)
{
	LLVMValueRef f = llvm_function_named(from, name);
	if (is_function(f) && !LLVMGetNamedFunction(part, name))
		LLVMAddFunction(part, name, LLVMGlobalGetValueType(f));
}

static void declare_variables(LLVMModuleRef part, LLVMModuleRef from)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(from); g; g = LLVMGetNextGlobal(g)) {
		LLVMLinkage how = LLVMGetLinkage(g);
		if (how != LLVMInternalLinkage && how != LLVMPrivateLinkage)
			LLVMAddGlobalInAddressSpace(part, LLVMGlobalGetValueType(g), LLVMGetValueName(g),
			                            LLVMGetPointerAddressSpace(LLVMTypeOf(g)));
	}
}

/* LLVM links such functions only where something refers to them. */
static void set_linkage(LLVMModuleRef mod, LLVMLinkage from, LLVMLinkage to)
{
	llvm_each_function(mod, f)
		if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == from)
			LLVMSetLinkage(f, to);
}

/* Without this LLVM ends the process. The first error is the reason. */
static void on_message(LLVMDiagnosticInfoRef message, void *context)
{
	char **why = context;
	if (LLVMGetDiagInfoSeverity(message) == LLVMDSError && !*why)
		*why = LLVMGetDiagInfoDescription(message);
}

/* Frees from. */
static bool link_part(const LibraryPart *p, LLVMModuleRef part, LLVMModuleRef from)
{
	LLVMSetTarget(part, LLVMGetTarget(from));
	LLVMSetDataLayout(part, LLVMGetDataLayoutStr(from));
	for (u32 i = 0; i < p->names.n; i++)
		declare(part, from, p->names.v[i]);
	if (p->on_demand) {
		declare_variables(part, from);
		set_linkage(from, LLVMExternalLinkage, LLVMLinkOnceODRLinkage);
	}
	if (LLVMLinkModules2(part, from))
		return false;
	if (p->on_demand)
		set_linkage(part, LLVMLinkOnceODRLinkage, LLVMExternalLinkage);
	return true;
}

static void write_module(LLVMModuleRef mod, Buf *out)
{
	LLVMMemoryBufferRef written = LLVMWriteBitcodeToMemoryBuffer(mod);
	buf_write(out, LLVMGetBufferStart(written), LLVMGetBufferSize(written));
	LLVMDisposeMemoryBuffer(written);
}

/* Is it worth an excerpt? */
static bool is_large(LLVMModuleRef mod)
{
	enum { MANY = 1000 };
	u32 n = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f && n < MANY; f = LLVMGetNextFunction(f))
		n++;
	return n == MANY;
}

/* From the file, of which more is wanted from now on than the excerpt has. */
static LLVMModuleRef open_library(const LibraryPart *p, const char *path, const Excerpt *e, LLVMContextRef own,
                                  char **why)
{
	LLVMModuleRef mod = llvm_read_file(own, path, why);
	if (!mod || !is_large(mod))
		return mod;
	ARRAY(const char *) more = {0};
	for (u32 i = 0; i < p->names.n; i++)
		if (is_function(llvm_function_named(mod, p->names.v[i])) && !(e && excerpt_has(e, p->names.v[i])))
			array_push(&more, p->names.v[i]);
	excerpt_want(path, p->on_demand, more.v, more.n);
	array_free(&more);
	return mod;
}

static bool make_from(const LibraryPart *p, LLVMContextRef own, LLVMModuleRef from, Buf *out)
{
	LLVMModuleRef part = LLVMModuleCreateWithNameInContext("part", own);
	bool good = from && link_part(p, part, from);
	if (good)
		write_module(part, out);
	LLVMDisposeModule(part);
	return good;
}

/* An excerpt that LLVM cannot read is as none. */
static bool make(const LibraryPart *p, const char *path, Buf *out, char **why)
{
	LLVMContextRef own = LLVMContextCreate(); /* where types keep their names, and pointers their kind */
	LLVMContextSetDiagnosticHandler(own, on_message, why);
	const Excerpt *e = excerpt_find(path, p->on_demand);
	bool good = e && excerpt_covers(e, p->names.v, p->names.n) &&
	            make_from(p, own, llvm_read_bytes(own, e->bytes, e->nbytes), out);
	if (!good) {
		LLVMDisposeMessage(*why);
		*why = NULL;
		good = make_from(p, own, open_library(p, path, e, own, why), out);
	}
	LLVMContextDispose(own);
	return good;
}

/* ---- those that are kept ---- */

typedef struct KeptPart {
	Buf key, bytes;
} KeptPart;

/* Of wavesim-helper, which has one thread. More than a run's builds ask for: a part of PoCL's library, and of each of
 * AMD's, for wavefronts of 32 lanes and 64. */
static KeptPart kept[16];
static u32 oldest;

/* The file as it is now, and what is wanted of it. */
static void write_key(const LibraryPart *p, const char *path, Buf *key)
{
	buf_line(key, "%s", path);
	excerpt_state(path, key);
	buf_line(key, " %d", p->on_demand);
	for (u32 i = 0; i < p->names.n; i++)
		buf_line(key, "%s", p->names.v[i]);
}

static const KeptPart *find(const Buf *key)
{
	for (u32 i = 0; i < COUNT(kept); i++)
		if (kept[i].key.n == key->n && !memcmp(kept[i].key.v, key->v, key->n))
			return &kept[i];
	return NULL;
}

/* In place of the oldest. */
static const KeptPart *keep(KeptPart new)
{
	KeptPart *k = &kept[oldest];
	oldest = (oldest + 1) % COUNT(kept);
	array_free(&k->key);
	array_free(&k->bytes);
	*k = new;
	return k;
}

const Buf *library_part_bytes(LibraryPart *p, const char *path, char **why)
{
	KeptPart new = {0};
	*why = NULL;
	array_sort(&p->names, by_text);
	write_key(p, path, &new.key);
	const KeptPart *k = find(&new.key);
	if (!k && make(p, path, &new.bytes, why))
		return &keep(new)->bytes;
	array_free(&new.key);
	return k ? &k->bytes : NULL;
}

LLVMModuleRef library_part_open(LibraryPart *p, LLVMContextRef context, const char *path, char **why)
{
	const Buf *bytes = library_part_bytes(p, path, why);
	return bytes ? llvm_read_bytes(context, (const u8 *)bytes->v, bytes->n) : NULL;
}

/* ---- excerpts ---- */

static int by_hash(const void *a, const void *b) { return ORDER(*(const u64 *)a, *(const u64 *)b); }

/* What functions a module defines or calls, and its aliases: llvm_function_named finds no other. */
static void hash_names(LLVMModuleRef mod, Arena *a, Excerpt *e)
{
	ARRAY(u64) all = {0};
	llvm_each_function(mod, f)
		array_push(&all, excerpt_hash(LLVMGetValueName(f)));
	for (LLVMValueRef g = LLVMGetFirstGlobalAlias(mod); g; g = LLVMGetNextGlobalAlias(g))
		array_push(&all, excerpt_hash(LLVMGetValueName(g)));
	array_sort(&all, by_hash);
	e->nall = all.n * sizeof *all.v;
	e->all = arena_copy(a, all.v, e->nall);
	array_free(&all);
}

static void add_names(LibraryPart *p, LLVMModuleRef mod, Arena *a, const char *const *names, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (is_function(llvm_function_named(mod, names[i])))
			library_part_add(p, a, names[i]);
}

/* Each once, by text. */
static void sort_names(LibraryPart *p)
{
	u32 n = 0;
	array_sort(&p->names, by_text);
	for (u32 i = 0; i < p->names.n; i++)
		if (!n || strcmp(p->names.v[n - 1], p->names.v[i]) != 0)
			p->names.v[n++] = p->names.v[i];
	p->names.n = n;
}

static bool make_excerpt(const ExcerptWant *w, Arena *a, Excerpt *out)
{
	char *why = NULL;
	Buf state = {0}, bytes = {0};
	LibraryPart p = {.on_demand = w->on_demand};
	const Excerpt *e = excerpt_find(w->path, w->on_demand);
	LLVMContextRef own = LLVMContextCreate();
	LLVMContextSetDiagnosticHandler(own, on_message, &why);
	excerpt_state(w->file, &state);
	*out = (Excerpt){.path = arena_strdup(a, w->path), .on_demand = w->on_demand};
	LLVMModuleRef whole = llvm_read_file(own, w->file, &why);
	bool large = whole && is_large(whole);
	if (large) {
		hash_names(whole, a, out);
		add_names(&p, whole, a, w->names, w->n);
		if (e && e->n + p.names.n <= EXCERPT_NAMES)
			add_names(&p, whole, a, e->names, e->n);
		sort_names(&p);
	}
	bool good = large && make_from(&p, own, whole, &bytes);
	if (whole && !large)
		LLVMDisposeModule(whole);
	out->names = arena_copy(a, p.names.v, p.names.n * sizeof *p.names.v);
	out->n = p.names.n;
	out->nbytes = bytes.n;
	out->bytes = arena_copy(a, bytes.v, bytes.n);
	out->state = buf_keep(&state, a);
	LLVMDisposeMessage(why);
	LLVMContextDispose(own);
	library_part_free(&p);
	array_free(&bytes);
	return good;
}

static bool is_wanted(const ExcerptWants *w, const Excerpt *e)
{
	bool is = false;
	for (u32 i = 0; i < w->n; i++)
		is |= w->v[i].on_demand == e->on_demand && !strcmp(w->v[i].path, e->path);
	return is;
}

Excerpts library_excerpts(const ExcerptWants *w, Arena *a)
{
	const Excerpts *old = excerpts_taken();
	Excerpts all = {.v = ARENA_ARRAY(a, Excerpt, w->n + old->n)};
	for (u32 i = 0; i < w->n; i++)
		all.n += w->v[i].file && make_excerpt(&w->v[i], a, &all.v[all.n]);
	for (u32 i = 0; i < old->n && all.n < EXCERPT_LIBRARIES; i++) /* unless their library has changed since */
		if (!is_wanted(w, &old->v[i]) && excerpt_find(old->v[i].path, old->v[i].on_demand) == &old->v[i])
			all.v[all.n++] = old->v[i];
	return all;
}
