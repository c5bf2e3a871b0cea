/* What is in one piece of code as NVIDIA's compiler makes it: turns of unrolled loops (frontend/retarget/unroll.c), and
 * sides of short branches as predicates (models/timing/predicate.c). */
#include "tests/unit/cost_kit.h"

void suite_cost_blocks(void);

/* The most multiply-adds that any cost block has. */
static u32 turns(const char *text, u32 unroll)
{
	CostedKernel k = cost_as("h200", NULL, text, unroll, true);
	u32 most = 0;
	for (u32 p = 0; p < k.x->blocks.n; p++) {
		u32 n = 0;
		for (u32 i = 0; i < k.x->blocks.v[p].n; i++)
			n += k.x->ins.v[k.x->blocks.v[p].first + i].cls == MC_valu_fma;
		most = n > most ? n : most;
	}
	done(&k);
	return most;
}

/* How many multiply-adds are together in the source that a format makes? */
PRINTF_LIKE(3, 4) static void expect_turns(u32 want, u32 unroll, const char *format, ...)
{
	Arena *a = arena_new();
	va_list args;
	va_start(args, format);
	const char *source = arena_vprintf(a, format, args);
	va_end(args);
	u32 n = turns(source, unroll);
	CU_ASSERT_EQUAL(n, want);
	if (n != want)
		printf("%u multiply-adds are together, not %u:\n%s", n, want, source);
	arena_free(a);
}

static void expect_loop(u32 want, bool local, const char *loop, const char *index)
{
	expect_turns(want, 16,
	             "kernel void k(global float *o, global const float *b, int n) {\n  local float l[4096];\n"
	             "  %s const float *a = %s;\n  l[get_local_id(0)] = b[n];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
	             "  float v = 0; int g = get_global_id(0);\n  %s v = fma(a[%s], 2.0f, v);\n  o[g] = v;\n}\n",
	             local ? "local" : "global", local ? "l" : "b", loop, index);
}

static void unrolled(void)
{
	static const char open[] =
	    "kernel void k(global float *o, int n) {\n  float v = get_global_id(0);\n"
	    "  for (int i = 0; i < n; i++) v = fma(v, v, 1.5f);\n  o[get_global_id(0)] = v;\n}\n";
	static const char own[] =
	    "kernel void k(global float *o, int n) {\n  float v = get_global_id(0);\n"
	    "  _Pragma(\"unroll 2\") for (int i = 0; i < n; i++) v = fma(v, v, 1.5f);\n"
	    "  o[get_global_id(0)] = v;\n}\n";
	CU_ASSERT_EQUAL(turns(open, 0), 1);
	CU_ASSERT_EQUAL(turns(open, 3), 1);
	CU_ASSERT_EQUAL(turns(open, 4), 4);
	CU_ASSERT_EQUAL(turns(open, 7), 4);
	CU_ASSERT_EQUAL(turns(own, 4), 2); /* the user's own wish */
	/* What NVIDIA's compiler and assembler made of such loops, on 2026-11-28 and -29. */
	static const struct {
		const char *loop, *index;
		u32 turns;
	} rows[] = {
	    {"for (int i = 0; i < n; i++)", "i * n + g", 16},
	    {"for (int i = 0; i < n; i++)", "(i + 1) * n + g", 16},
	    {"for (int i = n - 1; i >= 0; i--)", "i * n + g", 16},
	    {"for (int i = g; i < n; i += 64)", "i", 16},
	    {"for (int i = 0; i < n; i++)", "i * (int)get_num_groups(0) + g", 16},
	    {"for (uint i = 0; i < (uint)n; i++)", "i", 16},
	    /* Only the compiler unrolls them: indices that may wrap, … */
	    {"for (int i = 0; i < n; i++)", "i * 16 + g", 4},
	    {"for (int i = 0; i < n; i++)", "i * 100 + g", 4},
	    {"for (int i = 0; i < n; i++)", "i * (int)get_global_size(0) + g", 4},
	    /* … counters of 64 bits. */
	    {"for (long i = 0; i < n; i++)", "i * n + g", 4},
	    {"for (size_t i = 0; i < n; i++)", "i * 8192 + g", 4},
	    /* … steps that are no numbers, … */
	    {"int s = n / 2; for (int i = g; i < n; i += s)", "i", 4},
	    {"for (int i = g; i < n; i += (int)get_global_size(0))", "i", 4},
	    {"const int s = get_num_groups(0); for (int i = g; i < n; i += 256 * s)", "i", 4},
	    {"long s = n / 2; for (long i = g; i < n; i += s)", "i", 4},
	    /* … sums without a sign, which may wrap. */
	    {"for (uint i = g; i < (uint)n; i += 64)", "i", 4},
	    /* What cannot be counted. */
	    {"uint s = n / 2; for (uint i = g; i < (uint)n; i += s)", "i", 1},
	    {"int s = n / 2; for (int i = n - 1 - g; i >= 0; i -= s)", "i", 1},
	    {"for (int i = g; i < n; i += get_local_size(0) * get_num_groups(0))", "i", 1},
	    {"for (uint i = g; i < (uint)n; i += get_global_size(0))", "i", 1},
	    {"for (int i = g; i < n; i += get_global_size(0))", "i", 1},
	    {"for (int i = 1; i < n; i *= 2)", "i * n + g", 1},
	    {"for (int i = n; i > 0; i >>= 1)", "i * n + g", 1},
	    {"for (int i = 0; i < n && v < 4; i++)", "i * n + g", 1},
	    {"for (int i = 0; i < (int)a[i]; i++)", "i * n + g", 1},
	    {"for (uint i = 0; i < get_local_size(0); i++)", "i", 1},
	    {"for (uint i = 0; i < get_global_size(0); i++)", "i", 1},
	    {"for (uint i = 0; i < get_num_groups(0) / 2; i++)", "i", 1},
	    {"for (uint i = 0; i != get_local_size(0); i++)", "i", 1},
	    {"for (uint i = 0; i < (ulong)n; i++)", "i", 1},
	    /* The launch's sizes in the test: only the compiler. */
	    {"for (int i = 0; i < get_local_size(0); i++)", "i", 4},
	    {"for (int i = 0; i < get_local_size(0) * 2; i++)", "i", 4},
	    {"for (uint i = 0; i < (uint)get_local_size(0); i++)", "i", 4},
	    {"for (size_t i = 0; i < (uint)get_local_size(0); i++)", "i", 4},
	    {"for (size_t i = 0; i < get_num_groups(0); i++)", "i", 4},
	    {"uint s = get_local_size(0); for (uint i = 0; i < s; i++)", "i", 16},
	    {"int s = get_local_size(0); for (int i = 0; i < s; i++)", "i", 16},
	    /* The comparison that leaves the loop, not another; a loop that becomes an innermost one. */
	    {"uint i = 0; do { if (a[i] < (float)get_local_size(0)) v += 1;",
	     "i++], 2.0f, v); } while (i < get_local_size(0)); v += (a[0", 1},
	    {"int i = 0; do { if ((int)a[i] < get_local_size(0)) v += 1;", "i], 2.0f, v); } while (++i < n); v += (a[0", 16},
	    {"for (uint i = 0;; i++) { if (i >= get_local_size(0)) break;", "i], 2.0f, v); } v += (a[0", 1},
	    {"for (uint i = 0; i < get_local_size(0); i++) for (int j = 0; j < 2; j++)", "i * 2 + j", 2},
	    /* Sizes on both sides of the assembler's limit; an index of its own has an address of its own. */
	    {"int f = g; for (int i = 0; i < n; i++, f += 3) { float x = a[f];", "f], x, v); v = fma(v, x, v); v = fma(v, v, x); v = fma(x, "
	     "v, x); v = fma(v, x, v); v = fma(v, v, x); v = fma(x, v, x); } v += (a[0", 16 * 7},
	    {"int f = g; for (int i = 0; i < n; i++, f += 3) { float x = a[f];", "f], x, v); v = fma(v, x, v); v = fma(v, v, x); v = fma(x, "
	     "v, x); v = fma(v, x, v); v = fma(v, v, x); v = fma(x, v, x); v = fma(v, x, v); v = fma(v, v, x); } v += (a[0", 4 * 9},
	    /* A start that is computed is not 0. */
	    {"for (int i = g * 4; i < 1000; i++)", "i * n + g", 16},
	    {"for (int i = g * 2 + 1; i < 64; i++)", "i * n + g", 16},
	};
	for (u32 i = 0; i < COUNT(rows); i++) /* one after the other over global and local memory, which have the same rules */
		expect_loop(rows[i].turns, i % 2, rows[i].loop, rows[i].index);
	/* (In local memory such an index has lost its sign here.) */
	expect_loop(4, false, "for (uint i = 0; i < (uint)n; i++)", "i * (uint)n + (uint)g");
}

/* So many operations, each an addition to a product. */
static const char *operations(Arena *a, u32 n)
{
	Buf b = {0};
	for (u32 i = 0; i < n; i++)
		buf_printf(&b, " v = fma(v, c, %u.5f);", i);
	const char *text = arena_printf(a, "%s", b.v ? b.v : "");
	free(b.v);
	return text;
}

#define FILLED(type) type " t[16]; for (int i = 0; i < 16; i++) t[i] = a[i * n];"

/* Sizes on both sides of its compiler's limits, as PTX of such loops has them. */
static void limits(void)
{
	static const struct {
		const char *before, *loop, *behind; /* NULL: nothing; v += a[i]; */
		u32 operations, together;
	} rows[] = {
	    /* whole loops */
	    {NULL, "for (int i = 0; i < 16; i++)", NULL, 24, 16 * 24},
	    {NULL, "for (int i = 0; i < 16; i++)", NULL, 25, 4 * 25},
	    {NULL, "for (int i = 0; i < 10; i++)", NULL, 40, 10 * 40},
	    {NULL, "for (int i = 0; i < 10; i++)", NULL, 42, 2 * 42},
	    {NULL, "for (int i = 0; i < 96; i++)", NULL, 2, 96 * 2},
	    {NULL, "for (int i = 1; i < 256; i *= 2)", NULL, 20, 8 * 20},
	    {NULL, "for (int i = 256; i > 0; i >>= 1)", NULL, 20, 9 * 20},
	    {NULL, "for (int i = 0; i < 2; i++)", NULL, 60, 2 * 60},
	    {NULL, "for (int i = 1; 64 / i > 1; i *= 2)", NULL, 20, 6 * 20},
	    {NULL, "for (int i = 0; i < 5; i++) for (int j = 0; j < 8; j++)", "v += a[i * n + j];", 4, 5 * 8 * 4},
	    {NULL, "for (int i = 0; i < 3; i++) for (int j = 0; j < 16; j++)", "v += a[i * n + j];", 12, 16 * 12},
	    /* parts: a power of two that divides the turns */
	    {NULL, "for (int i = 0; i < 96; i++)", NULL, 7, 16 * 7},
	    {NULL, "for (int i = 0; i < 96; i++)", NULL, 8, 8 * 8},
	    {NULL, "for (int i = 0; i < 96; i++)", NULL, 20, 8 * 20},
	    {NULL, "for (int i = 0; i < 96; i++)", NULL, 21, 4 * 21},
	    {NULL, "for (int i = 0; i < 96; i++)", NULL, 45, 4 * 45},
	    {NULL, "for (int i = 0; i < 96; i++)", NULL, 46, 2 * 46},
	    {NULL, "for (int i = 0; i < 66; i++)", NULL, 10, 2 * 10},
	    {NULL, "for (int i = 0; i < 1000; i++)", NULL, 10, 8 * 10},
	    {NULL, "for (int i = 0; i < 97; i++)", NULL, 10, 3 * 10}, /* odd: four, which end behind the first */
	    {NULL, "for (int i = 0; i < n; i++)", NULL, 44, 4 * 44},
	    {NULL, "for (int i = 0; i < n; i++)", NULL, 46, 2 * 46},
	    /* private arrays, and those of vectors */
	    {FILLED("float"), "for (int i = 0; i < 16; i++)",
	     "t[i] = v; } for (int i = 0; i < 16; i++) { v += t[i] * t[15 - i];", 148, 16 * 148 + 16},
	    {FILLED("float"), "for (int i = 0; i < 16; i++)",
	     "t[i] = v; } for (int i = 0; i < 16; i++) { v += t[i] * t[15 - i];", 156, 156},
	    {FILLED("float4"), "for (int i = 0; i < 16; i++)",
	     "t[i].y = v; } for (int i = 0; i < 16; i++) { v += t[i].x * t[15 - i].y;", 60, 16 * 60 + 16},
	    {FILLED("float4"), "for (int i = 0; i < 16; i++)",
	     "t[i].y = v; } for (int i = 0; i < 16; i++) { v += t[i].x * t[15 - i].y;", 90, 2 * 90},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		expect_turns(rows[i].together, 16,
		             "kernel void k(global float *o, global const float *a, float c, int n) {\n"
		             "  float v = o[get_global_id(0)];\n  %s\n  %s {%s %s }\n  o[get_global_id(0)] = v;\n}\n",
		             rows[i].before ? rows[i].before : "", rows[i].loop, operations(a, rows[i].operations),
		             rows[i].behind ? rows[i].behind : "v += a[i];");
		arena_free(a);
	}
}

/* Short sides of a branch are one piece of code with what is before and behind them, as in NVIDIA's code of such
 * loops. */
static void predicates(void)
{
#define FMA "v = fma(v, v, 1.5f); "
#define FMB "v = fma(v, v, 2.5f); "
#define FMA4 FMA FMA FMA FMA
#define FMB4 FMB FMB FMB FMB
#define LOAD(k) "v = fma(a[x >> " #k "], a[(x >> " #k ") + 1], v); "
	static const struct {
		const char *yes, *no;
		u32 most; /* multiply-adds of the loop's code that are together */
	} rows[] = {
	    {FMA FMA FMA, FMB FMB FMB, 6},
	    {FMA4 FMA FMA FMA, FMB4 FMB FMB FMB, 14},
	    {FMA4 FMA4, FMB4 FMB4, 8},
	    {LOAD(22), FMB, 2}, /* loads are predicated, too; addresses do not count */
	    {LOAD(22) LOAD(20), FMB, 3},
	    {LOAD(22) LOAD(20) LOAD(18), FMB, 3},
	    {"if (x & 1) { " FMA FMA "} else { " FMB FMB "}", "v = fma(v, v, 3.5f);", 5}, /* one in the other */
	    {"atomic_inc((global int *)o + 1); " FMA, FMB, 1},
	};
	for (u32 i = 0; i < COUNT(rows); i++)
		expect_turns(rows[i].most, 0,
		             "kernel void k(global float *o, global const float *a, int n) {\n"
		             "  uint x = get_global_id(0) * 77u; float v = x;\n"
		             "  for (int i = 0; i < n; i++) {\n    x = x * 1664525u + 3;\n    if (x >> 31) { %s } else { %s }\n"
		             "    o[i] = v;\n  }\n}\n",
		             rows[i].yes, rows[i].no);
#undef FMA
#undef FMB
#undef FMA4
#undef FMB4
#undef LOAD
}

/* What either side loads is waited for behind the branch, and its results, whichever side comes first. */
static void predicated_sides(void)
{
	static const char *const sides[][2] = {{"p = a[p & 1023];", "p = p * 5 + x;"}, {"p = l[p & 63];", "p = p * 5 + x;"}};
	for (u32 i = 0; i < COUNT(sides); i++) {
		u32 waits[2][2] = {{0}};
		for (u32 k = 0; k < 2; k++) {
			Arena *a = arena_new();
			const char *branch = arena_printf(a, "if (x >> 31) { %s } else { %s }", sides[i][k], sides[i][1 - k]);
			const char *source = arena_printf(
			    a,
			    "kernel void k(global uint *o, global const uint *a, int n) {\n  local uint l[64];\n"
			    "  uint x = get_global_id(0) * 77u, p = x; l[x & 63] = p;\n"
			    "  for (int i = 0; i < n; i++) {\n    x = x * 1664525u + 3;\n    %s\n    x += p;\n  }\n  o[x & 63] = p;\n}\n",
			    branch);
			CostedKernel c = cost_of("h200", source, 0);
			for (u32 j = 0; j < c.x->ins.n; j++) {
				waits[k][0] += c.x->ins.v[j].cls == MC_waitcnt && c.x->ins.v[j].vm != NO_WAIT;
				waits[k][1] += c.x->ins.v[j].cls == MC_waitcnt && c.x->ins.v[j].lgkm != NO_WAIT;
			}
			done(&c);
			arena_free(a);
		}
		CU_ASSERT(waits[0][0] + waits[0][1] > 0);
		CU_ASSERT_EQUAL(waits[0][0], waits[1][0]);
		CU_ASSERT_EQUAL(waits[0][1], waits[1][1]);
	}
}

void suite_cost_blocks(void)
{
	CU_pSuite s = CU_add_suite("pieces of code", NULL, NULL);
	CU_add_test(s, "small loops are unrolled", unrolled);
	CU_add_test(s, "sizes of loops that are unrolled", limits);
	CU_add_test(s, "short branches as predicates", predicates);
	CU_add_test(s, "either side of such a branch", predicated_sides);
}
