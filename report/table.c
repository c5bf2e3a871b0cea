/* Measure, fit and write a table: see table.h. */
#include "report/table.h"

void table_init(Table *t, const SinkStyle *style, u32 gap, u32 brief_gap)
{
	*t = (Table){.style = style, .gap = {gap, brief_gap}};
}

void table_free(Table *t)
{
	array_free(&t->columns);
	array_free(&t->cells);
	array_free(&t->text);
}

void table_column(Table *t, const TableColumn *c)
{
	TableState s = {.c = *c};
	s.c.parts = c->parts ? c->parts : 1;
	t->row_cells += s.c.parts;
	array_push(&t->columns, s);
}

static const char *text_of(const Table *t, const TableCell *c)
{
	return c->n[t->brief] ? t->text.v + c->at[t->brief] : "";
}

/* The column of the next cell. */
static TableState *next_column(Table *t)
{
	u32 place = t->cells.n % t->row_cells, i = 0;
	for (; place >= t->columns.v[i].c.parts; i++)
		place -= t->columns.v[i].c.parts;
	return &t->columns.v[i];
}

void table_cell(Table *t, const Buf *text, const Buf *brief, Paint p)
{
	TableState *s = next_column(t);
	TableCell cell = {.paint = p};
	for (u32 i = 0; i < 2; i++) {
		const Buf *b = i && brief ? brief : text;
		u32 width = b->n ? text_columns(b->v, b->n) : 0;
		s->width[i] = width > s->width[i] ? width : s->width[i];
		cell.at[i] = t->text.n;
		cell.n[i] = b->n;
		if (b->n)
			buf_write(&t->text, b->v, b->n + 1);
	}
	array_push(&t->cells, cell);
	s->painted |= p != PAINT_NONE;
	s->different |= strcmp(text_of(t, &cell), text_of(t, &t->cells.v[(t->cells.n - 1) % t->row_cells])) != 0;
}

static const char *head_of(const Table *t, const TableColumn *c, bool second)
{
	const char *head = second ? c->sub : c->head, *brief = second ? c->brief_sub : c->brief_head;
	head = t->brief && brief ? brief : head;
	return head ? head : "";
}

/* Of one part; 0: the column is not shown. */
static u32 part_width(const Table *t, const TableState *s)
{
	u32 width = s->width[t->brief];
	if (!s->width[0] || s->left_out)
		return 0;
	width = s->c.least[t->brief] > width ? s->c.least[t->brief] : width;
	for (u32 second = 0; second < 2; second++) {
		u32 head = ((u32)strlen(head_of(t, &s->c, second)) + s->c.parts - 1) / s->c.parts;
		width = head > width ? head : width;
	}
	return width;
}

/* With the blanks between its parts. */
static u32 column_width(const Table *t, const TableState *s)
{
	u32 part = part_width(t, s);
	return part ? s->c.parts * (part + 1) - 1 : 0;
}

u32 table_width(const Table *t)
{
	u32 width = t->gap[t->brief];
	for (u32 i = 0; i < t->columns.n; i++) {
		u32 n = column_width(t, &t->columns.v[i]);
		width += n ? n + t->gap[t->brief] : 0;
	}
	return width;
}

/* The column that matters least; NULL: no more may go. */
static TableState *least(Table *t)
{
	enum { WORTH = 1000 }; /* more than any keep */
	TableState *best = NULL;
	u32 its = UINT32_MAX;
	for (u32 i = 0; i < t->columns.n; i++) {
		TableState *s = &t->columns.v[i];
		bool worth = s->c.worth == WORTH_ALWAYS || (s->c.worth == WORTH_PAINTED ? s->painted : s->different);
		u32 keep = s->c.keep + (worth ? WORTH : 0);
		if (!s->c.keep || !part_width(t, s) || keep >= its)
			continue;
		best = s;
		its = keep;
	}
	return best;
}

void table_fit(Table *t, u32 room)
{
	if (!room || table_width(t) <= room)
		return;
	t->brief = true;
	for (TableState *s; table_width(t) > room && (s = least(t));)
		s->left_out = true;
	/* A wide column that was left out may have made room for a narrow one that was left out before it. */
	for (u32 i = 0; i < t->columns.n; i++) {
		TableState *s = &t->columns.v[i];
		bool was = s->left_out;
		s->left_out = false;
		s->left_out = was && table_width(t) > room;
	}
}

void table_head(const Table *t, bool second, Buf *out)
{
	u32 from = out->n;
	for (u32 i = 0; i < t->columns.n; i++) {
		const TableState *s = &t->columns.v[i];
		int width = (int)column_width(t, s);
		if (width)
			buf_printf(out, "%*s%*s", (int)t->gap[t->brief], "", s->c.left ? -width : width,
			           head_of(t, &s->c, second));
	}
	table_trim(out, from);
}

void table_left_out(const Table *t, u32 indent, Buf *out)
{
	Buf line = {0};
	for (u32 i = 0; i < t->columns.n; i++)
		if (t->columns.v[i].left_out && t->columns.v[i].c.name)
			buf_printf(&line, "%s%s",
			           line.n ? ", " : " (terminal too narrow for: ", t->columns.v[i].c.name);
	if (line.n) {
		buf_printf(&line, ")\n");
		put_wrapped(out, t->style, line.v, indent);
	}
	array_free(&line);
}

static void put_part(const Table *t, const TableColumn *c, const TableCell *cell, u32 width, Buf *out)
{
	const char *text = cell && cell->n[t->brief] ? text_of(t, cell) : cell && t->empty && !c->left ? t->empty : "";
	u32 n = text_columns(text, (u32)strlen(text));
	int blanks = n < width ? (int)(width - n) : 0;
	buf_printf(out, "%*s", c->left ? 0 : blanks, "");
	paint(out, t->style, *text ? cell->paint : PAINT_NONE, text);
	buf_printf(out, "%*s", c->left ? blanks : 0, "");
}

void table_row(const Table *t, u32 row, Buf *out)
{
	const TableCell *cell = row == TABLE_NO_ROW ? NULL : t->cells.v + (size_t)row * t->row_cells;
	for (u32 i = 0; i < t->columns.n; i++) {
		const TableState *s = &t->columns.v[i];
		u32 width = part_width(t, s);
		for (u32 k = 0; k < s->c.parts; k++, cell += cell != NULL) {
			if (!width)
				continue;
			buf_printf(out, "%*s", k ? 1 : (int)t->gap[t->brief], "");
			put_part(t, &s->c, cell, width, out);
		}
	}
}

void table_trim(Buf *out, u32 from)
{
	while (out->n > from && out->v[out->n - 1] == ' ')
		out->v[--out->n] = 0;
}
