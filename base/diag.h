/* Messages about the user's input: where, what, why, what to do.
 *
 * Functions that read input take a Diag, add every error they find and return
 * false; only main() decides to stop. What the *kernel* does wrong while it runs
 * is a finding (sim/), not a Diag. */
#ifndef WAVESIM_DIAG_H
#define WAVESIM_DIAG_H

#include "base/base.h"

/* A place in a text file. file may be NULL (no place known); line and col count
 * from 1, 0 = unknown. */
typedef struct Loc {
	const char *file;
	u32 line, col;
} Loc;

typedef enum { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } DiagLevel;

typedef struct DiagMsg {
	DiagLevel level;
	Loc loc;
	char *text;   /* one sentence: what and why */
	char *hint;   /* what to do, or NULL */
	char *source; /* the text of the line at loc, or NULL; printed with a caret. Of a long one: a part … */
	u32 from;     /* … that begins behind so many characters */
	u32 line;     /* of source: loc.line, or where a `#line` gives another number, its place in the file */
} DiagMsg;

/* DIAG_MOST messages are kept, and the newest one, which is not printed; errors counts all. */
enum { DIAG_MOST = 1000 };

typedef struct Diag {
	ARRAY(DiagMsg) msgs;
	u32 errors, lost; /* lost: messages that are not printed */
} Diag;

void diag_init(Diag *d);
void diag_free(Diag *d);

/* Each adds a message. diag_error returns false so that a reader can `return diag_error(…)`.
 * Line feeds in the text are kept: a build log is one message. */
bool diag_add(Diag *d, DiagLevel level, Loc loc, const char *fmt, ...) PRINTF_LIKE(4, 5);
bool diag_vadd(Diag *d, DiagLevel level, Loc loc, const char *fmt, va_list ap);
#define diag_error(d, ...) diag_add(d, DIAG_ERROR, __VA_ARGS__)
#define diag_warn(d, ...) ((void)diag_add(d, DIAG_WARNING, __VA_ARGS__))
#define diag_note(d, ...) ((void)diag_add(d, DIAG_NOTE, __VA_ARGS__))

/* Add to the last message: what to do; the source line at its loc (text: the whole file). Both return false. */
bool diag_hint(Diag *d, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* A hint at the candidate that is near to word, between quotes; false: none is. */
bool diag_near(Diag *d, const char *quote, const char *word, const char *const *candidates, u32 n);
bool diag_source(Diag *d, const char *text);
bool diag_source_line(Diag *d, const char *text, u32 line); /* that line of it */
bool diag_source_file(Diag *d, const char *path); /* the text of that file, if it can be read */

/* Has it a message of that level and place, with that text? */
bool diag_has(const Diag *d, DiagLevel level, Loc loc, const char *text, size_t n);
/* Add the warnings of from that d has not. */
void diag_join_warnings(Diag *d, const Diag *from);
/* By place, then text. */
void diag_sort(Diag *d);

/* Add the messages of from, of another process for example. */
void diag_join(Diag *d, const Diag *from);

/* All messages as text, in the order they came, each as
 *   file:line:col: error: text
 *      12 | source line
 *         |    ^
 *   hint: what to do
 */
void diag_print(const Diag *d, Buf *out);
/* All of them to standard error; d is empty then. */
void diag_flush(Diag *d);
/* The first error on one line, with its place if that is in a file; none: when there is no error. */
const char *diag_reason(const Diag *d, const char *none, Arena *a);

#define NO_LOC ((Loc){0})

#endif
