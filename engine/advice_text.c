/* Texts of the program with a small change, to be compiled and tried. Lines stay where they are. */
#include "engine/advice.h"

#include "base/number.h"
#include "base/scan.h"
#include "engine/run.h"

static bool begins_with(const char *at, const char *end, const char *word)
{
	size_t n = strlen(word);
	return (size_t)(end - at) > n && !memcmp(at, word, n) && !scan_is_word(at[n]);
}

/* Where a line begins; *before: the one before it, or itself. NULL: there are fewer. */
static const char *line_begin(const char *text, u32 line, const char **before)
{
	const char *at = text;
	*before = text;
	for (u32 i = 1; i < line && at; i++) {
		*before = at;
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return at;
}

/* Where the statement of a loop begins; *before: the line before it. NULL: none begins there. */
static const char *loop_begin(const char *text, const SrcLoc *loop, const char **before)
{
	const char *at = line_begin(text, loop->line, before);
	const char *end = at ? strchrnul(at, '\n') : NULL;
	if (!at || !loop->col || loop->col > (size_t)(end - at))
		return NULL;
	at += loop->col - 1;
	return begins_with(at, end, "for") || begins_with(at, end, "while") ? at : NULL;
}

char *text_unrolled(const char *text, const SrcLoc *loop)
{
	const char *before, *at = loop_begin(text, loop, &before);
	if (!at || memmem(before, (size_t)(strchrnul(at, '\n') - before), "unroll", 6))
		return NULL;
	Buf out = {0};
	buf_printf(&out, "%.*s_Pragma(\"unroll " ADVICE_UNROLL "\") %s", (int)(at - text), text, at);
	return out.v;
}

char *text_flattened(const char *text, const SrcLoc *const *loops, u32 n)
{
	char *own = NULL;
	for (u32 i = 0; i < n; i++) {
		const char *from = own ? own : text, *before, *at = loop_begin(from, loops[i], &before);
		if (!at)
			continue;
		Buf out = {0};
		bool says = memmem(before, (size_t)(at - before), "#pragma unroll", 14);
		const char *end = says ? strchr(before, '\n') : at;
		buf_printf(&out, "%.*s%.*s_Pragma(\"unroll\") %s", (int)((says ? before : at) - from), from,
		           (int)(at - end), end, at);
		free(own);
		own = out.v;
	}
	return own;
}

/* The parameters of a function that begins at a line: behind the first parenthesis after its name. */
static const char *parameters(const char *text, const char *name, u32 line)
{
	const char *before, *at = line ? line_begin(text, line, &before) : NULL;
	size_t n = strlen(name);
	for (at = at ? strstr(at, name) : NULL; at; at = strstr(at + 1, name)) {
		const char *next = at + n + strspn(at + n, " \t\n");
		if (*next == '(' && (at == text || !scan_is_word(at[-1])))
			return next + 1;
	}
	return NULL;
}

char *text_restrict(const char *text, const char *kernel)
{
	const char *at = parameters(text, kernel, source_kernel_line(text, kernel));
	if (!at)
		return NULL;
	Buf out = {0};
	u32 depth = 1, added = 0;
	buf_printf(&out, "%.*s", (int)(at - text), text);
	for (; *at && *at != '{' && depth; at++) {
		const char *next = at + 1 + strspn(at + 1, " \t\n"), *end = next + strlen(next);
		depth = *at == '(' ? depth + 1 : *at == ')' ? depth - 1 : depth;
		buf_printf(&out, "%c", *at);
		if (*at != '*' || *next == '*' || begins_with(next, end, "restrict") ||
		    begins_with(next, end, "__restrict") || begins_with(next, end, "__restrict__"))
			continue;
		buf_printf(&out, " __restrict ");
		added++;
	}
	buf_printf(&out, "%s", at);
	if (added && !depth)
		return out.v;
	free(out.v);
	return NULL;
}

const char *advice_word(const Advisor *a, u32 loc, size_t *n)
{
	const SrcLoc *at = program_place(a->in->program, loc);
	u32 length = 0;
	const char *line = at ? result_source_line(&a->r->sources[at->file], at->line, &length) : NULL;
	const char *word = line && at->col && at->col <= length ? line + at->col - 1 : "";
	*n = scan_word(word);
	return word;
}

const char *advice_source(const Advisor *a, const SrcLoc *at)
{
	const ResultSource *source = at ? &a->r->sources[at->file] : NULL;
	const EngineRun *run = a->in->more;
	bool own = source && source->text && run->text && !strcmp(source->text, run->text);
	return own ? run->text : NULL;
}

TrialOutcome advice_try_text(Advisor *a, char *text, double most_us, TrialCost *cost)
{
	TrialOutcome out = text ? advice_try(a, &(Trial){.text = text, .most_us = most_us}, cost) : TRIAL_UNKNOWN;
	free(text);
	return out;
}
