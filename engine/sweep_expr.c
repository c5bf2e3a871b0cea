/* Arithmetic in the values of a sweep: --local {bx}x{by}, --where 'bx * by <= 1024'. Whole numbers
 * with C's operators and precedence; what overflows, divides by zero or is nested too deep is an
 * error, so that no text can do harm. */
#include "engine/sweep.h"

#include "base/scan.h"

enum { DEEPEST = 100 };

typedef struct Expr {
	const char *text, *p;
	SweepLookup *lookup;
	void *ctx;
	Arena *arena;
	const char *why; /* the first thing that is wrong */
	u32 depth;
} Expr;

static i64 fail(Expr *e, const char *why)
{
	if (!e->why) /* of a name whose own value is wrong, why says which */
		e->why = *why == '\'' ? why : arena_printf(e->arena, "'%s': %s", e->text, why);
	return 0;
}

static i64 joined(Expr *e, bool all);

static i64 call(Expr *e, const char *name)
{
	i64 a = joined(e, false), out = 0;
	i64 b = scan_take(&e->p, ",") ? joined(e, false) : fail(e, "a function takes two numbers");
	if (!scan_take(&e->p, ")"))
		return fail(e, "')' is missing");
	if (!strcmp(name, "min"))
		return a < b ? a : b;
	if (!strcmp(name, "max"))
		return a > b ? a : b;
	if (strcmp(name, "ceil") && strcmp(name, "up"))
		return fail(e, "the functions are min, max, ceil and up");
	if (a < 0 || b <= 0)
		return fail(e, "ceil and up take positive numbers");
	i64 n = a / b + (a % b != 0);
	if (!strcmp(name, "ceil"))
		return n;
	return __builtin_mul_overflow(n, b, &out) ? fail(e, "a number is too large") : out;
}

static i64 name_or_call(Expr *e)
{
	size_t n = scan_word(e->p);
	const char *name = arena_strndup(e->arena, e->p, n), *why = NULL;
	e->p += n;
	if (scan_take(&e->p, "("))
		return call(e, name);
	i64 v = 0;
	if (!e->why && !e->lookup(e->ctx, name, &v, &why))
		fail(e, why);
	return v;
}

static i64 primary(Expr *e)
{
	scan_skip(&e->p);
	if (++e->depth > DEEPEST)
		return fail(e, "this is nested too deep");
	i64 v = 0;
	if (scan_take(&e->p, "(")) {
		v = joined(e, false);
		if (!scan_take(&e->p, ")"))
			fail(e, "')' is missing");
	} else if (scan_take(&e->p, "-")) {
		if (__builtin_sub_overflow((i64)0, primary(e), &v))
			fail(e, "a number is too large");
	} else if (scan_take(&e->p, "!")) {
		v = !primary(e);
	} else if (isdigit((unsigned char)*e->p)) {
		size_t n = 0;
		u64 u = 0;
		while (isalnum((unsigned char)e->p[n]))
			n++;
		if (!parse_u64(arena_strndup(e->arena, e->p, n), &u) || u > INT64_MAX)
			fail(e, "this is not a number");
		v = (i64)u;
		e->p += n;
	} else if (isalpha((unsigned char)*e->p) || *e->p == '_') {
		v = name_or_call(e);
	} else {
		fail(e, "a number or a name is missing");
	}
	e->depth--;
	return v;
}

static i64 product(Expr *e)
{
	i64 v = primary(e);
	while (!e->why) {
		char op = scan_take(&e->p, "*") ? '*' : scan_take(&e->p, "/") ? '/' : scan_take(&e->p, "%") ? '%' : 0;
		if (!op)
			break;
		i64 b = primary(e), a = v;
		if (op == '*') {
			if (__builtin_mul_overflow(a, b, &v))
				fail(e, "a number is too large");
		} else if (!b || (a == INT64_MIN && b == -1)) {
			fail(e, "division by zero");
		} else {
			v = op == '/' ? a / b : a % b;
		}
	}
	return v;
}

static i64 sum(Expr *e)
{
	i64 v = product(e);
	while (!e->why) {
		bool plus = scan_take(&e->p, "+");
		if (!plus && !scan_take(&e->p, "-"))
			break;
		i64 b = product(e);
		if (plus ? __builtin_add_overflow(v, b, &v) : __builtin_sub_overflow(v, b, &v))
			fail(e, "a number is too large");
	}
	return v;
}

static i64 comparison(Expr *e)
{
	i64 v = sum(e);
	static const char *const ops[] = {"<=", ">=", "==", "!=", "<", ">"};
	for (u32 i = 0; i < COUNT(ops) && !e->why; i++) {
		if (!scan_take(&e->p, ops[i]))
			continue;
		i64 b = sum(e);
		const bool holds[] = {v <= b, v >= b, v == b, v != b, v < b, v > b};
		return holds[i];
	}
	return v;
}

/* Comparisons joined by &&, or those by ||. */
static i64 joined(Expr *e, bool all)
{
	i64 v = all ? comparison(e) : joined(e, true);
	while (!e->why && scan_take(&e->p, all ? "&&" : "||")) {
		i64 b = all ? comparison(e) : joined(e, true);
		v = all ? v && b : v || b;
	}
	return v;
}

const char *sweep_eval(const char *text, SweepLookup *lookup, void *ctx, Arena *a, i64 *out)
{
	Expr e = {.text = text, .p = text, .lookup = lookup, .ctx = ctx, .arena = a};
	*out = joined(&e, false);
	scan_skip(&e.p);
	if (!e.why && *e.p)
		fail(&e, "text follows its end");
	return e.why;
}

const char *sweep_fill(const char *text, SweepLookup *lookup, void *ctx, Arena *a, const char **out)
{
	Buf b = {0};
	const char *why = NULL;
	for (const char *p = text; *p && !why;) {
		size_t n = strcspn(p, "{");
		buf_write(&b, p, n);
		p += n;
		if (!*p)
			break;
		size_t len = strcspn(p, "}");
		i64 v;
		if (p[len] != '}')
			why = arena_printf(a, "'%s': '}' is missing", text);
		else if (!(why = sweep_eval(arena_strndup(a, p + 1, len - 1), lookup, ctx, a, &v)))
			buf_printf(&b, "%lld", (long long)v);
		p += len + (p[len] != 0);
	}
	*out = buf_keep(&b, a);
	return why;
}
