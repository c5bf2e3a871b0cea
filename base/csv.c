/* Read and write comma-separated values. */
#include "base/csv.h"

#include <math.h>

typedef struct CsvReader {
	const char *p;
	u32 line;
	Arena *a;
} CsvReader;

/* One field; *p stops at its comma, line end or the end. False: a quote without an end. */
static bool read_field(CsvReader *r, const char **out)
{
	if (*r->p != '"') {
		size_t n = strcspn(r->p, ",\r\n");
		*out = arena_strndup(r->a, r->p, n);
		r->p += n;
		return true;
	}
	Buf b = {0};
	buf_printf(&b, "%s", "");
	for (r->p++; *r->p && (*r->p != '"' || r->p[1] == '"'); r->p++) {
		r->line += *r->p == '\n';
		if (*r->p == '"')
			r->p++;
		buf_write(&b, r->p, 1);
	}
	*out = arena_strndup(r->a, b.v, b.n);
	array_free(&b);
	if (*r->p != '"')
		return false;
	r->p++;
	return strchr(",\r\n", *r->p) != NULL; /* also the end of the text */
}

static void skip_line_end(CsvReader *r)
{
	r->p += *r->p == '\r';
	if (*r->p == '\n') {
		r->p++;
		r->line++;
	}
}

typedef ARRAY(const char *) Fields;

static bool read_row(CsvReader *r, Fields *f)
{
	f->n = 0;
	for (;;) {
		const char *field;
		if (!read_field(r, &field))
			return false;
		array_push(f, field);
		if (*r->p != ',')
			break;
		r->p++;
	}
	skip_line_end(r);
	return true;
}

static const char **keep(const Fields *f, Arena *a)
{
	const char **v = ARENA_ARRAY(a, const char *, f->n);
	memcpy(v, f->v, f->n * sizeof *v);
	return v;
}

bool csv_parse(Csv *c, const char *path, const char *text, Arena *a, Diag *d)
{
	CsvReader r = {text, 1, a};
	Fields f = {0};
	ARRAY(const char **) rows = {0};
	ARRAY(u32) lines = {0};
	*c = (Csv){.path = path};
	bool ok = true;
	while (ok && *r.p) {
		u32 line = r.line;
		Loc at = {path, line, 0};
		if (!read_row(&r, &f)) {
			ok = diag_error(d, at, "a quoted field does not end, or text follows its end");
		} else if (!c->header) {
			c->header = keep(&f, a);
			c->ncolumns = f.n;
		} else if (f.n == 1 && !*f.v[0]) {
			continue; /* an empty line */
		} else if (f.n != c->ncolumns) {
			ok = diag_error(d, at, "%u fields, but the header has %u", f.n, c->ncolumns);
		} else {
			array_push(&rows, keep(&f, a));
			array_push(&lines, line);
		}
	}
	if (ok && !c->header)
		ok = diag_error(d, (Loc){path, 0, 0}, "this file is empty");
	c->nrows = rows.n;
	c->rows = array_keep(&rows, a);
	c->lines = array_keep(&lines, a);
	array_free(&f);
	return ok;
}

const char *csv_field(const Csv *c, u32 row, const char *column)
{
	for (u32 i = 0; i < c->ncolumns; i++) {
		if (!strcmp(c->header[i], column))
			return c->rows[row][i];
	}
	return NULL;
}

bool csv_number(const Csv *c, u32 row, const char *column, double *out, Diag *d)
{
	const char *text = csv_field(c, row, column);
	if (text && parse_f64(text, out) && isfinite(*out))
		return true;
	Loc at = {c->path, c->lines[row], 0};
	if (!text)
		return diag_error(d, at, "there is no column '%s'", column);
	return diag_error(d, at, "%s: '%s' is not a number", column, text);
}

void csv_write(const char *text, size_t n, Buf *out)
{
	char *clean = utf8_clean(text, n);
	if (!clean[strcspn(clean, ",\"\r\n")]) {
		buf_printf(out, "%s", clean);
	} else {
		buf_printf(out, "\"");
		for (const char *p = clean; *p; p++)
			buf_printf(out, *p == '"' ? "\"\"" : "%c", *p);
		buf_printf(out, "\"");
	}
	free(clean);
}

void csv_text(const char *text, Buf *out) { csv_write(text ? text : "", text ? strlen(text) : 0, out); }

void csv_ratio(double v, Buf *out)
{
	if (v >= 0)
		buf_printf(out, "%.10g", v);
}
