/* The alternatives of a value of a sweep.
 *
 *   a,b,c      each of them          8x8,16x16    sizes: x joins dimensions
 *   32:1024    32, 64, 128 … 1024    4:16x4:16    a range in each dimension: all pairs
 *   16:64:16   16, 32, 48, 64        a|b          also where commas mean something else
 *
 * Commas in (), [] and {} belong to the value. */
#include "engine/sweep.h"

#include <ctype.h>

static const char *add(Texts *out, const char *text)
{
	if (out->n == MOST_VALUES)
		return "these are too many values";
	array_push(out, text);
	return NULL;
}

/* The next of the parts that are separated by one of seps; *p is behind it, NULL at the end. */
static const char *next_part(const char **p, const char *seps, Arena *a)
{
	const char *s = *p;
	int depth = 0;
	size_t n = 0;
	for (; s[n]; n++) {
		if (strchr("([{", s[n]))
			depth++;
		else if (strchr(")]}", s[n]) && depth)
			depth--;
		else if (!depth && strchr(seps, s[n]))
			break;
	}
	*p = s[n] ? s + n + 1 : NULL;
	return arena_strndup(a, s, n);
}

/* "A:B" or "A:B:S" in whole numbers? */
static bool is_range(const char *text, i128 v[3], bool *step, Arena *a)
{
	const char *p = text;
	u32 n = 0;
	while (p && n < 3) {
		const char *one = next_part(&p, ":", a);
		u64 size;
		bool minus = *one == '-';
		if (!isdigit((unsigned char)one[minus]) || !parse_u64(one + minus, &size))
			return false;
		v[n++] = minus ? -(i128)size : (i128)size;
	}
	*step = n == 3;
	return n >= 2 && !p;
}

static const char *number_text(i128 x, Arena *a)
{
	return arena_printf(a, "%s%llu", x < 0 ? "-" : "", (unsigned long long)(x < 0 ? -x : x));
}

static const char *add_range(const i128 v[3], bool step, Arena *a, Texts *out)
{
	const char *range = arena_printf(a, "%s:%s", number_text(v[0], a), number_text(v[1], a));
	if (v[0] > v[1])
		return arena_printf(a, "the range %s is empty", range);
	if (step && v[2] <= 0)
		return "the step of a range must be 1 or more";
	if (!step && v[0] <= 0)
		return arena_printf(a, "a range that doubles begins with 1 or more; give a step: %s:1", range);
	for (i128 x = v[0]; x <= v[1]; x += step ? v[2] : x) {
		const char *why = add(out, number_text(x, a));
		if (why)
			return why;
	}
	return NULL;
}

static const char *add_number(const char *text, Arena *a, Texts *out)
{
	i128 v[3];
	bool step;
	return is_range(text, v, &step, a) ? add_range(v, step, a, out) : add(out, text);
}

/* "4:16x8": every combination of its dimensions. */
static const char *add_sizes(const char *text, Arena *a, Texts *out)
{
	Texts so_far = {0};
	const char *p = text, *why = add(&so_far, "");
	for (u32 dim = 0; p && !why; dim++) {
		Texts one = {0}, joined = {0};
		why = dim == 3 ? "a size has at most three dimensions"
		               : add_number(next_part(&p, "xX", a), a, &one);
		for (u32 i = 0; i < so_far.n && !why; i++)
			for (u32 k = 0; k < one.n && !why; k++)
				why = add(&joined, arena_printf(a, "%s%s%s", so_far.v[i], dim ? "x" : "", one.v[k]));
		array_free(&one);
		array_free(&so_far);
		so_far = joined;
	}
	for (u32 i = 0; i < so_far.n && !why; i++)
		why = add(out, so_far.v[i]);
	array_free(&so_far);
	return why;
}

/* Numbers and ranges separated by commas, nothing else? Then they are alternatives of an argument. */
static bool all_numbers(const char *text, Arena *a)
{
	i128 v[3];
	double f;
	bool step;
	for (const char *p = text; p;) {
		const char *one = next_part(&p, ",", a);
		if (!parse_f64(one, &f) && !is_range(one, v, &step, a))
			return false;
	}
	return true;
}

static const char *find_twice(const Texts *list, Arena *a)
{
	const char **sorted = ARENA_ARRAY(a, const char *, list->n + 1);
	if (list->n)
		memcpy(sorted, list->v, list->n * sizeof *sorted);
	qsort(sorted, list->n, sizeof *sorted, by_text);
	for (u32 i = 1; i < list->n; i++)
		if (!strcmp(sorted[i - 1], sorted[i]))
			return sorted[i];
	return NULL;
}

const char *sweep_values(const char *text, ValuesSyntax syntax, Arena *a, Texts *out)
{
	bool list = syntax != VALUES_ARG || all_numbers(text, a), bars = strchr(text, '|') != NULL;
	const char *why = NULL;
	for (const char *p = text; p && !why;) {
		const char *part = next_part(&p, bars ? "|" : list ? "," : "", a);
		if (!*part && bars && !p)
			break; /* "1,2,3|": one value that has commas */
		if (!*part)
			why = "a value is empty";
		else if (syntax == VALUES_SIZES)
			why = add_sizes(part, a, out);
		else if (syntax == VALUES_WORDS || (syntax == VALUES_ARG && !list))
			why = add(out, part);
		else
			why = add_number(part, a, out);
	}
	const char *twice = why ? NULL : find_twice(out, a);
	if (!twice)
		return why;
	if (syntax == VALUES_SIZES)
		return arena_printf(a, "%s is there twice; in a sweep commas separate alternatives, and x joins "
		                       "dimensions: %sx%s", twice, twice, twice);
	return arena_printf(a, "%s is there twice", twice);
}
