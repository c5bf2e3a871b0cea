/* The order of a block where no code generator says it (models/timing/schedule.c). */
#include "tests/unit/cost_kit.h"

void suite_cost_order(void);

/* All that can be under way is, before the first wait. */
static void loads_first(void)
{
	static const char text[] =
	    "kernel void k(global float *o, global const float *a) {\n"
	    "  int g = get_global_id(0); float s = 0;\n"
	    "  for (int i = 0; i < 4; i++) s = fma(s, 0.5f, a[g + 100 * i]);\n  o[g] = s;\n}\n";
	CostedKernel k = cost_of("h200", text, 0);
	u32 loads = 0, i = 0;
	while (i < k.x->ins.n && !(k.x->ins.v[i].cls == MC_waitcnt && loads))
		loads += k.x->ins.v[i++].cls == MC_vmem_load;
	CU_ASSERT_EQUAL(loads, 4);
	done(&k);
}

/* A string of instructions: L load, S store, D of doubles, T transcendental. */
static void order_of(const CostedKernel *k, char *out, size_t size)
{
	size_t n = 0;
	for (u32 i = 0; i < k->x->ins.n && n + 1 < size; i++) {
		u32 cls = k->x->ins.v[i].cls;
		char c = cls == MC_vmem_load ? 'L' : cls == MC_vmem_store ? 'S' : cls == MC_valu_f64_mul ? 'D'
		         : cls == MC_trans ? 'T' : 0;
		if (c)
			out[n++] = c;
	}
	out[n] = 0;
}

/* Sums of 32 loads beside so many values that stay live, of addresses that differ by constants, or that each have their
 * own. */
static const char sums[] =
    "kernel void k(global const T *a, global T *o, INT n, int turns) {\n"
    "  T live[LIVE], s = 0;\n"
    "  _Pragma(\"unroll\") for (int k = 0; k < LIVE; k++) live[k] = a[get_global_id(0) + k * 7];\n"
    "  for (int t = 0; t < turns; t++) { INT g = get_global_id(0) + t * 1000;\n"
    "    _Pragma(\"unroll\") for (int k = 0; k < 32; k++) s = s * 3 + a[AT];\n"
    "    _Pragma(\"unroll\") for (int k = 0; k < LIVE; k++) live[k] = live[k] * s + live[(k + 1) % LIVE]; }\n"
    "  _Pragma(\"unroll\") for (int k = 0; k < LIVE; k++) s += live[k];\n"
    "  o[get_global_id(0)] = s; }\n";
#define SHARED "#define T float\n#define INT int\n#define AT g + k\n"
#define OWN "#define T float\n#define INT int\n#define AT g + k * n\n"
#define UNSIGNED "#define T float\n#define INT uint\n#define AT g + (uint)k * n\n"
#define DOUBLES "#define T double\n#define INT int\n#define AT g + k\n"

/* Loads before the first wait behind any, in the block that has the most. */
static u32 loads_started(const CostedKernel *k)
{
	u32 most = 0, started = 0;
	for (u32 b = 0; b < k->x->blocks.n; b++) {
		const CostBlock *block = &k->x->blocks.v[b];
		u32 all = 0, first = 0;
		for (u32 i = block->first; i < block->first + block->n; i++) {
			first = k->x->ins.v[i].cls == MC_waitcnt && all && !first ? all : first;
			all += k->x->ins.v[i].cls == MC_vmem_load;
		}
		started = all > most ? first : started;
		most = all > most ? all : most;
	}
	return started;
}

/* … as far as there are registers for it. Least and most: what NVIDIA's assembler starts of such loops (ahead-…), and
 * up to three more or less. */
static void loads_ahead(void)
{
	static const struct {
		const char *change, *kind;
		u32 live, least, most;
	} rows[] = {
	    {NULL, SHARED, 1, 18, 24},    {NULL, SHARED, 12, 7, 11},   {NULL, SHARED, 20, 6, 10},
	    {NULL, OWN, 1, 12, 17},       {NULL, OWN, 12, 2, 5},       {NULL, OWN, 20, 2, 8},
	    {NULL, UNSIGNED, 1, 9, 13},   {NULL, UNSIGNED, 6, 3, 7},  {NULL, DOUBLES, 1, 8, 12},
	    {NULL, DOUBLES, 12, 3, 7},
	    {"[device]\nir_rules = amd ; A a test\n", OWN, 12, 32, 32}, /* no limit */
	    {"[registers]\nvgpr_file = 1024 ; A a test\n", SHARED, 12, 32, 32}, /* 64 of a lane */
	};
	for (u32 n = 0; n < COUNT(rows); n++) {
		Buf text = {0};
		buf_printf(&text, "#define LIVE %u\n%s%s", rows[n].live, rows[n].kind, sums);
		CostedKernel k = cost_as("h200", rows[n].change, text.v, 0, false);
		u32 loads = loads_started(&k);
		CU_ASSERT_TRUE(loads >= rows[n].least && loads <= rows[n].most);
		if (loads < rows[n].least || loads > rows[n].most)
			printf("row %u: %u\n", n, loads);
		CU_ASSERT_EQUAL(count(&k, MC_vmem_load, 0), 32 + rows[n].live); /* none is lost, none comes twice */
		done(&k);
		array_free(&text);
	}
}

/* A load passes a store that is parted from it by a constant; not one of another base, which may be the same place. */
static void loads_past_stores(void)
{
	static const struct {
		const char *source, *order;
	} rows[] = {
	    {"kernel void k(global float *o) { global float *p = o + get_global_id(0);\n"
	     "  p[0] = p[0] * 3; p[1000] = p[1000] * 3; p[2000] = p[2000] * 3; }", "LLLSSS"},
	    {"kernel void k(global float *o) { global float *p = o + get_global_id(0);\n"
	     "  p[0] = p[0] * 3; p[0] = p[1000] + p[0]; }", "LLS"},
	    {"kernel void k(global float *o, global const float *a) { int g = get_global_id(0);\n"
	     "  o[g] = a[g] * 3; o[g + 1000] = a[g + 1000] * 3; }", "LSLS"},
	    /* … unless one of the two pointers is said to be the only one, as NVIDIA's compiler takes it (four loops,
	     * SASS). */
	    {"kernel void k(global float *restrict o, global const float *a) { int g = get_global_id(0);\n"
	     "  o[g] = a[g] * 3; o[g + 1000] = a[g + 1000] * 3; }", "LLSS"},
	    {"kernel void k(global float *o, global const float *restrict a) { int g = get_global_id(0);\n"
	     "  o[g] = a[g] * 3; o[g + 1000] = a[g + 1000] * 3; }", "LLSS"},
	    {"kernel void k(global float *o, global const float *restrict a) { uint g = get_global_id(0);\n"
	     "  o[g] = a[g] * 3; o[g + 1000] = a[g + 1000] * 3; }", "LLSS"},
	    {"kernel void k(global float *restrict o, int n) { int g = get_global_id(0);\n"
	     "  o[g] = o[g + n] * 3; o[g + 1] = o[g + 2 * n] * 3; }", "LSLS"},
	    /* Sums of the same and a constant, whose address each has of its own. */
	    {"kernel void k(global float *o, int n) { int g = get_global_id(0), i = g * n;\n"
	     "  o[i + n] = o[i + n] * 3; o[i + 1000 + n] = o[i + 1000 + n] * 3; }", "LLSS"},
	    {"kernel void k(global float *o, int n) { int g = get_global_id(0), i = g * n;\n"
	     "  o[i] = o[i] * 3; o[i + n] = o[i + n] * 3; }", "LSLS"},
	    {"kernel void k(global float *o, int n) { int g = get_global_id(0);\n"
	     "  o[g | 64] = o[g | 64] * 3; o[g] = o[g] * 3; }", "LSLS"},
	    {"kernel void k(global float *o, int n) { int g = get_global_id(0) << 8;\n"
	     "  o[g | 64] = o[g | 64] * 3; o[g] = o[g] * 3; }", "LLSS"},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		CostedKernel k = cost_of("h200", rows[i].source, 0);
		char order[64];
		order_of(&k, order, sizeof order);
		CU_ASSERT_STRING_EQUAL(order, rows[i].order);
		if (strcmp(order, rows[i].order))
			printf("%s, not %s:\n%s\n", order, rows[i].order, rows[i].source);
		done(&k);
	}
}

/* A quotient of doubles has a branch in its code, so that no load passes it; one of floats has none. */
static void loads_behind_quotients(void)
{
#define QUOTIENT(type) \
	"kernel void k(global " type " *o, global const " type " *a, global const " type " *b) {\n" \
	"  int g = get_global_id(0);\n  o[g] = a[g] / a[g + 1000] * b[g];\n}\n"
	CostedKernel k = cost_of("h200", QUOTIENT("double"), 0);
	char order[64];
	order_of(&k, order, sizeof order);
	CU_ASSERT_STRING_EQUAL(order, "LLTDDDDDDDDLDS");
	done(&k);
	k = cost_of("h200", QUOTIENT("float"), 0);
	order_of(&k, order, sizeof order);
	CU_ASSERT_STRING_EQUAL(order, "LLLTS");
	done(&k);
}

/* Turns of a loop, unrolled four times, whose chains do not need each other. */
static const char chains[] =
    "kernel void k(global float *o, float x, int turns) {\n"
    "  float live[LIVE], s = 0, p = o[get_global_id(0)];\n"
    "  _Pragma(\"unroll\") for (int k = 0; k < LIVE; k++) live[k] = o[get_global_id(0) + k * 7];\n"
    "  _Pragma(\"unroll 1\") for (int t = 0; t < turns; t++) {\n"
    "    _Pragma(\"unroll\") for (int k = 0; k < 4; k++) {\n"
    "      float d = live[k] - p, e = fma(d, d, x), f = native_sin(e); s = fma(f * f * f, d, s); }\n"
    "    _Pragma(\"unroll\") for (int k = 0; k < LIVE; k++) live[k] = fma(live[k], s, x); }\n"
    "  _Pragma(\"unroll\") for (int k = 0; k < LIVE; k++) s += live[k];\n"
    "  o[get_global_id(0)] = s; }\n";

/* Instructions from the first function to the last, in the block that has the most. */
static u32 functions_span(const CostedKernel *k)
{
	u32 most = 0, span = 0;
	for (u32 b = 0; b < k->x->blocks.n; b++) {
		const CostBlock *block = &k->x->blocks.v[b];
		u32 n = 0, first = 0, last = 0;
		for (u32 i = 0; i < block->n; i++) {
			if (k->x->ins.v[block->first + i].cls != MC_trans)
				continue;
			first = n++ ? first : i;
			last = i;
		}
		span = n > most ? last - first : span;
		most = n > most ? n : most;
	}
	CU_ASSERT_EQUAL(most, 4);
	return span;
}

/* Side by side where there are registers for it, else one turn after the other. */
static void chains_side_by_side(void)
{
	u32 span[2];
	for (u32 i = 0; i < COUNT(span); i++) {
		Arena *a = arena_new();
		CostedKernel k = cost_of("h200", arena_printf(a, "#define LIVE %u\n%s", i ? 40 : 4, chains), 0);
		span[i] = functions_span(&k);
		done(&k);
		arena_free(a);
	}
	CU_ASSERT_TRUE(span[0] < 8);
	CU_ASSERT_TRUE(span[1] > 15);
}

/* Objects of local memory share no byte: a load of one goes ahead of a store to the other, at whatever indices. */
static void objects_apart(void)
{
	static const char text[] =
	    "kernel void k(global int *o, global const int *in, int i, int j) {\n"
	    "  local int a[64], b[64]; int g = get_local_id(0); b[g & 63] = g; a[g & 63] = i; barrier(CLK_LOCAL_MEM_FENCE);\n"
	    "  a[(g + i) & 63] = in[g]; o[g] = FROM[(g + j) & 63]; barrier(CLK_LOCAL_MEM_FENCE);\n"
	    "  o[g + 64] = a[g * 3 & 63] + b[g * 5 & 63];\n}\n";
	static const char *const from[] = {"a", "b"};
	for (u32 i = 0; i < COUNT(from); i++) {
		Arena *a = arena_new();
		CostedKernel k = cost_of("h200", arena_printf(a, "#define FROM %s\n%s", from[i], text), 0);
		u32 load = 0, store = 0; /* the first, and the last */
		for (u32 m = 0; m < k.x->ins.n; m++) {
			load = k.x->ins.v[m].cls == MC_lds_read && !load ? m : load;
			store = k.x->ins.v[m].cls == MC_lds_write ? m : store;
		}
		CU_ASSERT_TRUE(i ? load < store : load > store);
		done(&k);
		arena_free(a);
	}
}

void suite_cost_order(void)
{
	CU_pSuite s = CU_add_suite("order of a block", NULL, NULL);
	CU_add_test(s, "loads come first", loads_first);
	CU_add_test(s, "loads go ahead as registers have room", loads_ahead);
	CU_add_test(s, "chains side by side as registers have room", chains_side_by_side);
	CU_add_test(s, "loads pass stores of other bytes", loads_past_stores);
	CU_add_test(s, "objects of local memory are apart", objects_apart);
	CU_add_test(s, "no load passes a quotient of doubles", loads_behind_quotients);
}
