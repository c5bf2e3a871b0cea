/* Whether the source asks that a loop is not unrolled: PoCL has clang forbid it for each loop without a hint of its
 * own. */
#include "frontend/retarget/unroll.h"

#include "base/scan.h"
#include "frontend/retarget/loops.h"

#include <llvm-c/DebugInfo.h>

/* A source without its comments: blanks stand there. */
typedef struct HintSource {
	const char *file, *text; /* text: NULL: it cannot be read */
} HintSource;

typedef struct HintSources {
	FeModule *m;
	ARRAY(HintSource) known;
} HintSources;

static void blank_comments(char *text)
{
	SrcStep step;
	for (const char *p = text; source_next(&p, &step);)
		for (size_t i = 0; step.kind == SRC_COMMENT && i < step.n; i++) {
			char *c = text + (step.at - text) + i;
			*c = *c == '\n' ? '\n' : ' ';
		}
}

static const char *text_of(HintSources *s, const char *file)
{
	FeModule *m = s->m;
	for (u32 i = 0; i < s->known.n; i++)
		if (!strcmp(s->known.v[i].file, file))
			return s->known.v[i].text;
	const char *given = m->user_path && !strcmp(file, m->user_path) ? m->user_text
	                    : m->src ? source_text(m->src, m->user_path, file, m->arena) : NULL;
	char *text = given ? xstrdup(given) : m->src ? NULL : read_regular_file(file, NULL);
	if (text)
		blank_comments(text);
	array_push(&s->known, ((HintSource){file, arena_strdup(m->arena, text)}));
	free(text);
	return s->known.v[s->known.n - 1].text;
}

static const char *line_start(const char *text, const char *at)
{
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

static bool contains(const char *at, size_t n, const char *word)
{
	size_t length = strlen(word);
	for (size_t i = 0; i + length <= n; i++)
		if (!strncasecmp(at + i, word, length))
			return true;
	return false;
}

/* Is one of the first n of these at p? Loops are first. */
enum { LOOPS = 3, STATEMENTS = 6 };
static bool is_statement(const char *p, u32 n)
{
	static const char *const words[STATEMENTS] = {"for", "while", "do", "if", "else", "switch"};
	size_t length = scan_word(p);
	for (u32 i = 0; i < n; i++)
		if (strlen(words[i]) == length && !strncmp(p, words[i], length))
			return true;
	return false;
}

/* Behind the word at p and what follows it in parentheses. */
static const char *behind_condition(const char *p, const char *end)
{
	p += scan_word(p);
	p += strspn(p, " \t");
	for (u32 depth = 0; p < end; p++) {
		depth += *p == '(';
		if (!depth || (*p == ')' && !--depth))
			return p + (*p == ')');
	}
	return end;
}

/* What stands there before a loop, behind all other statements. */
static const char *behind_statements(const char *at, const char *end)
{
	for (const char *p = at; p < end;) {
		size_t word = scan_word(p);
		if (*p == '=')
			at = p += strcspn(p, ";\n");
		else if (strchr(";:{}", *p))
			at = ++p;
		else if (is_statement(p, STATEMENTS))
			at = p = behind_condition(p, end);
		else
			p += word ? word : 1;
	}
	return at < end ? at : end;
}

/* Does the source speak of unrolling where hints of the loop at a line and column stand: before it in its line, in
 * pragmas and attributes above, or in a line above that is no statement, a macro maybe? */
static bool speaks_of_unrolling(const char *text, u32 line, u32 column)
{
	static const char word[] = "unroll", attribute[] = "__attribute__";
	const char *at = text;
	for (u32 i = 1; at && i < line; i++) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return false;
	size_t n = strcspn(at, "\n"), before = column && column - 1 < n ? column - 1 : 0;
	const char *end = at + before, *rest = behind_statements(at, end);
	if (!is_statement(end, LOOPS)) /* a macro that makes it */
		end = at + n;
	if (contains(rest, (size_t)(end - rest), word))
		return true;
	while (rest == at && at > text) {
		rest = at = line_start(text, at - 1);
		n = strcspn(at, "\n");
		size_t blank = strspn(at, " \t");
		bool directive = at[blank] == '#';
		if (at[blank + strspn(at + blank, "\r")] == '\n' || (directive && !contains(at, n, "pragma")))
			continue;
		if (!directive)
			rest = behind_statements(at, at + n);
		if (contains(rest, n - (size_t)(rest - at), word))
			return true;
		if (!directive && strncmp(at + blank, attribute, sizeof attribute - 1) != 0)
			return false;
	}
	return false;
}

static bool is_hinted(HintSources *s, LLVMValueRef node)
{
	LLVMValueRef start = llvm_operand(node, 1);
	if (!llvm_is_node(start, LLVMDILocationMetadataKind))
		return false;
	LLVMMetadataRef at = LLVMValueAsMetadata(start), file = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
	const char *name = file ? fe_file(s->m, file) : NULL;
	if (!name)
		return false;
	Loc loc = fe_physical(s->m, (Loc){name, LLVMDILocationGetLine(at), LLVMDILocationGetColumn(at)});
	const char *text = text_of(s, loc.file);
	return text && speaks_of_unrolling(text, loc.line, loc.col);
}

void unroll_allow(FeModule *m)
{
	static const char forbidden[] = "llvm.loop.unroll.disable";
	HintSources sources = {.m = m};
	llvm_each_function(m->mod, fn)
		for (LLVMBasicBlockRef b = LLVMGetSubprogram(fn) ? LLVMGetFirstBasicBlock(fn) : NULL; b;
		     b = LLVMGetNextBasicBlock(b)) {
			LLVMValueRef branch = LLVMGetBasicBlockTerminator(b);
			if (branch && loop_says(m, branch, forbidden) && !is_hinted(&sources, loop_node(m, branch)))
				loop_change(m, branch, forbidden, NULL);
		}
	array_free(&sources.known);
}
