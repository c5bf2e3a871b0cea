/* See printed.h. Lines are compared in the order in which they were printed, or else sorted by what is not rounded:
 * "0.8 of 5" stays beside "0.7 of 5", whichever lines are around them. How many digits were rounded away cannot be seen
 * in a text, 0.5 being %.1f or %g: what the kernel's formats could have printed decides. */
#include "engine/printed.h"

#include "isa/format.h"

#include <float.h>
#include <math.h>

typedef struct PrintedFloat {
	char conv;     /* f, e, g or a */
	int precision; /* below 0: of a, all digits */
} PrintedFloat;

/* What a kernel's formats print. */
typedef struct PrintedForms {
	ARRAY(PrintedFloat) floats;
	bool integers, pointers;
	bool as_floats; /* the second text has of a double the float nearest to it */
} PrintedForms;

typedef struct PrintedLine {
	const char *text, *key; /* key: without the floats */
} PrintedLine;

typedef struct PrintedText {
	Arena *arena;
	ARRAY(PrintedLine) lines;
} PrintedText;

/* A number with the blanks around it, which its width makes more or fewer; or a character with those before it. */
typedef struct PrintedToken {
	const char *text, *end;
	bool number, hex, point, exponent;
	int digits, decimals; /* significant ones; those behind the point */
	double v;
} PrintedToken;

/* ---- formats ---- */

static void add_float(PrintedForms *forms, const FormatSpec *s)
{
	PrintedFloat f = {(char)(s->conv | 0x20), s->conv == 'a' || s->conv == 'A' ? -1 : 6};
	if (*s->precision)
		f.precision = atoi(s->precision + 1);
	if (f.conv == 'g' && !f.precision)
		f.precision = 1;
	for (u32 i = 0; i < forms->floats.n; i++)
		if (forms->floats.v[i].conv == f.conv && forms->floats.v[i].precision == f.precision)
			return;
	array_push(&forms->floats, f);
}

static PrintedForms forms_of(const Program *p)
{
	PrintedForms forms = {0};
	FormatSpec s;
	for (u32 i = 0; i < p->formats.n; i++) {
		for (const char *f = strchr(p->formats.v[i], '%'); f; f = strchr(f, '%')) {
			if (f[1] == '%') {
				f += 2;
				continue;
			}
			if (!format_spec(f + 1, &s))
				break; /* the machine prints no further, either */
			if (format_is_float(&s))
				add_float(&forms, &s);
			else
				forms.integers |= s.conv != 's' && s.conv != 'c' && s.conv != 'p';
			forms.pointers |= s.conv == 'p';
			f = s.end;
		}
	}
	return forms;
}

/* Could it have printed this number? */
static bool prints(const PrintedFloat *f, const PrintedToken *x)
{
	if (isnan(x->v))
		return true;
	if (f->conv == 'a')
		return x->hex && x->exponent && (f->precision < 0 || x->decimals == f->precision);
	if (x->hex)
		return false;
	if (f->conv == 'g') /* leaves zeros at the end out */
		return x->digits <= f->precision;
	return x->exponent == (f->conv == 'e') && x->decimals == f->precision;
}

/* One unit of the last digit of a number as large as v. */
static double last_digit(const PrintedFloat *f, double v)
{
	int exponent;
	if (f->conv == 'f')
		return pow(10, -f->precision);
	if (f->conv != 'a')
		return pow(10, floor(log10(v)) - f->precision + (f->conv == 'g'));
	frexp(v, &exponent);
	return f->precision < 0 ? 0 : ldexp(1, exponent - 1 - 4 * f->precision);
}

/* ---- numbers ---- */

static bool may_be_integer(const PrintedToken *x) { return !x->point && !x->exponent && !isnan(x->v); }

static bool is_float(const PrintedToken *x, const PrintedForms *forms)
{
	if (!x->number || (forms->integers && may_be_integer(x)))
		return false;
	for (u32 i = 0; i < forms->floats.n; i++)
		if (prints(&forms->floats.v[i], x))
			return true;
	return false;
}

/* Each run has memory of its own: what matters of an address is that it is one. */
static bool is_address(const PrintedToken *x, const PrintedForms *forms)
{
	return forms->pointers && x->number && x->hex && may_be_integer(x);
}

/* The digits at p and what belongs to them. */
static const char *take_number(const char *p, PrintedToken *x)
{
	x->hex = p[0] == '0' && (p[1] | 0x20) == 'x';
	const char *set = x->hex ? "0123456789abcdefABCDEF" : "0123456789", *first = p += x->hex ? 2 : 0;
	p += strspn(p, set);
	x->point = *p == '.';
	if (x->point) {
		x->decimals = (int)strspn(p + 1, set);
		p += 1 + x->decimals;
	}
	first += strspn(first, "0.");
	x->digits = first < p ? (int)(p - first) - (memchr(first, '.', (size_t)(p - first)) != NULL) : 1;
	/* With a sign: 1e5 is of %x. */
	x->exponent = (*p | 0x20) == (x->hex ? 'p' : 'e') && (p[1] == '+' || p[1] == '-') && p[2] >= '0' && p[2] <= '9';
	if (x->exponent)
		for (p += 2; *p >= '0' && *p <= '9';)
			p++;
	return p;
}

/* *p is not 0. */
static PrintedToken token_at(const char *p)
{
	PrintedToken x = {.text = p};
	p += strspn(p, " ");
	const char *start = p, *digits = p + (*p == '-' || *p == '+');
	bool nan = !strncasecmp(digits, "nan", 3);
	x.number = nan || (*digits >= '0' && *digits <= '9');
	if (!x.number) {
		x.end = p + (*p != 0);
		return x;
	}
	p = nan ? digits + 3 : take_number(digits, &x);
	x.v = nan ? (double)NAN : strtod(start, NULL);
	x.end = p + strspn(p, " ");
	return x;
}

/* ---- lines ---- */

static bool close_enough(const PrintedToken *x, const PrintedToken *y, const PrintedForms *forms,
                         const FeLimits *limits)
{
	int exponent;
	if (forms->integers && may_be_integer(x) && may_be_integer(y))
		return false;
	double v = fmax(fabs(x->v), fabs(y->v));
	double own = forms->as_floats && fabs(x->v) <= (double)FLT_MAX ? (double)(float)x->v : x->v;
	frexp(v, &exponent);
	double ulp = fmax(limits->f32 * ldexp(1, exponent - 24), limits->f64 * ldexp(1, exponent - 53));
	for (u32 i = 0; i < forms->floats.n; i++) {
		const PrintedFloat *f = &forms->floats.v[i];
		if (prints(f, x) && prints(f, y) &&
		    (x->v == y->v || (isnan(x->v) && isnan(y->v)) ||
		     fabs(x->v - y->v) <= ulp + 1.001 * last_digit(f, v) ||
		     fabs(own - y->v) <= 1.001 * last_digit(f, v)))
			return true;
	}
	return false;
}

static bool same_line(const char *a, const char *b, const PrintedForms *forms, const FeLimits *limits)
{
	while (*a && *b) {
		PrintedToken x = token_at(a), y = token_at(b);
		size_t n = (size_t)(x.end - a);
		bool same = n == (size_t)(y.end - b) && !memcmp(a, b, n);
		same |= is_address(&x, forms) && is_address(&y, forms);
		if (!same && !(x.number && y.number && close_enough(&x, &y, forms, limits)))
			return false;
		a = x.end;
		b = y.end;
	}
	return *a == *b;
}

static const char *key_of(const char *text, const PrintedForms *forms, Arena *a)
{
	Buf key = {0};
	for (PrintedToken x; *text; text = x.end) {
		x = token_at(text);
		if (is_float(&x, forms) || is_address(&x, forms))
			buf_write(&key, "#", 1);
		else
			buf_write(&key, text, (size_t)(x.end - text));
	}
	return buf_keep(&key, a);
}

/* Of lines with one key: the numbers, from the first that differs. */
static int by_numbers(const char *a, const char *b)
{
	while (*a && *b) {
		PrintedToken x = token_at(a), y = token_at(b);
		a = x.end;
		b = y.end;
		if (!x.number || !y.number)
			continue;
		if (isnan(x.v) != isnan(y.v))
			return isnan(x.v) ? 1 : -1;
		if (x.v < y.v || x.v > y.v)
			return x.v < y.v ? -1 : 1;
	}
	return 0;
}

static int by_key(const void *p, const void *q)
{
	const PrintedLine *a = p, *b = q;
	int order = strcmp(a->key, b->key);
	return order ? order : by_numbers(a->text, b->text);
}

static PrintedText lines_of(const char *text, u64 size)
{
	PrintedText t = {.arena = arena_new()};
	for (const char *at = text, *end = text + size; at <= end;) {
		const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
		size_t n = (size_t)((stop ? stop : end) - at);
		char *line = memcpy(arena_alloc(t.arena, n + 1), at, n);
		for (size_t i = 0; i < n; i++)
			line[i] = line[i] ? line[i] : 1;
		line[n] = '\0';
		array_push(&t.lines, ((PrintedLine){.text = line}));
		at += n + 1;
	}
	return t;
}

static void sort_lines(PrintedText *t, const PrintedForms *forms)
{
	for (u32 i = 0; i < t->lines.n; i++)
		t->lines.v[i].key = key_of(t->lines.v[i].text, forms, t->arena);
	qsort(t->lines.v, t->lines.n, sizeof *t->lines.v, by_key);
}

static bool same_lines(const PrintedText *x, const PrintedText *y, const PrintedForms *forms,
                       const FeLimits *limits)
{
	bool same = x->lines.n == y->lines.n;
	for (u32 i = 0; same && i < x->lines.n; i++)
		same = same_line(x->lines.v[i].text, y->lines.v[i].text, forms, limits);
	return same;
}

static void text_free(PrintedText *t)
{
	array_free(&t->lines);
	arena_free(t->arena);
}

bool printed_same(const char *a, u64 na, const char *b, u64 nb, const Program *p, const FeLimits *limits,
                  bool as_floats)
{
	if (na == nb && (!na || !memcmp(a, b, na)))
		return true;
	PrintedForms forms = forms_of(p);
	forms.as_floats = as_floats;
	PrintedText x = lines_of(na ? a : "", na), y = lines_of(nb ? b : "", nb);
	bool same = same_lines(&x, &y, &forms, limits);
	if (!same && x.lines.n == y.lines.n) {
		sort_lines(&x, &forms);
		sort_lines(&y, &forms);
		same = same_lines(&x, &y, &forms, limits);
	}
	array_free(&forms.floats);
	text_free(&x);
	text_free(&y);
	return same;
}
