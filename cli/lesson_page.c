/* Read a lesson's page and fill in its numbers: see lesson.h. */
#include "cli/lesson.h"

#include "base/scan.h"

#include <ctype.h>
#include <errno.h>

static Loc place(const LessonPage *p, const char *at)
{
	Loc loc = {p->path, 1, 1};
	for (const char *c = p->text; c < at; c++) {
		loc.col++;
		if (*c == '\n')
			loc = (Loc){p->path, loc.line + 1, 1};
	}
	return loc;
}

static bool fault(const LessonPage *p, const char *at, const char *what, Diag *d)
{
	diag_error(d, place(p, at), "%s", what);
	return diag_source(d, p->text);
}

static bool read_run(LessonPage *p, const char *at, const char *end, Diag *d)
{
	const char *name = at + strspn(at, " "), *colon = memchr(name, ':', (size_t)(end - name));
	if (!colon || colon == name)
		return fault(p, at, "a run has a name, a colon, a file and options", d);
	const char *words = colon + 1 + strspn(colon + 1, " ");
	LessonRun r = {.name = arena_strndup(p->arena, name, (size_t)(colon - name)),
	               .words = arena_strndup(p->arena, words, (size_t)(end - words)),
	               .loc = place(p, words)};
	array_push(&p->runs, r);
	return true;
}

bool lesson_page_read(LessonPage *p, const char *path, Diag *d)
{
	char *text = read_file(path, NULL);
	*p = (LessonPage){0};
	if (!text)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", path, strerror(errno));
	bool ok = lesson_page_parse(p, path, text, d);
	free(text);
	return ok;
}

bool lesson_page_parse(LessonPage *p, const char *path, const char *text, Diag *d)
{
	*p = (LessonPage){.arena = arena_new()};
	p->text = arena_strdup(p->arena, text);
	p->path = arena_strdup(p->arena, path);
	const char *slash = strrchr(path, '/');
	p->folder = slash ? arena_strndup(p->arena, path, (size_t)(slash - path)) : ".";
	const char *head = p->text + strspn(p->text, "# ");
	p->title = arena_strndup(p->arena, head, strcspn(head, "\n"));
	for (const char *at = p->text; (at = strstr(at, "<!--run ")); at += 4) {
		const char *end = strstr(at, "-->");
		if (!end)
			return fault(p, at, "this comment has no end", d);
		if (!read_run(p, at + 8, end, d))
			return false;
	}
	return true;
}

void lesson_page_free(LessonPage *p)
{
	array_free(&p->runs);
	if (p->arena)
		arena_free(p->arena);
}

/* ---- expressions ---- */

typedef struct LessonExpression {
	const LessonPage *page;
	LessonFill *f;
	const char *at, *end;
	Diag *d;
} LessonExpression;

/* A number, or RUN:PATH. */
static bool operand(LessonExpression *e, ResultValue *out)
{
	size_t n = 0;
	bool bracket = false;
	while (e->at + n < e->end && (bracket || !strchr("*/+ ", e->at[n]))) {
		bracket = e->at[n] == '[' || (bracket && e->at[n] != ']');
		n++;
	}
	char *word = arena_strndup(e->page->arena, e->at, n), *colon = strchr(word, ':');
	const char *start = e->at;
	e->at += n;
	*out = (ResultValue){0};
	if (!colon) {
		if (parse_f64(word, &out->number))
			return true;
		return fault(e->page, start, "neither a number nor RUN:PATH", e->d);
	}
	*colon = 0;
	switch (e->f->ask(e->f->ctx, word, colon + 1, out)) {
	case LESSON_GOOD: return true;
	case LESSON_NO_VALUE:
		return fault(e->page, start, "the page has no such run, or its report no such value", e->d);
	case LESSON_FAILED: break;
	}
	return fault(e->page, start, "this run failed", e->d);
}

static bool evaluate(LessonExpression *e, ResultValue *out)
{
	if (!operand(e, out))
		return false;
	while (e->at < e->end) {
		char op = *e->at++;
		ResultValue v;
		if (!operand(e, &v))
			return false;
		if (out->text || v.text)
			return fault(e->page, e->at, "words cannot be calculated with", e->d);
		out->number = op == '*' ? out->number * v.number : op == '/' ? out->number / v.number
		                                                             : out->number + v.number;
	}
	return true;
}

/* The value in the form of what the page says. */
static void put_like(const char *like, const ResultValue *v, Buf *out)
{
	char digits[400];
	if (v->text) {
		buf_printf(out, "%s", v->text);
		return;
	}
	const char *dot = strchr(like, '.');
	int n = snprintf(digits, sizeof digits, "%.*f", dot ? (int)strlen(dot + 1) : 0, v->number);
	int whole = (int)strcspn(digits, ".");
	for (int i = 0; i < n; i++) {
		if (strchr(like, ',') && i && i < whole && (whole - i) % 3 == 0 && digits[i - 1] != '-')
			buf_printf(out, ",");
		buf_printf(out, "%c", digits[i]);
	}
}

static double number_of(const char *text)
{
	char digits[64];
	u32 n = 0;
	for (; *text && n + 1 < sizeof digits; text++)
		if (*text != ',')
			digits[n++] = *text;
	digits[n] = 0;
	return strtod(digits, NULL);
}

/* ---- the page ---- */

/* Bytes at the end of out that the marker behind them is about: a number, or a word. */
static u32 marked(const Buf *out)
{
	u32 n = 0, word = 0;
	while (n < out->n && (isdigit((u8)out->v[out->n - 1 - n]) || strchr(".,", out->v[out->n - 1 - n])))
		n++;
	while (word < out->n && scan_is_word((char)out->v[out->n - 1 - word]))
		word++;
	return word > n ? word : n;
}

/* at: behind "<!--=", end: of the comment. */
static bool fill_one(const LessonPage *p, LessonFill *f, const char *at, const char *end, Buf *out, Diag *d)
{
	u32 n = marked(out);
	if (!n)
		return fault(p, at, "no number stands in front of this", d);
	char *old = arena_strndup(p->arena, out->v + out->n - n, n);
	bool about = *at == '~';
	LessonExpression e = {.page = p, .f = f, .at = at + about, .end = end, .d = d};
	ResultValue v = {0};
	if (!evaluate(&e, &v))
		return false;
	Buf now = {0};
	put_like(old, &v, &now);
	double was = number_of(old);
	bool near = about && !v.text && was > 0 && v.number / was < 1.1 && was / v.number < 1.1;
	if (strcmp(old, now.v) != 0) {
		out->n -= n;
		buf_printf(out, "%s", now.v);
		f->differ += !near;
		if (f->strict && !near) {
			diag_error(d, place(p, at), "the page says %s, the run %s", old, now.v);
			diag_source(d, p->text);
		}
	}
	array_free(&now);
	return true;
}

/* Is this digit one that needs an origin? Those in code, tables, links and names do not. */
static bool needs_origin(const LessonPage *p, const char *at)
{
	const char *line = at, *end = at;
	while (line > p->text && line[-1] != '\n')
		line--;
	if (*line == '|' || *line == '#' || !strncmp(line, "    ", 4))
		return false;
	u32 ticks = 0;
	for (const char *c = line; c < at; c++)
		ticks += *c == '`';
	if (ticks % 2 || (at > line && (isalnum((u8)at[-1]) || strchr("._", at[-1]))))
		return false;
	while (isdigit((u8)*end) || ((*end == ',' || *end == '.') && isdigit((u8)end[1])))
		end++;
	return strncmp(end, "<!--=", 5) != 0;
}

static bool shows_run(const char *head) { return !strncmp(head + strspn(head, "# "), "What the run shows", 18); }

bool lesson_fill(const LessonPage *p, LessonFill *f, Buf *out, Diag *d)
{
	bool due = false, good = true;
	buf_printf(out, "%s", "");
	for (const char *at = p->text; *at;) {
		bool starts = at == p->text || at[-1] == '\n';
		if (starts && *at == '#')
			due = shows_run(at);
		if (strncmp(at, "<!--", 4) != 0) {
			if (f->strict && due && isdigit((u8)*at) && (at == p->text || !isdigit((u8)at[-1])) &&
			    needs_origin(p, at) && !(at > p->text && strchr(",.", at[-1]) && isdigit((u8)at[-2])))
				good = fault(p, at, "where does this number come from?", d);
			buf_write(out, at++, 1);
			continue;
		}
		const char *end = strstr(at, "-->");
		if (!end)
			return fault(p, at, "this comment has no end", d);
		if (at[4] == '=' && !fill_one(p, f, at + 5, end, out, d))
			return false;
		buf_write(out, at, (size_t)(end + 3 - at));
		at = end + 3;
	}
	buf_write(out, "", 1);
	out->n--;
	return good;
}
