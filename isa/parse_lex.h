/* The words of the text form: what parse.c reads lines with. Private to isa/.
 *
 * Every lex_ function skips blanks first and stays inside its line. One that can
 * fail reports the place, gives up the line (Lex.failed) and returns false; after
 * that all of them fail at once, so a caller need not look after each step. */
#ifndef WAVESIM_PARSE_LEX_H
#define WAVESIM_PARSE_LEX_H

#include "isa/isa.h"

typedef struct Lex {
	const char *file, *text;
	const char *at; /* the next character */
	const char *line_start;
	u32 line;
	bool failed; /* this line has had its message */
	u32 errors;
	Diag *d;
	Arena *arena; /* for strings */
} Lex;

/* Part of the text. */
typedef struct LexWord {
	const char *s;
	u32 n;
} LexWord;

enum { LEX_MAX_ERRORS = 50 };

bool lex_next_line(Lex *l);              /* false at the end of the text */
bool lex_end(Lex *l);                    /* only blanks or a comment are left on the line? */
bool lex_is(Lex *l, const char *mark);   /* the next characters are mark? */
bool lex_take(Lex *l, const char *mark); /* … and go past them */
bool lex_expect(Lex *l, const char *mark);
bool lex_word(Lex *l, LexWord *w, const char *what);             /* letters, digits and _ */
bool lex_number(Lex *l, u32 *n, u32 limit, const char *what); /* 0 … limit */
bool lex_i64(Lex *l, i64 *n, const char *what);               /* with an optional sign */
bool lex_string(Lex *l, const char **s);                      /* "…" */
bool lex_const(Lex *l, Type *t, u128 *v);                     /* 12:i32, 0xff:i8, 1.5:f32 */
bool lex_type(Lex *l, Type *t);
bool lex_name(Lex *l, const char *const *names, u32 count, u32 *i, const char *what);
int lex_hex(char c); /* the value of a hexadecimal digit, or -1 */
bool word_is(LexWord w, const char *s);
/* Report at a place; returns false. lex_hint adds the nearest of the names, if one is near. */
bool lex_fail(Lex *l, const char *at, const char *fmt, ...) PRINTF_LIKE(3, 4);
void lex_hint(Lex *l, LexWord w, const char *const *names, u32 count);

#endif
