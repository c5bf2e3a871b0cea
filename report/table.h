/* Tables of the text reports: cells in aligned columns under their heads.
 *
 * The caller gives the columns and then every cell, row by row; the table measures them, leaves out columns without
 * any text, and on a narrow terminal first shortens the heads, then leaves out the columns that matter least. What
 * precedes a row and what follows it (a rank, the source text) is the caller's. */
#ifndef WAVESIM_REPORT_TABLE_H
#define WAVESIM_REPORT_TABLE_H

#include "report/style.h"

/* When a column is worth its room more than others that are not. */
typedef enum { WORTH_ALWAYS, WORTH_PAINTED, WORTH_DIFFERENT } TableWorth; /* different: not all cells are the same */

typedef struct TableColumn {
	const char *head, *brief_head; /* brief: on a narrow terminal, NULL: the same */
	const char *sub, *brief_sub;   /* a second row of heads, or NULL */
	const char *name;              /* in the list of those left out; NULL: not in it */
	u32 keep;                      /* the least is left out first; 0: never */
	TableWorth worth;
	bool left;                     /* adjusted to the left */
	u32 parts;                     /* cells of a row side by side under one head; 0 is 1 */
	u32 least[2];                  /* columns of text it takes at least, and with brief heads */
} TableColumn;

typedef struct TableCell {
	u32 at[2], n[2]; /* bytes of Table.text; the second with brief heads */
	Paint paint;
} TableCell;

typedef struct TableState {
	TableColumn c;
	u32 width[2]; /* of the widest cell; 0: it is empty everywhere */
	bool painted, different, left_out;
} TableState;

typedef struct Table {
	const SinkStyle *style;
	const char *empty; /* what is shown for a cell without text, unless it is left-adjusted; NULL: nothing */
	u32 gap[2];        /* blanks before each column, and with brief heads */
	bool brief;
	ARRAY(TableState) columns;
	ARRAY(TableCell) cells; /* row by row */
	Buf text;
	u32 row_cells;          /* of one row */
} Table;

void table_init(Table *t, const SinkStyle *style, u32 gap, u32 brief_gap);
void table_free(Table *t);
void table_column(Table *t, const TableColumn *c);
/* The next cell, after the one before it in the row. brief: its text with brief heads, NULL: the same. */
void table_cell(Table *t, const Buf *text, const Buf *brief, Paint p);
/* Make the table and the gap behind it fit into `room` columns of text; 0: there is no limit. */
void table_fit(Table *t, u32 room);
/* Columns of text that the table takes, with a gap behind it. */
u32 table_width(const Table *t);
/* A row of heads without line feed; second: the one below it. */
void table_head(const Table *t, bool second, Buf *out);
/* The line "(terminal too narrow for: …)" when columns were left out. */
void table_left_out(const Table *t, u32 indent, Buf *out);
/* A row's cells, or blanks for TABLE_NO_ROW; without line feed. */
#define TABLE_NO_ROW UINT32_MAX
void table_row(const Table *t, u32 row, Buf *out);
/* Blanks at the end of out go, back to `from` bytes at the most. */
void table_trim(Buf *out, u32 from);

#endif
