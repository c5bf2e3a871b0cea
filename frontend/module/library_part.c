/* Parts of libraries, and those that this process keeps. */
#include "frontend/module/library_part.h"

#include "frontend/module/llvm.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>

#include <sys/stat.h>
#include <unistd.h>

void library_part_add(LibraryPart *p, Arena *a, const char *name) { array_push(&p->names, arena_strdup(a, name)); }
void library_part_free(LibraryPart *p) { array_free(&p->names); }

/* ---- making one ---- */

static void declare(LLVMModuleRef part, LLVMModuleRef whole, const char *name)
{
	LLVMValueRef f = LLVMGetNamedFunction(whole, name);
	f = f ? f : LLVMGetNamedGlobalAlias(whole, name, strlen(name));
	if (f && LLVMGetTypeKind(LLVMGlobalGetValueType(f)) == LLVMFunctionTypeKind &&
	    !LLVMGetNamedFunction(part, name))
		LLVMAddFunction(part, name, LLVMGlobalGetValueType(f));
}

/* Without this LLVM ends the process. The first error is the reason. */
static void on_message(LLVMDiagnosticInfoRef message, void *context)
{
	char **why = context;
	if (LLVMGetDiagInfoSeverity(message) == LLVMDSError && !*why)
		*why = LLVMGetDiagInfoDescription(message);
}

static bool link_part(const LibraryPart *p, LLVMModuleRef part, LLVMModuleRef whole)
{
	LLVMSetTarget(part, LLVMGetTarget(whole));
	LLVMSetDataLayout(part, LLVMGetDataLayoutStr(whole));
	for (u32 i = 0; i < p->names.n; i++)
		declare(part, whole, p->names.v[i]);
	if (p->before)
		p->before(part, whole);
	if (LLVMLinkModules2(part, whole)) /* frees whole */
		return false;
	if (p->after)
		p->after(part);
	return true;
}

static u8 *make(const LibraryPart *p, const char *path, u64 *n, char **why)
{
	LLVMContextRef own = LLVMContextCreate(); /* where types keep their names, and pointers their kind */
	LLVMContextSetDiagnosticHandler(own, on_message, why);
	LLVMModuleRef part = LLVMModuleCreateWithNameInContext("part", own), whole = llvm_read_file(own, path, why);
	u8 *bytes = NULL;
	if (whole && link_part(p, part, whole)) {
		LLVMMemoryBufferRef written = LLVMWriteBitcodeToMemoryBuffer(part);
		*n = LLVMGetBufferSize(written);
		bytes = memcpy(xmalloc(*n), LLVMGetBufferStart(written), *n);
		LLVMDisposeMemoryBuffer(written);
	}
	LLVMDisposeModule(part);
	LLVMContextDispose(own);
	return bytes;
}

/* ---- those that are kept ---- */

typedef struct KeptPart {
	Buf key;
	u8 *bytes;
	u64 n;
} KeptPart;

/* A run's builds ask for these: of PoCL's library, and of AMD's three, for a wavefront of 32 lanes and of 64. */
enum { MOST_KEPT = 16, MOST_BYTES = 4 << 20 };
static KeptPart kept[MOST_KEPT];
static u32 oldest;

/* The file as it is now, and what is wanted of it. */
static void write_key(const LibraryPart *p, const char *path, Buf *key)
{
	struct stat st = {0};
	if (stat(path, &st))
		st = (struct stat){0};
	buf_printf(key, "%s\n%ju %ju %jd %jd %ld\n", path, (uintmax_t)st.st_dev, (uintmax_t)st.st_ino,
	           (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	for (u32 i = 0; i < p->names.n; i++)
		buf_printf(key, "%s\n", p->names.v[i]);
}

static const KeptPart *find(const Buf *key)
{
	for (u32 i = 0; i < MOST_KEPT; i++)
		if (kept[i].key.n == key->n && !memcmp(kept[i].key.v, key->v, key->n))
			return &kept[i];
	return NULL;
}

static u8 *copy(const u8 *bytes, u64 n) { return memcpy(xmalloc(n), bytes, n); }

/* In place of the oldest. */
static void keep(Buf *key, const u8 *bytes, u64 n)
{
	KeptPart *k = &kept[oldest];
	if (n > MOST_BYTES)
		return;
	oldest = (oldest + 1) % MOST_KEPT;
	array_free(&k->key);
	free(k->bytes);
	*k = (KeptPart){.key = *key, .bytes = copy(bytes, n), .n = n};
	*key = (Buf){0};
}

u8 *library_part_bytes(LibraryPart *p, const char *path, u64 *n, char **why)
{
	Buf key = {0};
	*why = NULL;
	*n = 0;
	array_sort(&p->names, by_text);
	write_key(p, path, &key);
	const KeptPart *k = find(&key);
	u8 *bytes = k ? copy(k->bytes, k->n) : make(p, path, n, why);
	if (k)
		*n = k->n;
	else if (bytes)
		keep(&key, bytes, *n);
	array_free(&key);
	return bytes;
}

/* Was this process forked off by one that has parts? It ends before it could use again what it makes. */
static bool is_forked(void)
{
	static pid_t first;
	first = first ? first : getpid();
	return first != getpid();
}

LLVMModuleRef library_part_open(LibraryPart *p, LLVMContextRef context, const char *path, char **why)
{
	u64 n;
	if (is_forked())
		return llvm_read_file(context, path, why);
	u8 *bytes = library_part_bytes(p, path, &n, why);
	LLVMModuleRef part = bytes ? llvm_read_bytes(context, bytes, n) : NULL;
	free(bytes);
	return part;
}
