/* Comma-separated values with a header line, as RFC 4180 has them; lines may end in either way, and
 * written ones end in \n, which awk and every spreadsheet take. */
#ifndef WAVESIM_CSV_H
#define WAVESIM_CSV_H

#include "base/diag.h"

typedef struct Csv {
	const char *path;
	const char **header;
	u32 ncolumns;
	const char ***rows; /* rows[row][column] */
	u32 *lines;         /* of the file, where each row starts */
	u32 nrows;
} Csv;

/* Everything is the arena's. Each row must have as many fields as the header. */
bool csv_parse(Csv *c, const char *path, const char *text, Arena *a, Diag *d);
/* The field of a row, or NULL when there is no such column. */
const char *csv_field(const Csv *c, u32 row, const char *column);
/* A number there; false, with a message, when it is none. */
bool csv_number(const Csv *c, u32 row, const char *column, double *out, Diag *d);
/* Write one field: valid UTF-8 (utf8_clean), quoted where that is needed. */
void csv_write(const char *text, size_t n, Buf *out);
void csv_text(const char *text, Buf *out);  /* NULL: empty */
void csv_ratio(double v, Buf *out);         /* negative: not known, empty */

#endif
