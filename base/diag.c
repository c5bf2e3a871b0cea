/* Collect and print messages about the user's input. */
#include "base/diag.h"

void diag_init(Diag *d) { memset(d, 0, sizeof *d); }

static void free_message(const DiagMsg *m)
{
	free((char *)m->loc.file);
	free(m->text);
	free(m->hint);
	free(m->source);
}

void diag_free(Diag *d)
{
	for (u32 i = 0; i < d->msgs.n; i++)
		free_message(&d->msgs.v[i]);
	array_free(&d->msgs);
	d->errors = d->lost = 0;
}

static void push(Diag *d, DiagMsg m)
{
	if (d->lost)
		free_message(&d->msgs.v[--d->msgs.n]);
	d->lost += d->msgs.n == DIAG_MOST;
	array_push(&d->msgs, m);
	d->errors += m.level == DIAG_ERROR;
}

bool diag_vadd(Diag *d, DiagLevel level, Loc loc, const char *fmt, va_list ap)
{
	Buf text = {0};
	buf_vprintf(&text, fmt, ap);
	loc.file = xstrdup(loc.file);
	push(d, (DiagMsg){.level = level, .loc = loc, .text = text.v});
	return false;
}

bool diag_add(Diag *d, DiagLevel level, Loc loc, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	diag_vadd(d, level, loc, fmt, ap);
	va_end(ap);
	return false;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

bool diag_has(const Diag *d, DiagLevel level, Loc loc, const char *text, size_t n)
{
	for (u32 i = 0; i < d->msgs.n; i++) {
		const DiagMsg *m = &d->msgs.v[i];
		if (m->level == level && m->loc.line == loc.line && m->loc.col == loc.col &&
		    same_text(m->loc.file, loc.file) && strlen(m->text) == n && !memcmp(m->text, text, n))
			return true;
	}
	return false;
}

static void push_copy(Diag *d, const DiagMsg *from)
{
	DiagMsg m = *from;
	m.loc.file = xstrdup(m.loc.file);
	m.text = xstrdup(m.text);
	m.hint = xstrdup(m.hint);
	m.source = xstrdup(m.source);
	push(d, m);
}

void diag_join_warnings(Diag *d, const Diag *from)
{
	for (u32 i = 0; i < from->msgs.n; i++) {
		const DiagMsg *m = &from->msgs.v[i];
		if (m->level == DIAG_WARNING && !diag_has(d, m->level, m->loc, m->text, strlen(m->text)))
			push_copy(d, m);
	}
}

static int by_place(const void *va, const void *vb)
{
	const DiagMsg *a = va, *b = vb;
	int order = strcmp(a->loc.file ? a->loc.file : "", b->loc.file ? b->loc.file : "");
	if (!order)
		order = a->loc.line != b->loc.line ? (a->loc.line < b->loc.line ? -1 : 1)
		                                   : (a->loc.col > b->loc.col) - (a->loc.col < b->loc.col);
	return order ? order : strcmp(a->text, b->text);
}

void diag_sort(Diag *d) { array_sort(&d->msgs, by_place); }

void diag_join(Diag *d, const Diag *from)
{
	u32 errors = d->errors + from->errors;
	for (u32 i = 0; i < from->msgs.n; i++)
		push_copy(d, &from->msgs.v[i]);
	d->lost += from->lost > 1 ? from->lost - 1 : 0; /* the last one is there */
	d->errors = errors;
}

bool diag_hint(Diag *d, const char *fmt, ...)
{
	Buf text = {0};
	va_list ap;
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	DiagMsg *m = &d->msgs.v[d->msgs.n - 1];
	free(m->hint);
	m->hint = text.v;
	return false;
}

bool diag_near(Diag *d, const char *quote, const char *word, const char *const *candidates, u32 n)
{
	const char *near = nearest_word(word, candidates, n);
	if (near)
		diag_hint(d, "did you mean %s%s%s?", quote, near, quote);
	return near != NULL;
}

/* A byte of UTF-8 that no character begins with. */
static bool inside_character(char c) { return ((u8)c & 0xC0) == 0x80; }

bool diag_source_line(Diag *d, const char *text, u32 line)
{
	enum { WIDTH = 400 }; /* of a line that is longer, so much around the column */
	DiagMsg *m = &d->msgs.v[d->msgs.n - 1];
	if (d->lost)
		return false;
	for (u32 i = 1; i < line; i++) {
		text = strchr(text, '\n');
		if (!text)
			return false;
		text++;
	}
	size_t n = strcspn(text, "\r\n");
	m->from = n > WIDTH && m->loc.col > WIDTH / 2 && m->loc.col <= n ? m->loc.col - WIDTH / 2 : 0;
	while (m->from && m->from + 1 < m->loc.col && inside_character(text[m->from]))
		m->from++;
	size_t end = n - m->from < WIDTH ? n : m->from + WIDTH;
	while (end < n && end > m->from && inside_character(text[end]))
		end--;
	n = end - m->from;
	free(m->source);
	m->source = xmalloc(n + 1);
	memcpy(m->source, text + m->from, n);
	m->source[n] = 0;
	m->line = line;
	return false;
}

bool diag_source(Diag *d, const char *text) { return diag_source_line(d, text, d->msgs.v[d->msgs.n - 1].loc.line); }

bool diag_source_file(Diag *d, const char *path)
{
	char *text = read_regular_file(path, NULL);
	if (text)
		diag_source(d, text);
	free(text);
	return false;
}

static void print_one(const DiagMsg *m, Buf *out)
{
	static const char *const level[] = {"note", "warning", "error"};
	if (m->loc.file) {
		buf_printf(out, "%s:", m->loc.file);
		if (m->loc.line)
			buf_printf(out, "%u:", m->loc.line);
		if (m->loc.line && m->loc.col)
			buf_printf(out, "%u:", m->loc.col);
		buf_printf(out, " ");
	} else {
		buf_printf(out, "wavesim: ");
	}
	buf_printf(out, "%s: %s\n", level[m->level], m->text);
	if (m->source) {
		buf_printf(out, "%5u | %s\n", m->line, m->source);
		if (m->loc.col > m->from && m->loc.col - m->from <= strlen(m->source) + 1) {
			buf_printf(out, "      | ");
			for (u32 i = 0; i + 1 < m->loc.col - m->from; i++)
				buf_printf(out, "%c", m->source[i] == '\t' ? '\t' : ' ');
			buf_printf(out, "^\n");
		}
	}
	if (m->hint)
		buf_printf(out, "hint: %s\n", m->hint);
}

void diag_print(const Diag *d, Buf *out)
{
	for (u32 i = 0; i < d->msgs.n && i < DIAG_MOST; i++)
		print_one(&d->msgs.v[i], out);
	if (d->lost)
		buf_printf(out, "wavesim: note: and %u more\n", d->lost);
}

void diag_flush(Diag *d)
{
	Buf text = {0};
	diag_print(d, &text);
	Buf safe = {0};
	buf_masked(&safe, text.v, text.n, false);
	if (safe.n)
		fwrite(safe.v, 1, safe.n, stderr);
	array_free(&safe);
	array_free(&text);
	diag_free(d);
}

const char *diag_reason(const Diag *d, const char *none, Arena *a)
{
	for (u32 i = 0; i < d->msgs.n; i++) {
		const DiagMsg *m = &d->msgs.v[i];
		int n = (int)strcspn(m->text, "\n");
		if (m->level == DIAG_ERROR && m->loc.file && m->loc.line && strcmp(m->loc.file, "command line") != 0)
			return arena_printf(a, "%s:%u: %.*s", m->loc.file, m->loc.line, n, m->text);
		if (m->level == DIAG_ERROR)
			return arena_strndup(a, m->text, (size_t)n);
	}
	return none;
}
