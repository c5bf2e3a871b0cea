/* A page of Markdown for a terminal: paragraphs joined and broken at its width, tables aligned,
 * comments left out. It knows what lessons use: headings, paragraphs, lists, tables, code. */
#include "cli/lesson.h"
#include "report/style.h"

enum { COLUMNS = 12 };

typedef struct ShownPage {
	const char *lessons, *compare;
	SinkStyle style;
	Buf *out;
	Buf text;   /* the paragraph or item so far */
	u32 indent; /* of its further lines */
	ARRAY(char *) table; /* its lines */
	bool blank; /* the last line was one */
} ShownPage;

/* Without comments, links as their words, **…** bold. */
static void put_inline(ShownPage *s, const char *at, size_t n, Buf *out)
{
	const char *end = at + n, *close;
	while (at < end) {
		size_t left = (size_t)(end - at);
		if (left > 4 && !strncmp(at, "<!--", 4) && (close = strstr(at, "-->")) && close < end) {
			at = close + 3;
		} else if (left > 4 && !strncmp(at, "**", 2) && (close = strstr(at + 2, "**")) && close < end) {
			char *words = xcalloc(1, (size_t)(close - at));
			memcpy(words, at + 2, (size_t)(close - at) - 2);
			paint(out, &s->style, PAINT_BOLD, words);
			free(words);
			at = close + 2;
		} else if (*at == '[' && (close = memchr(at, ']', left)) && close + 1 < end && close[1] == '(' &&
		           memchr(close, ')', (size_t)(end - close))) {
			put_inline(s, at + 1, (size_t)(close - at) - 1, out);
			at = (const char *)memchr(close, ')', (size_t)(end - close)) + 1;
		} else {
			buf_write(out, at++, 1);
		}
	}
	buf_write(out, "", 1);
	out->n--;
}

static void end_paragraph(ShownPage *s)
{
	if (!s->text.n)
		return;
	Buf plain = {0};
	put_inline(s, s->text.v, s->text.n, &plain);
	buf_printf(&plain, "\n");
	put_wrapped(s->out, &s->style, plain.v, s->indent);
	array_free(&plain);
	s->text.n = 0;
	s->blank = false;
}

/* Cells of a table's line; how many. */
static u32 split(const char *line, const char *cell[COLUMNS], size_t length[COLUMNS])
{
	u32 n = 0;
	for (line++; *line && n < COLUMNS; n++) {
		line += strspn(line, " ");
		size_t k = strcspn(line, "|"), next = k;
		while (k && line[k - 1] == ' ')
			k--;
		cell[n] = line;
		length[n] = k;
		line += next + (line[next] == '|');
	}
	return n;
}

static void end_table(ShownPage *s)
{
	u32 width[COLUMNS] = {0}, n;
	const char *cell[COLUMNS];
	size_t length[COLUMNS];
	Buf row = {0}, plain = {0};
	for (u32 pass = 0; pass < 2; pass++) {
		for (u32 i = 0; i < s->table.n; i++) {
			if (!strncmp(s->table.v[i], "|--", 3) || !strncmp(s->table.v[i], "|:-", 3))
				continue;
			n = split(s->table.v[i], cell, length);
			row.n = 0;
			u32 before = 2;
			for (u32 k = 0; k < n; k++) {
				plain.n = 0;
				put_inline(s, cell[k], length[k], &plain);
				u32 w = text_columns(plain.v, plain.n);
				width[k] = w > width[k] ? w : width[k];
				buf_printf(&row, "  %s%*s", plain.v, k + 1 < n ? (int)(width[k] - w) : 0, "");
				before += k + 1 < n ? width[k] + 2 : 0;
			}
			if (!pass)
				continue;
			buf_printf(&row, "\n");
			put_wrapped(s->out, &s->style, row.v, before);
		}
	}
	for (u32 i = 0; i < s->table.n; i++)
		free(s->table.v[i]);
	if (s->table.n)
		s->blank = false;
	s->table.n = 0;
	array_free(&row);
	array_free(&plain);
}

static void put_heading(ShownPage *s, const char *line)
{
	Buf words = {0};
	SinkStyle plain = {0};
	ShownPage inner = *s;
	inner.style = plain;
	line += strspn(line, "# ");
	put_inline(&inner, line, strlen(line), &words);
	paint(s->out, &s->style, PAINT_BOLD, words.v);
	buf_printf(s->out, "\n");
	array_free(&words);
	s->blank = false;
}

/* A command: with names of files that can be opened from here. */
static void put_code(ShownPage *s, const char *line)
{
	static const char folder[] = " lessons/";
	for (const char *at; (at = strstr(line, folder)); line = at + sizeof folder - 1)
		buf_printf(s->out, "%.*s %s", (int)(at - line), line, s->lessons);
	buf_printf(s->out, "%s\n", line);
}

static void put_line(ShownPage *s, const char *line)
{
	bool comment = !strncmp(line, "<!--", 4) && strstr(line, "-->") && !strstr(line, "-->")[3];
	bool item = !strncmp(line, "- ", 2), code = !strncmp(line, "    ", 4) && !s->text.n;
	if (*line != '|')
		end_table(s);
	if (!*line || comment || *line == '#' || *line == '|' || item || code)
		end_paragraph(s);
	if (!strcmp(line, "<!--compare-->")) {
		buf_printf(s->out, "%s", s->compare);
		s->blank = false;
	} else if (comment) {
		return;
	} else if (!*line) {
		buf_printf(s->out, "%s", s->blank ? "" : "\n");
		s->blank = true;
	} else if (*line == '#') {
		put_heading(s, line);
	} else if (*line == '|') {
		array_push(&s->table, xstrdup(line));
	} else if (code) {
		put_code(s, line);
		s->blank = false;
	} else {
		if (!s->text.n)
			s->indent = item ? 2 : 0;
		line += s->text.n ? strspn(line, " ") : 0;
		buf_printf(&s->text, "%s%s", s->text.n ? " " : "", line);
	}
}

void lesson_show(const char *text, const char *lessons, const char *compare, const SinkStyle *style, Buf *out)
{
	ShownPage s = {.lessons = lessons, .compare = compare, .style = *style, .out = out, .blank = true};
	s.style.width = style->width && style->width < 100 ? style->width : 100;
	while (*text) {
		size_t n = strcspn(text, "\n");
		char *line = xcalloc(1, n + 1);
		memcpy(line, text, n);
		put_line(&s, line);
		free(line);
		text += n + (text[n] == '\n');
	}
	end_table(&s);
	end_paragraph(&s);
	array_free(&s.text);
	array_free(&s.table);
}
