/* Compilers in children: see tool.h. The input need not be a file's, so everything goes through unnamed ones. */
#include "frontend/source/tool.h"

#include "base/temp.h"
#include "frontend/sandbox.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct ToolWork {
	const Tool *tool;
	int in, out, log; /* unnamed files */
} ToolWork;

static int tool_work(void *arg)
{
	const ToolWork *w = arg;
	sandbox_folder(w->tool->folder);
	child_limit(COMPILE_LIMITS, false);
	if (dup2(w->in, STDIN_FILENO) < 0 || dup2(w->out, STDOUT_FILENO) < 0 || dup2(w->log, STDERR_FILENO) < 0)
		return 1;
	execv(w->tool->path, (char **)(uintptr_t)w->tool->words.v);
	return 1;
}

static void tool_after(void *arg)
{
	const ToolWork *w = arg;
	if (*w->tool->folder)
		temp_remove(w->tool->folder);
}

bool tool_run(const Tool *t, const void *input, size_t size, ToolEnd *out, Diag *d)
{
	ToolWork w = {t, child_file("input"), child_file("output"), child_file("log")};
	Child c;
	size_t n;
	*out = (ToolEnd){0};
	bool ok = w.in >= 0 && w.out >= 0 && w.log >= 0 && write_bytes(w.in, input, size) && !lseek(w.in, 0, SEEK_SET) &&
	          child_start(&c, tool_work, tool_after, &w);
	if (ok) {
		out->end = child_wait(&c, COMPILE_LIMITS.seconds * CHILD_PATIENCE);
		out->log = child_file_read(w.log, &n);
		out->out = child_file_read(w.out, &out->size);
		w.log = w.out = -1;
	} else {
		tool_after(&w);
		child_error(t->name, d);
	}
	for (u32 i = 0; i < 3; i++) {
		int fd = (int[]){w.in, w.out, w.log}[i];
		if (fd >= 0)
			close(fd);
	}
	return ok;
}

bool tool_crashed(const ToolEnd *e) { return e->end.signal || strstr(e->log, "PLEASE submit a bug report"); }

bool tool_failed(const Tool *t, const ToolEnd *e, Loc at, Diag *d)
{
	if (e->end.timed_out) {
		diag_error(d, at, "compiling this file takes more than %u seconds of processor time",
		           child_limits(COMPILE_LIMITS).seconds);
		return diag_hint(d, "simplify the source");
	}
	char *fault = child_fault(false);
	const char *said = strncmp(e->log, "error: ", 7) ? e->log : e->log + 7;
	if (fault)
		diag_error(d, NO_LOC, "cannot run %s, which %s: %s", t->name, t->does, fault);
	else if (tool_crashed(e))
		diag_error(d, at, "%s crashed while it compiled this file", t->name);
	else
		diag_error(d, at, "the file does not compile: %.*s", (int)strcspn(said, "\n"), *said ? said : "no reason given");
	free(fault);
	return false;
}
