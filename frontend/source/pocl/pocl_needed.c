/* PoCL reads its whole library of built-in functions, 23,000 of them, for each program that it builds: half of the time
 * of a run. What a program calls of them is known once it has been compiled here (pocl_library.c), so its native run
 * gets a library of these alone, in place of the file. PoCL refuses a program that calls another one; it then gets the
 * whole (pocl_work.c). */
#include "frontend/source/pocl/pocl_needed.h"

#include "base/child.h"
#include "frontend/module/llvm.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>

#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

/* ---- making it ---- */

/* Only where something refers to it is it linked. */
static void link_on_demand(LLVMModuleRef library)
{
	llvm_each_function(library, f)
		if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMExternalLinkage)
			LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
}

static void declare(LLVMModuleRef to, LLVMModuleRef library, const char *name)
{
	LLVMValueRef f = LLVMGetNamedFunction(library, name);
	if (f && !LLVMGetNamedFunction(to, name))
		LLVMAddFunction(to, name, LLVMGlobalGetValueType(f));
}

/* PoCL copies all variables into the program, and some of its passes look for them. */
static void declare_variables(LLVMModuleRef to, LLVMModuleRef library)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(library); g; g = LLVMGetNextGlobal(g)) {
		LLVMLinkage how = LLVMGetLinkage(g);
		if (how != LLVMInternalLinkage && how != LLVMPrivateLinkage)
			LLVMAddGlobalInAddressSpace(to, LLVMGlobalGetValueType(g), LLVMGetValueName(g),
			                            LLVMGetPointerAddressSpace(LLVMTypeOf(g)));
	}
}

static bool link_needed(LLVMModuleRef mod, LLVMModuleRef needed, LLVMModuleRef library)
{
	LLVMSetTarget(needed, LLVMGetTarget(library));
	LLVMSetDataLayout(needed, LLVMGetDataLayoutStr(library));
	declare_variables(needed, library);
	declare(needed, library, "printf"); /* PoCL looks at its type in any case */
	llvm_each_function(mod, f)
		if (LLVMIsDeclaration(f))
			declare(needed, library, LLVMGetValueName(f));
	link_on_demand(library);
	if (LLVMLinkModules2(needed, library)) /* frees library */
		return false;
	llvm_each_function(needed, f)
		if (LLVMGetLinkage(f) == LLVMLinkOnceODRLinkage)
			LLVMSetLinkage(f, LLVMExternalLinkage);
	return true;
}

/* Else LLVM ends the process. */
static void ignore(LLVMDiagnosticInfoRef message, void *context)
{
	(void)message;
	(void)context;
}

bool pocl_needed_make(FeModule *m, const char *library)
{
	LLVMContextRef own = LLVMContextCreate(); /* where types keep their names, and pointers their kind */
	LLVMContextSetDiagnosticHandler(own, ignore, NULL);
	LLVMModuleRef needed = LLVMModuleCreateWithNameInContext("needed", own);
	char *why;
	LLVMModuleRef whole = llvm_read_file(own, library, &why);
	LLVMDisposeMessage(why);
	if (whole && link_needed(m->mod, needed, whole)) {
		LLVMMemoryBufferRef written = LLVMWriteBitcodeToMemoryBuffer(needed);
		m->needed.n = LLVMGetBufferSize(written);
		m->needed.bytes = arena_copy(m->arena, LLVMGetBufferStart(written), m->needed.n);
		m->needed.whole = arena_strdup(m->arena, library);
		LLVMDisposeMemoryBuffer(written);
	}
	LLVMDisposeModule(needed);
	LLVMContextDispose(own);
	return m->needed.bytes != NULL;
}

/* ---- giving it to PoCL ---- */

static const FeNeeded *offered;
static bool taken;

void pocl_needed_offer(const FeNeeded *n)
{
	offered = n;
	taken = false;
}

bool pocl_needed_taken(void) { return taken; }

/* An unnamed file of it, at its beginning; -1: none. */
static int needed_file(const FeNeeded *n)
{
	int fd = child_file("library");
	if (fd < 0 || (write_bytes(fd, n->bytes, n->n) && !lseek(fd, 0, SEEK_SET)))
		return fd;
	close(fd);
	return -1;
}

/* LLVM opens files with this, which finds us before libc: executables come first. */
__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	bool creates = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
	mode_t mode = creates ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	if (offered && !(flags & O_ACCMODE) && !strcmp(path, offered->whole)) {
		int fd = needed_file(offered);
		taken |= fd >= 0;
		if (fd >= 0)
			return fd;
	}
	return openat(AT_FDCWD, path, flags, mode);
}
