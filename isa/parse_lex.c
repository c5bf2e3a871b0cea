/* Words, numbers, strings and constants of the text form, with the place of
 * everything that is wrong. See parse_lex.h. */
#include "isa/parse_lex.h"

#include "base/scan.h"
#include "isa/lane.h"
#include "isa/text.h"

#include <stdio.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool lex_fail(Lex *l, const char *at, const char *fmt, ...)
{
	if (l->failed)
		return false;
	l->failed = true;
	l->errors++;
	Loc loc = {.file = l->file, .line = l->line, .col = (u32)(at - l->line_start) + 1};
	va_list ap;
	va_start(ap, fmt);
	diag_vadd(l->d, DIAG_ERROR, loc, fmt, ap);
	va_end(ap);
	diag_source(l->d, l->text);
	return false;
}

void lex_hint(Lex *l, LexWord w, const char *const *names, u32 count)
{
	char word[48];
	snprintf(word, sizeof word, "%.*s", (int)(w.n < 47 ? w.n : 47), w.s);
	const char *near = nearest_word(word, names, count);
	if (near)
		diag_hint(l->d, "did you mean %s?", near);
}

static void skip_blanks(Lex *l)
{
	while (*l->at == ' ' || *l->at == '\t' || *l->at == '\r')
		l->at++;
	if (*l->at == '#')
		l->at += strcspn(l->at, "\n");
}

bool lex_next_line(Lex *l)
{
	if (l->at != l->text || l->line) {
		l->at += strcspn(l->at, "\n");
		if (!*l->at)
			return false;
		l->at++;
	}
	l->line_start = l->at;
	l->line++;
	l->failed = false;
	return *l->at != 0;
}

bool lex_end(Lex *l)
{
	if (l->failed)
		return true;
	skip_blanks(l);
	return *l->at == '\n' || *l->at == 0;
}

bool lex_is(Lex *l, const char *mark)
{
	if (l->failed)
		return false;
	skip_blanks(l);
	const char *at = l->at; /* one or two characters mostly, asked for several times in each line */
	while (*mark && *at == *mark)
		at++, mark++;
	return !*mark;
}

bool lex_take(Lex *l, const char *mark)
{
	if (!lex_is(l, mark))
		return false;
	l->at += strlen(mark);
	return true;
}

bool lex_expect(Lex *l, const char *mark)
{
	if (lex_take(l, mark))
		return true;
	return lex_fail(l, l->at, "expected %s here", mark);
}

bool lex_word(Lex *l, LexWord *w, const char *what)
{
	if (l->failed)
		return false;
	skip_blanks(l);
	w->s = l->at;
	while (scan_is_word(*l->at))
		l->at++;
	w->n = (u32)(l->at - w->s);
	return w->n ? true : lex_fail(l, l->at, "expected %s here", what);
}

bool word_is(LexWord w, const char *s) { return w.n == strlen(s) && !memcmp(w.s, s, w.n); }

bool lex_number(Lex *l, u32 *n, u32 limit, const char *what)
{
	if (l->failed)
		return false;
	skip_blanks(l);
	const char *start = l->at;
	u64 v = 0;
	if (!is_digit(*start))
		return lex_fail(l, start, "expected %s, a number", what);
	for (; is_digit(*l->at); l->at++)
		v = v > limit ? v : v * 10 + (u64)(*l->at - '0');
	if (scan_is_word(*l->at))
		return lex_fail(l, l->at, "expected %s, a number, without letters after it", what);
	if (v > limit)
		return lex_fail(l, start, "%s is too large; it may be at most %u", what, limit);
	*n = (u32)v;
	return true;
}

bool lex_i64(Lex *l, i64 *n, const char *what)
{
	if (l->failed)
		return false;
	skip_blanks(l);
	const char *start = l->at;
	bool negative = *l->at == '-';
	if (*l->at == '-' || *l->at == '+')
		l->at++;
	if (!is_digit(*l->at))
		return lex_fail(l, start, "expected %s, a number", what);
	u64 v = 0, most = (u64)INT64_MAX + negative;
	bool over = false;
	for (; is_digit(*l->at); l->at++) {
		u64 digit = (u64)(*l->at - '0');
		over |= v > (most - digit) / 10;
		v = over ? 0 : v * 10 + digit;
	}
	if (over)
		return lex_fail(l, start, "%s does not fit in 64 bits", what);
	*n = negative ? (i64)(0 - v) : (i64)v;
	return true;
}

int lex_hex(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool escape(Lex *l, Buf *out)
{
	const char *start = l->at++;
	char c = *l->at++;
	if (c == 'n' || c == 't') {
		buf_write(out, c == 'n' ? "\n" : "\t", 1);
	} else if (c == '"' || c == '\\') {
		buf_write(out, &c, 1);
	} else if (c == 'x' && lex_hex(l->at[0]) >= 0 && lex_hex(l->at[1]) >= 0) {
		c = (char)(lex_hex(l->at[0]) * 16 + lex_hex(l->at[1]));
		l->at += 2;
		if (!c)
			return lex_fail(l, start, "a string cannot hold the character \\x00");
		buf_write(out, &c, 1);
	} else {
		l->at = start;
		return lex_fail(l, start,
				"unknown escape in a string; there are \\\" \\\\ \\n \\t \\xHH");
	}
	return true;
}

bool lex_string(Lex *l, const char **s)
{
	if (l->failed)
		return false;
	skip_blanks(l);
	const char *start = l->at;
	if (*l->at != '"')
		return lex_fail(l, start, "expected a string in double quotes");
	l->at++;
	Buf text = {0};
	buf_write(&text, "", 0);
	while (*l->at != '"' && !l->failed) {
		if (*l->at == 0 || *l->at == '\n') {
			lex_fail(l, start, "this string has no closing quote");
		} else if (*l->at == '\\') {
			escape(l, &text);
		} else {
			buf_write(&text, l->at, 1);
			l->at++;
		}
	}
	if (!l->failed) {
		l->at++;
		*s = arena_strndup(l->arena, text.v, text.n);
	}
	array_free(&text);
	return !l->failed;
}

bool lex_name(Lex *l, const char *const *names, u32 count, u32 *i, const char *what)
{
	LexWord w;
	if (!lex_word(l, &w, what))
		return false;
	for (*i = 0; *i < count; ++*i)
		if (word_is(w, names[*i]))
			return true;
	*i = 0;
	lex_fail(l, w.s, "%.*s is not %s", (int)w.n, w.s, what);
	lex_hint(l, w, names, count);
	return false;
}

bool lex_type(Lex *l, Type *t)
{
	u32 i;
	if (!lex_name(l, type_name, TYPE_COUNT, &i, "a type"))
		return false;
	*t = (Type)i;
	return true;
}

/* Digits in text[0 … n); false when there is anything else or more than 128 bits. */
static bool whole_number(const char *s, u32 n, u32 base, u128 *v)
{
	*v = 0;
	for (u32 i = 0; i < n; i++) {
		int digit = lex_hex(s[i]);
		if (digit < 0 || (u32)digit >= base || *v > (~(u128)0 - (u32)digit) / base)
			return false;
		*v = *v * base + (u32)digit;
	}
	return n > 0;
}

static bool decimal_float(const char *token, Type t, u128 *v)
{
	char *end;
	*v = t == T_f32 ? lane_bits32(strtof(token, &end)) : bits_of_double(strtod(token, &end));
	return *end == 0;
}

/* token as a value of type t. */
static bool value_of(const char *token, Type t, u128 *v)
{
	bool negative = *token == '-';
	const char *digits = token + negative;
	bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	u32 bits = t == T_b1 ? 1 : type_bytes[t] * 8u;
	u128 most = bits == 128 ? ~(u128)0 : ((u128)1 << bits) - 1;
	if ((t == T_f32 || t == T_f64) && !hex)
		return is_digit(*digits) && decimal_float(token, t, v);
	u32 skip = hex ? 2 : 0;
	if (!whole_number(digits + skip, (u32)strlen(digits + skip), hex ? 16 : 10, v))
		return false;
	if (!negative)
		return *v <= most;
	if (hex || *v > (most >> 1) + 1 || t == T_b1)
		return false;
	*v = (0 - *v) & most;
	return true;
}

bool lex_const(Lex *l, Type *t, u128 *v)
{
	if (l->failed)
		return false;
	skip_blanks(l);
	const char *start = l->at;
	char token[80];
	u32 n = 0;
	while (scan_is_word(*l->at) || *l->at == '.' || *l->at == '-' || *l->at == '+') {
		if (n + 1 == sizeof token)
			return lex_fail(l, start, "this constant is too long");
		token[n++] = *l->at++;
	}
	token[n] = 0;
	if (*l->at != ':')
		return lex_fail(l, start, "a constant needs its type behind it, as in 1:i32");
	l->at++;
	if (!lex_type(l, t))
		return false;
	if (!value_of(token, *t, v))
		return lex_fail(l, start, "%s is not a value of type %s", token, type_name[*t]);
	return true;
}
