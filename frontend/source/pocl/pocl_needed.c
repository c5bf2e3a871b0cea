/* PoCL reads its whole library of built-in functions, 23,000 of them, for each program that it builds: half of the time
 * of a run. What a program calls of them is known once it has been compiled here (pocl_library.c), so its native run
 * gets a library of these alone, in place of the file. PoCL refuses a program that calls another one; it then gets the
 * whole (pocl_work.c). */
#include "frontend/source/pocl/pocl_needed.h"

#include "base/child.h"
#include "frontend/module/library_part.h"
#include "frontend/module/llvm.h"

#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

/* ---- making it ---- */

bool pocl_needed_make(FeModule *m, const char *library)
{
	LibraryPart part = {.on_demand = true};
	char *why;
	library_part_add(&part, m->arena, "printf"); /* PoCL looks at its type in any case */
	llvm_each_function(m->mod, f)
		if (LLVMIsDeclaration(f))
			library_part_add(&part, m->arena, LLVMGetValueName(f));
	const Buf *bytes = library_part_bytes(&part, library, &why);
	LLVMDisposeMessage(why);
	if (bytes) {
		m->needed.bytes = arena_copy(m->arena, bytes->v, bytes->n);
		m->needed.n = bytes->n;
		m->needed.whole = arena_strdup(m->arena, library);
	}
	library_part_free(&part);
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
