/* The safe operations: what C leaves undefined or open is settled here, once per type, as
 * macros and functions named after the operation and the type (div_int4). Only those that
 * a program uses are printed.
 *
 * In the texts $T is the type, $U the unsigned and $M the signed type of the same size and
 * width, $B the bits of an element less one, $K the kind (the element's type), $N the bits
 * of the NaN that stands for every NaN. */
#include "tests/gen/gen.h"

typedef struct {
	const char *name;
	u32 kinds, widths;
	const char *text;
} Helper;

static const Helper helpers[] = {
    {"add", INT, ANY, "#define add_$T(a, b) as_$T(($U)(as_$U(a) + as_$U(b)))\n"},
    {"sub", INT, ANY, "#define sub_$T(a, b) as_$T(($U)(as_$U(a) - as_$U(b)))\n"},
    /* ushort * ushort is an int multiplication, which may overflow */
    {"mul", M_short | M_ushort, W1,
     "#define mul_$T(a, b) as_$T(($U)((uint)as_$U(a) * (uint)as_$U(b)))\n"},
    {"mul", INT, ANY, "#define mul_$T(a, b) as_$T(($U)(as_$U(a) * as_$U(b)))\n"},
    {"neg", INT, ANY, "#define neg_$T(a) as_$T(($U)(($U)(0) - as_$U(a)))\n"},
    {"shl", INT, ANY, "#define shl_$T(a, b) as_$T(($U)(as_$U(a) << (as_$U(b) & ($U)($B))))\n"},
    {"shr", INT, ANY, "#define shr_$T(a, b) (($T)((a) >> (as_$U(b) & ($U)($B))))\n"},
    {"div", UNS, W1, "$T div_$T($T a, $T b) { return b == 0 ? a : ($T)(a / b); }\n"},
    {"rem", UNS, W1, "$T rem_$T($T a, $T b) { return b == 0 ? a : ($T)(a % b); }\n"},
    {"div", SIG, W1,
     "$T div_$T($T a, $T b)\n{\n\tif (b == 0 || b == -1)\n\t\treturn a;\n"
     "\treturn ($T)(a / b);\n}\n"},
    {"rem", SIG, W1,
     "$T rem_$T($T a, $T b)\n{\n\tif (b == 0 || b == -1)\n\t\treturn a;\n"
     "\treturn ($T)(a % b);\n}\n"},
    {"div", UNS, VEC, "$T div_$T($T a, $T b) { return a / select(b, ($T)(1), b == ($T)(0)); }\n"},
    {"rem", UNS, VEC, "$T rem_$T($T a, $T b) { return a % select(b, ($T)(1), b == ($T)(0)); }\n"},
    {"div", SIG, VEC,
     "$T div_$T($T a, $T b) { return a / select(b, ($T)(1), b == ($T)(0) || b == ($T)(-1)); }\n"},
    {"rem", SIG, VEC,
     "$T rem_$T($T a, $T b) { return a % select(b, ($T)(1), b == ($T)(0) || b == ($T)(-1)); }\n"},
    {"clamp", INT, ANY,
     "$T clamp_$T($T x, $T a, $T b) { return clamp(x, min(a, b), max(a, b)); }\n"},
    /* 0 for a NaN: what converting one to an integer gives is open */
    {"clean", FLT, W1, "$T clean_$T($T x) { return isnan(x) ? ($T)(0) : x; }\n"},
    {"clean", FLT, VEC, "$T clean_$T($T x) { return select(x, ($T)(0), isnan(x)); }\n"},
    /* one NaN for all: its sign and payload are open */
    {"canon", FLT, W1, "$T canon_$T($T x) { return isnan(x) ? as_$T($N) : x; }\n"},
    {"canon", FLT, VEC, "$T canon_$T($T x) { return select(x, as_$T(($U)($N)), isnan(x)); }\n"},
    {"bits", FLT, W1, "$U bits_$T($T x) { return isnan(x) ? $N : as_$U(x); }\n"},
    {"bits", FLT, VEC, "$U bits_$T($T x) { return select(as_$U(x), ($U)($N), isnan(x)); }\n"},
};

static void put_helper(Gen *g, const char *text, Type t)
{
	Type u = mk_type(to_unsigned(t.kind), t.width), s = mk_type(to_signed(t.kind), t.width);
	for (const char *p = text; *p; p++) {
		if (*p != '$') {
			put(g, "%c", *p);
			continue;
		}
		switch (*++p) {
		case 'T': put(g, "%s", type_name(g, t)); break;
		case 'U': put(g, "%s", type_name(g, u)); break;
		case 'M': put(g, "%s", type_name(g, s)); break;
		case 'K': put(g, "%s", type_name(g, mk_type(t.kind, 1))); break;
		case 'B': put(g, "%u", kind_bits(t.kind) - 1); break;
		default:
			put(g, kind_bits(t.kind) == 32 ? "0x7fc00000u" : "0x7ff8000000000000ul");
			break;
		}
	}
}

/* Mixes all elements of x into h. */
static void put_hash(Gen *g, Type t)
{
	Type u = mk_type(to_unsigned(t.kind), t.width);
	const char *name = type_name(g, t), *bits = type_name(g, u);
	put(g, "uint hash_%s(uint h, %s x)\n{\n\t%s y = ", name, name, bits);
	const char *nan = t.kind == K_float ? "0x7fc00000u" : "0x7ff8000000000000ul";
	if (!is_float(t.kind))
		put(g, "as_%s(x);\n", bits);
	else if (t.width == 1)
		put(g, "isnan(x) ? %s : as_%s(x);\n", nan, bits);
	else
		put(g, "select(as_%s(x), (%s)(%s), isnan(x));\n", bits, bits, nan);
	for (u32 i = 0; i < t.width; i++) {
		char *e =
		    t.width > 1 ? arena_printf(g->arena, "y.s%x", i) : arena_strdup(g->arena, "y");
		if (kind_bits(t.kind) == 64)
			put_line(g, "\th = (h ^ (uint)(%s >> 32)) * 0x01000193u;", e);
		put_line(g, "\th = (h ^ (uint)%s) * 0x01000193u;", e);
	}
	put(g, "\treturn h;\n}\n");
}

void put_helpers(Gen *g, const char *text)
{
	static const u8 widths[] = {1, 2, 3, 4, 8, 16};
	for (u32 k = 0; k < KINDS; k++) {
		for (u32 w = 0; w < COUNT(widths); w++) {
			Type t = mk_type(k, widths[w]);
			const char *tn = type_name(g, t), *done = "";
			for (u32 i = 0; i < COUNT(helpers); i++) {
				const Helper *h = &helpers[i];
				bool fits = h->kinds >> k & 1 && h->widths >> t.width & 1;
				if (!fits || !strcmp(done, h->name))
					continue;
				done = h->name;
				if (mentions(text, arena_printf(g->arena, "%s_%s", h->name, tn)))
					put_helper(g, h->text, t);
			}
			if (mentions(text, arena_printf(g->arena, "hash_%s", tn)))
				put_hash(g, t);
		}
	}
}
