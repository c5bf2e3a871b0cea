/* Types: their names, literals of them, and turning a value of one into another. */
#include "tests/gen/gen.h"

static const char *const kind_names[KINDS] = {"char", "uchar", "short", "ushort", "int",
					      "uint", "long",  "ulong", "float",  "double"};

const char *type_name(Gen *g, Type t)
{
	if (t.width == 1)
		return kind_names[t.kind];
	return arena_printf(g->arena, "%s%u", kind_names[t.kind], t.width);
}

bool is_float(u32 kind) { return kind >= K_float; }
bool is_signed(u32 kind) { return kind < K_float && kind % 2 == 0; }

u32 kind_bits(u32 kind)
{
	if (is_float(kind))
		return kind == K_float ? 32 : 64;
	return 8u << (kind / 2);
}

u32 type_bytes(Type t) { return kind_bits(t.kind) / 8 * (t.width == 3 ? 4u : t.width); }

u32 to_unsigned(u32 kind)
{
	if (is_float(kind))
		return kind == K_float ? K_uint : K_ulong;
	return kind | 1u;
}

u32 to_signed(u32 kind) { return to_unsigned(kind) - 1; }

bool has(const Gen *g, Feature f) { return g->features >> f & 1; }

u32 pick_kind(Gen *g, u32 kinds)
{
	/* 32-bit kinds are what kernels use most. */
	static const u8 weight[KINDS] = {2, 3, 2, 3, 7, 9, 3, 4, 8, 3};
	if (!has(g, F_float))
		kinds &= ~(u32)FLT;
	if (!has(g, F_double))
		kinds &= ~(u32)M_double;
	if (!has(g, F_long))
		kinds &= ~(u32)I64;
	u32 sum = 0;
	for (u32 k = 0; k < KINDS; k++)
		sum += kinds >> k & 1 ? weight[k] : 0;
	u32 x = below(g, sum);
	for (u32 k = 0; k < KINDS; k++) {
		u32 w = kinds >> k & 1 ? weight[k] : 0;
		if (x < w)
			return k;
		x -= w;
	}
	return K_uint;
}

Type pick_scalar(Gen *g) { return mk_type(pick_kind(g, ALL), 1); }

Type pick_type(Gen *g)
{
	static const u8 widths[] = {2, 2, 2, 3, 3, 4, 4, 4, 4, 8, 8, 16};
	Type t = pick_scalar(g);
	u32 w = below(g, COUNT(widths));
	if (has(g, F_vector) && chance(g, 35))
		t.width = widths[w];
	return t;
}

static u64 literal_bits(Gen *g, u32 bits)
{
	u64 one = 1, all = bits == 64 ? ~(u64)0 : (one << bits) - 1;
	u64 r = random_bits(g);
	switch (below(g, 8)) {
	case 0: return 0;
	case 1: return all;
	case 2: return one << (r % bits);
	case 3: return ((one << (r % bits)) - 1) & all;
	case 4: return (one << (bits - 1)) - (r & 1); /* the ends of the signed range */
	case 5: return r & all;
	default: return r % 100;
	}
}

static void put_scalar_literal(Gen *g, u32 kind)
{
	u32 bits = kind_bits(kind);
	if (is_float(kind)) {
		const char *suffix = kind == K_float ? "f" : "";
		u32 whole = below(g, chance(g, 10) ? 100000 : 20);
		u32 quarter = below(g, 4) * 25;
		bool minus = chance(g, 30);
		put(g, minus ? "(-%u.%02u%s)" : "%u.%02u%s", whole, quarter, suffix);
		return;
	}
	u64 v = literal_bits(g, bits);
	/* a cast of a constant is a constant, as_int() of one is not */
	bool minus = is_signed(kind) && v >> (bits - 1) & 1;
	u64 size = minus ? (~v + 1) & (~(u64)0 >> (64 - bits)) : v;
	const char *suffix = kind == K_uint    ? "u"
			     : kind == K_ulong ? "ul"
			     : kind == K_long  ? "l"
					       : "";
	if (bits < 32)
		put(g, "((%s)(", kind_names[kind]);
	else if (minus)
		put(g, "(");
	if (minus && size >> (bits - 1))
		put(g, "-%llu%s - 1", (unsigned long long)(size - 1), suffix);
	else
		put(g, minus ? "-%llu%s" : "%llu%s", (unsigned long long)size, suffix);
	put(g, "%s", bits < 32 ? "))" : minus ? ")" : "");
}

void put_literal(Gen *g, Type t)
{
	if (t.width == 1) {
		put_scalar_literal(g, t.kind);
		return;
	}
	put(g, "((%s)(", type_name(g, t));
	u32 n = chance(g, 50) ? 1 : t.width;
	for (u32 i = 0; i < n; i++) {
		if (i)
			put(g, ", ");
		put_scalar_literal(g, t.kind);
	}
	put(g, "))");
}

static void put_converted(Gen *g, Type from, Type to, const char *text)
{
	const char *to_name = type_name(g, to);
	if (from.kind == to.kind)
		put(g, "%s", text);
	else if (is_float(from.kind) && !is_float(to.kind))
		put(g, "convert_%s_sat(clean_%s(%s))", to_name, type_name(g, from), text);
	else if (to.width == 1 && chance(g, 60))
		put(g, "((%s)%s)", to_name, text);
	else
		put(g, "convert_%s(%s)", to_name, text);
}

/* text must be a primary expression: a member or an index may follow it. */
void put_adapted(Gen *g, Type from, Type to, const char *text)
{
	if (from.width > 1 && to.width != from.width) {
		char *s = arena_printf(g->arena, "%s.s", text);
		for (u32 i = 0; i < to.width; i++)
			s = arena_printf(g->arena, "%s%x", s, below(g, from.width));
		text = s;
		from.width = to.width;
	}
	if (from.width == to.width) {
		put_converted(g, from, to, text);
		return;
	}
	put(g, "((%s)(", type_name(g, to));
	put_converted(g, from, mk_type(to.kind, 1), text);
	put(g, "))");
}
