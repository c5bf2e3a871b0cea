/* The text of an expression as a tree: see debug_expr.c, which evaluates it. */
#include "engine/debug_run.h"

#include "base/scan.h"

typedef struct Parser {
	Debugger *g;
	const char *begin, *p, *why;
	u32 depth, nodes;
} Parser;

enum { DEEPEST = 64, MOST_NODES = 1000 };

/* Operators by how strongly they bind; of those with a common beginning the longer first. */
static const struct {
	const char *text;
	u32 level;
} operators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"|", 3},
    {"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};

static DebugExpr *node(Parser *x, ExprKind kind, DebugExpr *a, DebugExpr *b)
{
	DebugExpr *e = ARENA_NEW(x->g->arena, DebugExpr);
	*e = (DebugExpr){.kind = kind, .a = a, .b = b};
	x->nodes++;
	return e;
}

static DebugExpr *fail(Parser *x, const char *why)
{
	x->why = x->why ? x->why : why;
	return NULL;
}

static DebugExpr *expression(Parser *x, u32 level);

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static DebugExpr *number(Parser *x)
{
	char *end, *dot;
	DebugExpr *e = node(x, E_NUMBER, NULL, NULL);
	bool hex = x->p[0] == '0' && (x->p[1] == 'x' || x->p[1] == 'X');
	u64 v = strtoull(x->p, &end, 0);
	double f = strtod(x->p, &dot);
	if (!hex && dot > end) {
		bool single = *dot == 'f' || *dot == 'F';
		float narrow = (float)f;
		end = dot + single;
		e->value.type = x->g->own[single ? OWN_F32 : OWN_F64];
		memcpy(&e->value.bits, single ? (void *)&narrow : (void *)&f, single ? sizeof narrow : sizeof f);
	} else {
		bool u = false, wide = v > UINT32_MAX;
		for (; *end && strchr("uUlL", *end); end++) {
			u |= *end == 'u' || *end == 'U';
			wide |= *end == 'l' || *end == 'L';
		}
		u |= !wide && v > INT32_MAX;
		e->value.type = x->g->own[wide ? (u ? OWN_U64 : OWN_I64) : u ? OWN_U32 : OWN_I32];
		e->value.bits = v;
	}
	x->p = end;
	return is_word(*x->p) ? fail(x, "this is no number") : e;
}

static DebugExpr *primary(Parser *x)
{
	scan_skip(&x->p);
	if (isdigit((unsigned char)*x->p) || (*x->p == '.' && isdigit((unsigned char)x->p[1])))
		return number(x);
	if (scan_take(&x->p, "(")) {
		DebugExpr *e = expression(x, 0);
		return e && !scan_take(&x->p, ")") ? fail(x, "a ')' is missing") : e;
	}
	if (!is_word(*x->p))
		return fail(x, *x->p ? "write a name or a number here" : "the expression ends too early");
	DebugExpr *e = node(x, E_NAME, NULL, NULL);
	for (e->text = x->p; is_word(*x->p) || (x->p[0] == ':' && x->p[1] == ':' && is_word(x->p[2])); x->p++)
		x->p += *x->p == ':';
	e->n = (size_t)(x->p - e->text);
	return e;
}

static DebugExpr *postfix(Parser *x)
{
	DebugExpr *e = primary(x);
	while (e && x->nodes < MOST_NODES) {
		DebugExpr *up;
		if (scan_take(&x->p, "[")) {
			DebugExpr *i = expression(x, 0);
			if (!i)
				return NULL;
			if (!scan_take(&x->p, "]"))
				return fail(x, "a ']' is missing");
			e = node(x, E_INDEX, e, i);
		} else if (e->kind == E_NAME && scan_take(&x->p, "(")) {
			up = node(x, E_CALL, NULL, NULL);
			up->text = e->text;
			up->n = e->n;
			up->a = scan_take(&x->p, ")") ? NULL : expression(x, 0);
			if (up->a && !scan_take(&x->p, ")"))
				return fail(x, "a ')' is missing");
			if (x->why)
				return NULL;
			e = up;
		} else if (scan_take(&x->p, "->") ||
		           (x->p[0] == '.' && !isdigit((unsigned char)x->p[1]) && scan_take(&x->p, "."))) {
			bool arrow = x->p[-1] == '>';
			scan_skip(&x->p);
			up = node(x, E_MEMBER, arrow ? node(x, E_DEREF, e, NULL) : e, NULL);
			for (up->text = x->p; is_word(*x->p); x->p++)
				;
			up->n = (size_t)(x->p - up->text);
			if (!up->n)
				return fail(x, "the name of a member must follow '.' or '->'");
			e = up;
		} else {
			break;
		}
	}
	return e;
}

static DebugExpr *unary(Parser *x)
{
	static const struct {
		const char *text;
		ExprKind kind;
	} all[] = {{"*", E_DEREF}, {"&", E_ADDRESS}, {"!", E_NOT}, {"~", E_COMPLEMENT}, {"-", E_MINUS}};
	if (++x->depth > DEEPEST)
		return fail(x, "this has more than 64 levels: write a shorter expression");
	DebugExpr *e = NULL;
	bool found = false;
	for (u32 i = 0; i < COUNT(all) && !found; i++)
		if ((found = scan_take(&x->p, all[i].text))) {
			e = unary(x);
			e = e ? node(x, all[i].kind, e, NULL) : NULL;
		}
	e = found ? e : scan_take(&x->p, "+") ? unary(x) : postfix(x);
	x->depth--;
	return e;
}

/* level 0: with the choice between two; n: operators that bind as strongly or more. */
static DebugExpr *expression(Parser *x, u32 level)
{
	if (++x->depth > DEEPEST)
		return fail(x, "this has more than 64 levels: write a shorter expression");
	DebugExpr *e = unary(x);
	bool more = true;
	while (e && more && x->nodes < MOST_NODES) {
		more = false;
		scan_skip(&x->p);
		for (u32 i = 0; i < COUNT(operators) && e && !more; i++) {
			if (operators[i].level < (level ? level : 1) || !scan_take(&x->p, operators[i].text))
				continue;
			DebugExpr *right = expression(x, operators[i].level + 1);
			e = right ? node(x, E_BINARY, e, right) : NULL;
			if (e)
				e->text = operators[i].text;
			more = true;
		}
	}
	if (e && !level && scan_take(&x->p, "?")) {
		DebugExpr *yes = expression(x, 0);
		if (yes && !scan_take(&x->p, ":"))
			return fail(x, "a ':' is missing");
		DebugExpr *no = yes ? expression(x, 0) : NULL;
		e = no ? node(x, E_CHOOSE, e, yes) : NULL;
		if (e)
			e->c = no;
	}
	x->depth--;
	return e;
}

DebugExpr *debugger_parse(Debugger *g, const char *text, const char **why, u32 *at)
{
	const char *own = arena_strdup(g->arena, text);
	Parser x = {.g = g, .begin = own, .p = own};
	DebugExpr *e = expression(&x, 0);
	scan_skip(&x.p);
	if (e && *x.p)
		e = fail(&x, "the expression should end here");
	*why = x.why;
	*at = (u32)(x.p - x.begin);
	return e;
}
