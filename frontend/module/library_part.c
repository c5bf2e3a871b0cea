/* Parts of libraries, and those that this process keeps. */
#include "frontend/module/library_part.h"

#include "frontend/module/llvm.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>

#include <sys/stat.h>

void library_part_add(LibraryPart *p, Arena *a, const char *name) { array_push(&p->names, arena_strdup(a, name)); }
void library_part_free(LibraryPart *p) { array_free(&p->names); }

/* ---- making one ---- */

static void declare(LLVMModuleRef part, LLVMModuleRef whole, const char *name)
{
	LLVMValueRef f = llvm_function_named(whole, name);
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

static bool make(const LibraryPart *p, const char *path, Buf *out, char **why)
{
	LLVMContextRef own = LLVMContextCreate(); /* where types keep their names, and pointers their kind */
	LLVMContextSetDiagnosticHandler(own, on_message, why);
	LLVMModuleRef part = LLVMModuleCreateWithNameInContext("part", own), whole = llvm_read_file(own, path, why);
	bool good = whole && link_part(p, part, whole);
	if (good) {
		LLVMMemoryBufferRef written = LLVMWriteBitcodeToMemoryBuffer(part);
		buf_write(out, LLVMGetBufferStart(written), LLVMGetBufferSize(written));
		LLVMDisposeMemoryBuffer(written);
	}
	LLVMDisposeModule(part);
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
	struct stat st = {0};
	if (stat(path, &st))
		st = (struct stat){0};
	buf_printf(key, "%s\n%ju %ju %jd %jd %ld %jd %ld\n", path, (uintmax_t)st.st_dev, (uintmax_t)st.st_ino,
	           (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (intmax_t)st.st_ctim.tv_sec,
	           st.st_ctim.tv_nsec);
	buf_write(key, &p->before, sizeof p->before); /* and what is done with it */
	buf_write(key, &p->after, sizeof p->after);
	for (u32 i = 0; i < p->names.n; i++)
		buf_printf(key, "%s\n", p->names.v[i]);
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
