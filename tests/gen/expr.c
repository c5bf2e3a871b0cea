/* Expressions: the productions of expr.def and how their texts are filled in. */
#include "tests/gen/gen.h"

enum { NO_FEATURE = 31 };

typedef struct {
	u16 weight;
	u16 kinds;
	u32 widths;
	u32 needs;
	const char *text;
} Rule;

static const Rule value_rules[] = {
#define E(weight, kinds, widths, needs, text) {weight, kinds, widths, needs, text},
#include "tests/gen/expr.def"
};

static const Rule cond_rules[] = {
#define C(weight, kinds, widths, needs, text) {weight, kinds, widths, needs, text},
#include "tests/gen/expr.def"
};

/* The types that one expansion has drawn, by their letter. */
typedef struct {
	Type t;
	Type drawn[26];
	bool known[26];
	u32 depth;
} Fill;

static bool fits(const Gen *g, const Rule *r, Type t)
{
	return r->kinds >> t.kind & 1 && r->widths >> t.width & 1 &&
	       (r->needs == NO_FEATURE || has(g, (Feature)r->needs));
}

static const Rule *pick_rule(Gen *g, const Rule *rules, u32 n, const Type *t)
{
	u32 sum = 0;
	for (u32 i = 0; i < n; i++)
		sum += !t || fits(g, &rules[i], *t) ? rules[i].weight : 0u;
	u32 x = below(g, sum);
	for (u32 i = 0; i < n; i++) {
		u32 w = !t || fits(g, &rules[i], *t) ? rules[i].weight : 0u;
		if (x < w)
			return &rules[i];
		x -= w;
	}
	return NULL;
}

/* An integer type of as many bytes as t; elements may be wider or narrower. */
static Type same_size(Gen *g, Type t)
{
	Type r = mk_type(pick_kind(g, INT), 1);
	u32 bits = kind_bits(t.kind) * t.width;
	u32 width = bits / kind_bits(r.kind);
	bool good = t.width != 3 && width && width <= 16 && width * kind_bits(r.kind) == bits &&
		    (width == 1 || has(g, F_vector));
	if (!good)
		return mk_type(chance(g, 50) ? to_unsigned(t.kind) : to_signed(t.kind), t.width);
	r.width = (u8)width;
	return r;
}

static Type draw(Gen *g, char letter, Type t)
{
	u32 size = kind_bits(t.kind) == 32   ? M_float | I32
		   : kind_bits(t.kind) == 64 ? M_double | I64
		   : kind_bits(t.kind) == 16 ? M_short | M_ushort
					     : M_char | M_uchar;
	switch (letter) {
	case 't': return t;
	case 'u': return mk_type(to_unsigned(t.kind), t.width);
	case 's':
	case 'm': return mk_type(to_signed(t.kind), t.width);
	case 'o': return mk_type(pick_kind(g, INT), t.width);
	case 'f': return mk_type(has(g, F_double) && chance(g, 25) ? K_double : K_float, t.width);
	case 'g': return mk_type(size & M_float ? K_float : K_double, t.width);
	case 'q':
		if (!has(g, F_long) && size & I64) /* a long comes from a double's mask */
			return mk_type(K_double, t.width);
		return mk_type(pick_kind(g, size), t.width);
	case 'r': return pick_scalar(g);
	case 'e': return same_size(g, t);
	case 'd': return mk_type(t.kind, t.width * 2u);
	case 'x': return mk_type(t.kind, 2u << below(g, 4));
	case 'h': return mk_type(t.kind - 2u, t.width);
	case 'l': return mk_type(to_unsigned(t.kind - 2u), t.width);
	case 'i': return mk_type(K_uint, 1);
	default: return mk_type(K_int, 1);
	}
}

static Type drawn(Gen *g, Fill *f, char letter)
{
	u32 i = (u32)(letter - 'a');
	if (!f->known[i]) {
		f->drawn[i] = draw(g, letter, f->t);
		f->known[i] = true;
	}
	return f->drawn[i];
}

/* Any value at all, turned into a t. */
static void put_other(Gen *g, Type t, u32 depth)
{
	Type from = pick_type(g);
	Buf text = {0}, *saved = g->b;
	g->b = &text;
	put_expr(g, from, depth);
	g->b = saved;
	put_adapted(g, from, t, text.v);
	array_free(&text);
}

static void put_pieces(Gen *g, Type t, u32 depth)
{
	for (u32 left = t.width; left;) {
		u32 w = 1u << below(g, 3);
		if (w > left || w == t.width)
			w = 1;
		put_expr(g, mk_type(t.kind, w), depth > 1 && t.width > 4 ? 1 : depth);
		left -= w;
		if (left)
			put(g, ", ");
	}
}

static void put_operand(Gen *g, Fill *f, char letter)
{
	if (letter == 'b')
		put_cond(g, f->depth);
	else if (letter == 'k')
		put_pieces(g, f->t, f->depth);
	else if (letter == 'z')
		put_other(g, f->t, f->depth);
	else if (letter == 'c') {
		if (g->uniform_expr || !put_call(g, f->t, f->depth, true))
			put_leaf(g, f->t, f->depth);
	} else
		put_expr(g, drawn(g, f, letter), f->depth);
}

/* {a|b|c}: text points behind the brace. Returns what follows the closing brace and puts
 * the drawn alternative into word. */
static const char *put_choice(Gen *g, const char *text, char *word, size_t size)
{
	u32 n = 1;
	for (const char *p = text; *p != '}'; p++) {
		if (*p == '\\')
			p++;
		else if (*p == '|')
			n++;
	}
	u32 want = below(g, n), at = 0;
	size_t len = 0;
	const char *p = text;
	for (; *p != '}'; p++) {
		if (*p == '|') {
			at++;
			continue;
		}
		if (*p == '\\')
			p++;
		if (at == want && len + 1 < size)
			word[len++] = *p;
	}
	word[len] = 0;
	return p + 1;
}

static void put_name(Gen *g, Fill *f, char letter)
{
	if (letter == 'B')
		put(g, "%u", kind_bits(f->t.kind) - 1);
	else
		put(g, "%s", type_name(g, drawn(g, f, (char)(letter - 'A' + 'a'))));
}

static void fill(Gen *g, const char *text, Type t, u32 depth)
{
	Fill f = {.t = t, .depth = depth};
	char word[64];
	for (const char *p = text; *p;) {
		if (*p == '{') {
			p = put_choice(g, p + 1, word, sizeof word);
			put(g, "%s", word);
		} else if (*p == '%' && p[1] == '{') {
			p = put_choice(g, p + 2, word, sizeof word);
			put_operand(g, &f, word[0]);
		} else if (*p == '%') {
			put_operand(g, &f, p[1]);
			p += 2;
		} else if (*p == '$') {
			put_name(g, &f, p[1]);
			p += 2;
		} else {
			put(g, "%c", *p++);
		}
	}
}

void put_expr(Gen *g, Type t, u32 depth)
{
	Node n = node_begin(g);
	g->cost += g->flow.mult;
	bool leaf = !depth || chance(g, depth > 2 ? 12 : 30);
	if (leaf)
		put_leaf(g, t, depth);
	else
		fill(g, pick_rule(g, value_rules, COUNT(value_rules), &t)->text, t, depth - 1);
	bool big = g->b->n - n.start > 12; /* a name or a small literal is not worth a try */
	if (!node_end(g, n, big))
		put(g, "((%s)(1))", type_name(g, t));
}

void put_cond(Gen *g, u32 depth)
{
	Node n = node_begin(g);
	g->cost += g->flow.mult;
	const Rule *r;
	do
		r = pick_rule(g, cond_rules, COUNT(cond_rules), NULL);
	while (r->needs != NO_FEATURE && !has(g, (Feature)r->needs));
	Type t = mk_type(pick_kind(g, r->kinds), 1);
	if (!(r->widths & W1))
		do
			t.width = (u8)(2 + below(g, 15));
		while (!(r->widths >> t.width & 1));
	fill(g, r->text, t, depth ? depth - 1 : 0);
	if (!node_end(g, n, true))
		put(g, "(1)");
}

void put_flow_expr(Gen *g, Type t, u32 depth)
{
	bool saved = g->uniform_expr;
	g->uniform_expr |= g->flow.uniform;
	put_expr(g, t, depth);
	g->uniform_expr = saved;
}

void put_flow_cond(Gen *g, u32 depth)
{
	bool saved = g->uniform_expr;
	g->uniform_expr |= g->flow.uniform;
	put_cond(g, depth);
	g->uniform_expr = saved;
}
