/* Compilers in children: see tool.h. The input need not be a file's, so everything goes through unnamed ones. */
#include "frontend/source/tool.h"

#include "base/temp.h"
#include "frontend/sandbox.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the command line ---- */

static bool begins_with_one(const char *word, const char *const *starts, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (!strncmp(word, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* Is the word behind it a part of it? */
static bool takes_word(const char *option)
{
	static const char *const all[] = {"-D", "-U", "-I", "-isystem", "-iquote", "-include"};
	for (u32 i = 0; i < COUNT(all); i++)
		if (!strcmp(option, all[i]))
			return true;
	return false;
}

/* before: the word before it. clang reads options from a file @NAME, wherever it stands. */
static bool is_allowed(const ToolOptions *o, const char *word, const char *before)
{
	if (*word != '-')
		return *word != '@' && takes_word(before);
	if (!strncmp(word, "-W", 2) && strchr(word, ','))
		return false; /* for another program */
	if (!strncmp(word, "-include-", 9))
		return false; /* what clang wrote before: code that its reader trusts */
	return begins_with_one(word, o->starts, o->nstarts);
}

/* Words of a text, at blanks that are not between quotes. */
bool tool_options(Tool *t, Arena *a, const char *text, const ToolOptions *o, Diag *d)
{
	Buf word = {0};
	const char *before = "";
	for (const char *s = text ? text : ""; *s;) {
		char quote = 0;
		word.n = 0;
		s += strspn(s, " \t\n");
		for (; *s && (quote || !strchr(" \t\n", *s)); s++) {
			if (quote ? *s == quote : *s == '"' || *s == '\'')
				quote = quote ? 0 : *s;
			else
				buf_write(&word, s, 1);
		}
		if (!word.n)
			continue;
		bool left_out = begins_with_one(word.v, o->left_out, o->nleft_out);
		if (!left_out && !is_allowed(o, word.v, before)) {
			diag_error(d, NO_LOC, "--build-options: wavesim does not give '%s' to %s", word.v, o->compiler);
			array_free(&word);
			return diag_hint(d, "%s", o->hint);
		}
		before = arena_strdup(a, word.v);
		if (!left_out)
			array_push(&t->words, before);
	}
	array_free(&word);
	return true;
}

/* In the child, the number of the unnamed file that gets them. */
enum { RULE_FD = 3 };

void tool_rule(Tool *t)
{
	static const char *const words[] = {"-MD", "-MT", "rule", "-MF", "/proc/self/fd/3"};
	for (u32 i = 0; i < COUNT(words); i++)
		array_push(&t->words, words[i]);
	t->rule = true;
}

const char *tool_folder_of(Arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (slash && *path == '@') /* else it would name a file of options */
		return arena_printf(a, "./%.*s", (int)(slash - path), path);
	return slash ? arena_strndup(a, path, slash == path ? 1 : (size_t)(slash - path)) : ".";
}

void tool_begin_file(Buf *text, const char *path)
{
	buf_printf(text, "#line 1 \"");
	for (; *path; path++)
		buf_printf(text, "%s%c", strchr("\\\"", *path) ? "\\" : "", *path);
	buf_printf(text, "\"\n");
}

/* ---- the program ---- */

typedef struct ToolWork {
	const Tool *tool;
	int in, out, log, rule; /* unnamed files */
} ToolWork;

static ChildLimits limits_of(const Tool *t)
{
	ChildLimits l = COMPILE_LIMITS;
	l.seconds = t->seconds ? t->seconds : l.seconds;
	return l;
}

static int tool_work(void *arg)
{
	const ToolWork *w = arg;
	sandbox_folder(w->tool->folder);
	child_limit(limits_of(w->tool), false);
	if (dup2(w->in, STDIN_FILENO) < 0 || dup2(w->out, STDOUT_FILENO) < 0 || dup2(w->log, STDERR_FILENO) < 0 ||
	    dup2(w->rule, RULE_FD) < 0)
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
	ToolWork w = {t, child_file("input"), child_file("output"), child_file("log"), child_file("rule")};
	Child c;
	size_t n;
	*out = (ToolEnd){0};
	bool ok = w.in >= 0 && w.out >= 0 && w.log >= 0 && w.rule >= 0 && write_bytes(w.in, input, size) &&
	          !lseek(w.in, 0, SEEK_SET) && child_start(&c, tool_work, tool_after, &w);
	if (ok) {
		out->end = child_wait(&c, limits_of(t).seconds * CHILD_PATIENCE);
		out->log = child_file_read(w.log, &n);
		out->out = child_file_read(w.out, &out->size);
		made_of(&out->made_of, t->path);
		if (t->rule) {
			char *rule = child_file_read(w.rule, &n);
			made_of_rule(&out->made_of, rule, t->folder);
			free(rule);
			w.rule = -1;
		}
		w.log = w.out = -1;
	} else {
		child_error(t->name, d);
		tool_after(&w);
	}
	for (u32 i = 0; i < 4; i++) {
		int fd = (int[]){w.in, w.out, w.log, w.rule}[i];
		if (fd >= 0)
			close(fd);
	}
	return ok;
}

void tool_end_free(ToolEnd *e)
{
	free(e->out);
	free(e->log);
	made_of_free(&e->made_of);
}

void tool_end_take(ToolEnd *e, Source *s)
{
	free(s->bitcode);
	s->bitcode = e->out;
	s->size = e->size;
	e->out = NULL;
}

bool tool_crashed(const ToolEnd *e) { return e->end.signal || strstr(e->log, "PLEASE submit a bug report"); }

bool tool_failed(const Tool *t, const ToolEnd *e, Loc at, Diag *d)
{
	if (e->end.timed_out) {
		diag_error(d, at, "compiling this file takes more than %u seconds of processor time",
		           child_limits(limits_of(t)).seconds);
		return diag_hint(d, "simplify the source");
	}
	char *fault = child_fault(false);
	const char *said = strncmp(e->log, "error: ", 7) ? e->log : e->log + 7;
	said = *said ? said : "no reason given";
	if (fault)
		diag_error(d, NO_LOC, "cannot run %s, which %s: %s", t->name, t->does, fault);
	else if (tool_crashed(e))
		diag_error(d, at, "%s crashed while it compiled this file", t->name);
	else
		diag_error(d, at, "the file does not compile: %.*s", (int)strcspn(said, "\n"), said);
	free(fault);
	return false;
}
