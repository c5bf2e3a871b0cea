/* See printed.h. Lines are compared in the order in which they were printed, or else sorted by what is not rounded:
 * "0.8 of 5" stays beside "0.7 of 5", whichever lines are around them. */
#include "engine/printed.h"

#include <float.h>
#include <math.h>

typedef struct PrintedLine {
	const char *text, *key; /* key: without the floats */
} PrintedLine;

typedef struct PrintedText {
	Arena *arena;
	ARRAY(PrintedLine) lines;
} PrintedText;

typedef struct PrintedNumber {
	const char *end; /* what follows it */
	double v, last;  /* last: one unit of its last digit; of integers 0 */
} PrintedNumber;

/* One unit of the last digit of a number that ends at end. */
static double last_digit(const char *digits, const char *end)
{
	size_t n = (size_t)(end - digits);
	if (n > 1 && (digits[1] == 'x' || digits[1] == 'X')) /* %a and %x leave nothing out */
		return memchr(digits, 'p', n) || memchr(digits, 'P', n) ? DBL_MIN : 0;
	const char *dot = memchr(digits, '.', n), *digit = dot ? dot + 1 : digits;
	size_t decimals = strspn(digit, "0123456789");
	const char *e = digit + decimals < end ? digit + decimals + 1 : NULL;
	return dot || e ? pow(10, (e ? strtod(e, NULL) : 0) - (dot ? (double)decimals : 0)) : 0;
}

/* Is there a number at p? */
static bool number_at(const char *p, PrintedNumber *out)
{
	const char *digits = p + (*p == '-');
	char *end;
	bool nan = !strncmp(digits, "nan", 3);
	if (!nan && (!*digits || !strchr("0123456789.", *digits)))
		return false;
	*out = (PrintedNumber){.v = strtod(p, &end)};
	out->end = end;
	if (!nan && end > p)
		out->last = last_digit(digits, end);
	return end > p;
}

/* Does its text depend on how it was rounded? */
static bool is_rounded(const PrintedNumber *x) { return x->last > 0 || isnan(x->v); }

static bool close_enough(const PrintedNumber *x, const PrintedNumber *y, const FeLimits *limits)
{
	int exponent;
	if (x->v == y->v || (isnan(x->v) && isnan(y->v)))
		return true;
	if (!is_rounded(x) && !is_rounded(y))
		return false;
	frexp(x->v, &exponent);
	double ulp = fmax(limits->f32 * ldexp(1, exponent - 24), limits->f64 * ldexp(1, exponent - 53));
	/* %g leaves zeros out: the one with more digits tells how many were printed. */
	double last = x->last > 0 && y->last > 0 ? fmin(x->last, y->last) : fmax(x->last, y->last);
	return fabs(x->v - y->v) <= ulp + 1.001 * last;
}

static bool same_line(const char *a, const char *b, const FeLimits *limits)
{
	PrintedNumber x, y;
	while (*a && *b) {
		if (number_at(a, &x) && number_at(b, &y)) {
			if (!close_enough(&x, &y, limits))
				return false;
			a = x.end;
			b = y.end;
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return *a == *b;
}

static const char *key_of(const char *text, Arena *a)
{
	Buf key = {0};
	PrintedNumber x;
	while (*text) {
		bool number = number_at(text, &x);
		const char *end = number ? x.end : text + 1;
		if (number && is_rounded(&x))
			buf_write(&key, "#", 1);
		else
			buf_write(&key, text, (size_t)(end - text));
		text = end;
	}
	return buf_keep(&key, a);
}

/* Of lines with one key: the floats, from the first that differs. */
static int by_floats(const char *a, const char *b)
{
	PrintedNumber x, y;
	while (*a && *b) {
		if (!number_at(a, &x) || !number_at(b, &y)) {
			a++;
			b++;
			continue;
		}
		if (isnan(x.v) != isnan(y.v))
			return isnan(x.v) ? 1 : -1;
		if (x.v < y.v || x.v > y.v)
			return x.v < y.v ? -1 : 1;
		a = x.end;
		b = y.end;
	}
	return 0;
}

static int by_key(const void *p, const void *q)
{
	const PrintedLine *a = p, *b = q;
	int order = strcmp(a->key, b->key);
	return order ? order : by_floats(a->text, b->text);
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

static void sort_lines(PrintedText *t)
{
	for (u32 i = 0; i < t->lines.n; i++)
		t->lines.v[i].key = key_of(t->lines.v[i].text, t->arena);
	qsort(t->lines.v, t->lines.n, sizeof *t->lines.v, by_key);
}

static bool same_lines(const PrintedText *x, const PrintedText *y, const FeLimits *limits)
{
	bool same = x->lines.n == y->lines.n;
	for (u32 i = 0; same && i < x->lines.n; i++)
		same = same_line(x->lines.v[i].text, y->lines.v[i].text, limits);
	return same;
}

static void text_free(PrintedText *t)
{
	array_free(&t->lines);
	arena_free(t->arena);
}

bool printed_same(const char *a, u64 na, const char *b, u64 nb, const FeLimits *limits)
{
	if (na == nb && (!na || !memcmp(a, b, na)))
		return true;
	PrintedText x = lines_of(na ? a : "", na), y = lines_of(nb ? b : "", nb);
	bool same = same_lines(&x, &y, limits);
	if (!same && x.lines.n == y.lines.n) {
		sort_lines(&x);
		sort_lines(&y);
		same = same_lines(&x, &y, limits);
	}
	text_free(&x);
	text_free(&y);
	return same;
}
