/* Issue costs of the IR where no code generator says them: NVIDIA's rules, the order of a block,
 * unrolled loops. What the rules are: models/timing/cost_ops.c. */
#include "frontend/frontend.h"
#include "models/timing/cost.h"

#include <CUnit/CUnit.h>

typedef struct CostedKernel {
	Arena *arena;
	Fe *fe;
	Program *p;
	Costs *x;
} CostedKernel;

/* change: lines of a device file of one's own, or NULL. */
static CostedKernel cost_as(const char *name, const char *change, const char *source, u32 unroll, bool nvidia)
{
	CostedKernel k = {.arena = arena_new()};
	Device dev;
	Diag d;
	diag_init(&d);
	CU_ASSERT_TRUE_FATAL(device_load(&dev, name, NO_LOC, k.arena, &d));
	if (change) {
		char *text = arena_printf(k.arena, "base = %s\n%s", name, change);
		CU_ASSERT_TRUE_FATAL(device_parse(&dev, "own", "own.ini", text, k.arena, &d));
	}
	FeOptions o = {.path = "k.cl",
	               .source = source,
	               .cpu = dev.llvm_cpu,
	               .wave = dev.wave,
	               .unroll = unroll,
	               .nvidia = nvidia};
	k.fe = fe_compile(&o, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(k.fe);
	k.p = fe_program(k.fe);
	Profile prof = {.wave = dev.wave};
	k.x = costs_new(&dev, k.p, &prof, NULL, NULL, k.arena);
	diag_free(&d);
	return k;
}

static CostedKernel cost_of(const char *name, const char *source, u32 unroll)
{
	return cost_as(name, NULL, source, unroll, false);
}

static void done(CostedKernel *k)
{
	program_free(k->p);
	fe_close(k->fe);
	arena_free(k->arena);
}

static u32 count(const CostedKernel *k, MachineClass cls, u32 cycles)
{
	u32 n = 0;
	for (u32 i = 0; i < k->x->ins.n; i++)
		n += k->x->ins.v[i].cls == cls && (!cycles || k->x->ins.v[i].cycles == cycles);
	return n;
}

static void operations(void)
{
	static const struct {
		const char *source;
		MachineClass cls;
		u32 cycles, n; /* so many of these */
	} rows[] = {
	    /* there and back; a choice converts nothing */
	    {"kernel void k(global float *o, double a, double b) { size_t i = get_global_id(0); "
	     "o[i] = (float)fma((double)o[i], a, b); }",
	     MC_trans, 8, 2},
	    {"kernel void k(global double *o, double a) { size_t i = get_global_id(0); "
	     "double x = o[i]; o[i] = x > a ? x + 1 : a; }",
	     MC_trans, 0, 0},
	    {"kernel void k(global uint *o, uint n) { o[get_global_id(0)] = "
	     "mul_hi((uint)get_global_id(0), n); }",
	     MC_valu_mul, 4, 1},
	    {"kernel void k(global uint *o) { o[get_global_id(0)] = "
	     "popcount((uint)get_global_id(0)); }",
	     MC_trans, 8, 1},
	    {"kernel void k(global int *o, global const float *a) { o[get_global_id(0)] = "
	     "(int)a[get_global_id(0)]; }",
	     MC_trans, 8, 1},
	    {"kernel void k(global float *o, global const float *a, float b) { o[get_global_id(0)] "
	     "= fma(a[get_global_id(0)], b, b); }",
	     MC_valu_fma, 1, 1},
	    /* a minimum and a maximum, too, are the part for logic's */
	    {"kernel void k(global float *o, float b) { o[get_global_id(0)] = "
	     "fmax(o[get_global_id(0)], b); }",
	     MC_valu_fma, 0, 0},
	    /* 64 bits divide as 32 where they are made of such (one reciprocal, one conversion there and one back), or
	     * as they are; how many work-groups there are is known */
	    {"kernel void k(global ulong *o, uint n) { o[get_global_id(0)] = (get_global_id(0) + 1) % (ulong)n; }",
	     MC_trans, 8, 3},
	    {"kernel void k(global ulong *o, uint n) { o[get_global_id(0)] = (get_global_id(0) - 1) % (ulong)n; }",
	     MC_trans, 8, 3},
	    {"kernel void k(global ulong *o, uint n) { o[get_global_id(0)] = (get_global_id(0) << 2) % (ulong)n; }",
	     MC_trans, 8, 3},
	    {"kernel void k(global ulong *o, uint n) { ulong s = 0; for (size_t i = get_global_id(0); o[i]; i += n) "
	     "s += i % (ulong)n; o[0] = s; }",
	     MC_trans, 8, 3},
	    {"kernel void k(global ulong *o, global const uint *t, uint n) { ulong h = 0; for (uint i = 0; i < n; i++) "
	     "h = h * 31 + t[i]; o[0] = h % (ulong)n; }",
	     MC_trans, 8, 0},
	    {"kernel void k(global ulong *o, ulong m, uint n) { ulong s = 0; for (size_t i = m; o[i]; i += n) "
	     "s += i % (ulong)n; o[0] = s; }",
	     MC_trans, 8, 0},
	    {"kernel void k(global ulong *o, uint n) { o[get_global_id(0)] = o[get_global_id(0)] % n; }",
	     MC_trans, 8, 0},
	    {"kernel void k(global ulong *o, ulong n) { o[get_global_id(0)] = get_global_id(0) / n; }",
	     MC_trans, 8, 0},
	    {"kernel void k(global uint *o) { o[get_global_id(0)] = get_num_groups(0); }", MC_trans, 8, 0},
	    {"kernel void k(global uint *o) { o[get_global_id(0)] = get_global_size(0) / get_local_size(1); }", MC_trans, 8, 3},
	    {"kernel void k(global uint *o) { o[get_global_id(0)] = get_num_groups(0) / (ulong)o[get_global_id(0)]; }",
	     MC_trans, 8, 3},
	    /* no access wider than its alignment */
	    {"kernel void k(global ushort8 *o, global const ushort *a) { o[get_global_id(0)] = "
	     "vload8(get_global_id(0), a); }",
	     MC_vmem_load, 0, 8},
	    {"kernel void k(global ushort8 *o, global const ushort8 *a) { o[get_global_id(0)] = "
	     "a[get_global_id(0)]; }",
	     MC_vmem_load, 0, 1},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		CostedKernel k = cost_of("h200", rows[i].source, 0);
		CU_ASSERT_STRING_EQUAL(k.x->source, "ir");
		CU_ASSERT_EQUAL(count(&k, rows[i].cls, rows[i].cycles), rows[i].n);
		if (count(&k, rows[i].cls, rows[i].cycles) != rows[i].n)
			printf("row %u: %u\n", i, count(&k, rows[i].cls, rows[i].cycles));
		done(&k);
	}
}

/* a + b + c is one instruction, a ^ b & c too; the part for logic does the second. */
static void three_inputs(void)
{
	static const char text[] = "kernel void k(global uint *o, global const uint *a, uint n) {\n"
				   "  uint v = a[get_global_id(0)], w = a[get_local_id(0)];\n"
				   "  o[get_global_id(0)] = (v ^ w) & n;\n}\n";
	CostedKernel k = cost_of("h200", text, 0);
	u32 logic = 0;
	for (u32 i = 0; i < k.x->ins.n; i++)
		logic += k.x->ins.v[i].cls == MC_valu && k.x->ins.v[i].pipe == PIPE_LOGIC;
	CU_ASSERT_EQUAL(logic, 1);
	done(&k);
}

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

#define SUM_OF_40(type) \
	"kernel void k(global " type " *o, global const " type " *a) {\n" \
	"  int g = get_global_id(0); " type " s = 0;\n" \
	"  _Pragma(\"unroll\") for (int i = 0; i < 40; i++) s += a[g + 1000 * i];\n  o[g] = s;\n}\n"

/* … as far as there are registers for it: 16 of a lane, or what the device file says. */
static void loads_ahead(void)
{
#define AHEAD(registers) "[device]\nloads_ahead = " #registers " ; A a test\n"
	static const char *const text[] = {SUM_OF_40("float"), SUM_OF_40("double")};
	static const struct {
		const char *change;
		u32 doubles, least, most;
	} rows[] = {
	    {NULL, 0, 14, 17},   {NULL, 1, 7, 9},      {AHEAD(4), 0, 4, 5},
	    {AHEAD(4), 1, 2, 3}, {AHEAD(0), 0, 40, 40}, {AHEAD(0), 1, 40, 40},
	};
	for (u32 n = 0; n < COUNT(rows); n++) {
		CostedKernel k = cost_as("h200", rows[n].change, text[rows[n].doubles], 0, false);
		u32 loads = 0, i = 0;
		while (i < k.x->ins.n && !(k.x->ins.v[i].cls == MC_waitcnt && loads))
			loads += k.x->ins.v[i++].cls == MC_vmem_load;
		CU_ASSERT_TRUE(loads >= rows[n].least && loads <= rows[n].most);
		CU_ASSERT_EQUAL(count(&k, MC_vmem_load, 0), 40);
		done(&k);
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

/* Neighbours in local memory. */
static void wide_local_reads(void)
{
	static const char local[] =
	    "kernel void k(global float *o) {\n  local float t[256]; int l = get_local_id(0);\n"
	    "  t[l] = o[l]; barrier(CLK_LOCAL_MEM_FENCE);\n"
	    "  o[l] = t[4] + t[5] * t[6] - t[7];\n}\n";
	CostedKernel k = cost_as("h200", NULL, local, 0, true);
	CU_ASSERT_EQUAL(count(&k, MC_lds_read, 0), 1);
	done(&k);
	k = cost_of("h200", local, 16);
	CU_ASSERT_EQUAL(count(&k, MC_lds_read, 0), 4);
	done(&k);
}

/* Where lanes may part and where they meet; AMD's code has instructions for that. */
static void branches(void)
{
	static const char text[] =
	    "kernel void k(global float *o, int n) {\n"
	    "  float v = get_global_id(0);\n"
	    "  if ((int)get_local_id(0) < n) for (int i = 0; i < 9; i++) v = fma(v, v, 1.5f);\n"
	    "  else for (int i = 0; i < 9; i++) v = fma(v, v, 2.5f);\n"
	    "  o[get_global_id(0)] = v;\n}\n";
	static const char *const names[] = {"h200", "hd5870"};
	for (u32 n = 0; n < COUNT(names); n++) {
		CostedKernel k = cost_of(names[n], text, 0);
		u32 parts = 0, meets = 0;
		for (u32 i = 0; i < k.x->ins.n; i++) {
			parts += k.x->ins.v[i].divides;
			meets += k.x->ins.v[i].stall > 0;
		}
		CU_ASSERT_TRUE(parts >= 1);
		CU_ASSERT_EQUAL(meets > 0, n == 0);
		done(&k);
	}
}

/* An index that is a sum costs nothing more than its first, whether LLVM writes `add` or `or`. */
static void constant_indices(void)
{
	static const char text[] =
	    "kernel void k(global float *o, int n) {\n  local float t[4096]; int l = get_local_id(0) * 16;\n"
	    "  t[l] = o[l]; barrier(CLK_LOCAL_MEM_FENCE);\n  o[n] = t[l + 1] * t[l + 2] * t[l + 4] * t[l + 7];\n}\n";
	CostedKernel k = cost_of("h200", text, 0);
	CU_ASSERT_EQUAL(count(&k, MC_lds_read, 0), 4);
	CU_ASSERT_EQUAL(count(&k, MC_valu, 0), 5); /* three products, the shift and the address of t[l] */
	done(&k);
}

/* Instructions for the addresses of four more loads: what NVIDIA's assembler makes of these for an H200. */
static void constant_addresses(void)
{
	static const struct {
		const char *index;
		u32 n;
	} rows[] = {
	    {"size_t i = get_global_id(0)", 0},
	    {"int i = get_global_id(0)", 4 * 4}, /* shifts, so that its sign is that of 32 bits, then adds: each has its own */
	};
	static const char *const more[] = {"", " + a[i + 1] * 2.0f + a[i + 2] * 3.0f + a[i + 3] * 5.0f + a[i + 4] * 7.0f"};
	for (u32 i = 0; i < COUNT(rows); i++) {
		u32 n[2];
		for (u32 m = 0; m < COUNT(more); m++) {
			Arena *a = arena_new();
			CostedKernel k = cost_of("h200", arena_printf(a, "kernel void k(global float *o, global const float *a, int n) {\n"
			                                                 "  %s;\n  o[i] = a[i]%s;\n}\n", rows[i].index, more[m]), 0);
			n[m] = count(&k, MC_valu, 0) + count(&k, MC_valu_mul, 0);
			done(&k);
			arena_free(a);
		}
		CU_ASSERT_EQUAL(n[1] - n[0], rows[i].n);
		if (n[1] - n[0] != rows[i].n)
			printf("row %u: %u, then %u\n", i, n[0], n[1]);
	}
}

/* What a branch waits for, and what is under a predicate, besides its operands; where no figure is, they are such. */
static void guards(void)
{
	static const char text[] =
	    "kernel void k(global float *o, int n) {\n"
	    "  float v = get_global_id(0); int i = 0;\n"
	    "  while (v < n) { v = fma(v, v, 1.5f); if (v > 7) { o[i] = v; i += 3; } }\n"
	    "  o[get_global_id(0)] = v;\n}\n";
	static const char *const changes[] = {NULL, "[issue]\nguard_latency = 0 ; A a test\n"};
	for (u32 n = 0; n < COUNT(changes); n++) {
		CostedKernel k = cost_as("h200", changes[n], text, 0, true);
		u32 branches = 0, stores = 0, waiting = 0;
		for (u32 i = 0; i < k.x->ins.n; i++) {
			const CostIns *x = &k.x->ins.v[i];
			branches += x->cls == MC_branch && x->guard && !x->dep;
			stores += x->cls == MC_vmem_store && x->guard;
			waiting += x->cls == MC_branch && x->dep;
		}
		CU_ASSERT_EQUAL(branches > 0, n == 0);
		CU_ASSERT_EQUAL(stores, n == 0);
		CU_ASSERT_EQUAL(waiting > 0, n == 1);
		done(&k);
	}
}

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
	    /* What cannot be counted. */
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
	    {"uint i = 0; do { if (a[i] < (float)get_local_size(0)) v += 1;", "i++], 2.0f, v); } while (i < get_local_size(0)); v += (a[0", 1},
	    {"int i = 0; do { if ((int)a[i] < get_local_size(0)) v += 1;", "i], 2.0f, v); } while (++i < n); v += (a[0", 16},
	    {"for (uint i = 0;; i++) { if (i >= get_local_size(0)) break;", "i], 2.0f, v); } v += (a[0", 1},
	    {"for (uint i = 0; i < get_local_size(0); i++) for (int j = 0; j < 2; j++)", "i * 2 + j", 2},
	    /* A start that is computed is not 0. */
	    {"for (int i = g * 4; i < 1000; i++)", "i * n + g", 16},
	    {"for (int i = g * 2 + 1; i < 64; i++)", "i * n + g", 16},
	};
	for (u32 i = 0; i < COUNT(rows); i++) /* one after the other over global and local memory, which have the same rules */
		expect_loop(rows[i].turns, i % 2, rows[i].loop, rows[i].index);
	/* (In local memory such an index has lost its sign here.) */
	expect_loop(4, false, "for (uint i = 0; i < (uint)n; i++)", "i * (uint)n + (uint)g");
}

/* Short sides of a branch are one piece of code with what is before and behind them, as in NVIDIA's code of such loops. */
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

/* A loop that LLVM does not unroll by itself, over a private array of so many floats: for NVIDIA its indices become
 * constants, and the array registers, where these are enough and the turns few. */
#define OVER_ARRAY(size, turns) \
	"kernel void k(global float *o) {\n  float t[" #size "]; int g = get_global_id(0);\n" \
	"  for (int i = 0; i < " #size "; i++) t[i] = o[g + 100 * i];\n" \
	"  _Pragma(\"clang loop vectorize(disable)\")\n  for (int i = 0; i < " #turns "; i++) {\n" \
	"    float s = t[i * 5 % " #size "];\n    s = sin(s) + cos(s * 3);\n    t[i % " #size "] = s;\n  }\n" \
	"  float s = 0;\n  for (int i = 0; i < " #size "; i++) s = s * 2 + t[i];\n  o[g] = s;\n}\n"

static void private_arrays(void)
{
	static const struct {
		const char *source;
		u32 unroll;
		bool registers;
	} rows[] = {
	    {OVER_ARRAY(64, 32), 0, false},
	    {OVER_ARRAY(64, 32), 16, true},
	    {OVER_ARRAY(64, 1000000), 16, false}, /* and it ends */
	    {OVER_ARRAY(64, 33), 16, false},
	    {OVER_ARRAY(1000, 32), 16, false},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		CostedKernel k = cost_of("h200", rows[i].source, rows[i].unroll);
		CU_ASSERT_EQUAL(!k.x->frame, rows[i].registers);
		if (!k.x->frame != rows[i].registers)
			printf("row %u: a frame of %llu bytes, %u instructions\n", i, (unsigned long long)k.x->frame, k.x->ins.n);
		done(&k);
	}
	/* However few elements, where only the run knows the index. */
	static const char at_index[] =
	    "kernel void k(global int *o) { int t[8], g = get_global_id(0);\n"
	    "  for (int i = 0; i < 8; i++) t[i] = o[g + i];\n  for (int i = 0; i < 99; i++) t[o[i] & 7] += i;\n  o[g] = t[o[1] & 7]; }\n";
	CostedKernel k = cost_as("h200", NULL, at_index, 16, true);
	CU_ASSERT_EQUAL(k.x->frame, 8 * 4 * 32);
	done(&k);
}

/* 128 MiB a lane: 2^32 bytes of a wavefront of 32. */
static void large_frame(void)
{
	static const char text[] =
	    "kernel void k(global int *o, int n) {\n  int t[33554432];\n"
	    "  for (int i = 0; i < n; i++) t[o[i]] = i;\n  o[get_global_id(0)] = t[n];\n}\n";
	CostedKernel k = cost_of("h200", text, 0);
	CU_ASSERT_EQUAL(k.x->frame, (u64)1 << 32);
	done(&k);
}

/* An intrinsic is asked for by its whole name. */
#define MFMA "llvm.amdgcn.mfma."

static void matrix_names(void)
{
	CU_ASSERT_TRUE(matrix_is(MFMA "f32.32x32x8f16") && matrix_named(MFMA "f32.32x32x8f16") < MATRIX_COUNT);
	CU_ASSERT_TRUE(matrix_is(MFMA "f32.1x1x1f16") && matrix_named(MFMA "f32.1x1x1f16") == MATRIX_COUNT);
	CU_ASSERT_TRUE(!matrix_is("llvm.amdgcn.mul.u24") && matrix_named("llvm.amdgcn.mul.u24") == MATRIX_COUNT);
	CU_ASSERT_EQUAL(matrix_named("f32.32x32x8f16"), MATRIX_COUNT);
}

/* Where AMD's guides have an element of a, of b and of the result, which is their product. */
static void matrix_places(void)
{
	static const struct {
		const char *name;
		struct {
			u32 lane, at;
		} a, b, result;
		u64 three, seven, product;
	} rows[] = {
		/* row 13, column 7, k 1 */
		{"f32.32x32x2f32", {45, 0}, {39, 0}, {39, 5}, 0x40400000, 0x40e00000, 0x41a80000},
		/* row 10, column 4, k 9 */
		{"f32.16x16x16f16", {42, 1}, {36, 1}, {36, 2}, 0x4200, 0x4700, 0x41a80000},
		/* block 6, row 1, column 2, k 3 */
		{"f32.4x4x4f16", {25, 3}, {26, 3}, {26, 1}, 0x4200, 0x4700, 0x41a80000},
		/* block 1, row 30, column 2 */
		{"f32.32x32x1f32", {62, 0}, {34, 0}, {34, 30}, 0x40400000, 0x40e00000, 0x41a80000},
		/* row 9, column 3, k 2 */
		{"f64.16x16x4f64", {41, 0}, {35, 0}, {19, 2}, 0x4008000000000000, 0x401c000000000000, 0x4035000000000000},
		/* block 2, row 3, column 0, k 3 */
		{"f64.4x4x4f64", {59, 0}, {56, 0}, {56, 0}, 0x4008000000000000, 0x401c000000000000, 0x4035000000000000},
		/* row 5, column 11, k 14; -3 * 7 */
		{"i32.16x16x16i8", {53, 2}, {59, 2}, {27, 1}, 0xfd, 7, 0xffffffeb},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		char name[64];
		snprintf(name, sizeof name, MFMA "%s", rows[i].name);
		u32 named = matrix_named(name), wrong = 0;
		CU_ASSERT_FATAL(named < MATRIX_COUNT);
		const MatrixShape *s = &matrix_shape[named];
		u32 bits = 8 * matrix_element_bytes(s), bytes = type_bytes[matrix_result_type(s)];
		u64 a[MATRIX_LANES] = {0}, b[MATRIX_LANES] = {0};
		MatrixIn in;
		a[rows[i].a.lane] = rows[i].three << bits * rows[i].a.at;
		b[rows[i].b.lane] = rows[i].seven << bits * rows[i].b.at;
		matrix_read(s, a, b, &in);
		for (u32 r = 0; r < matrix_results(s); r++) {
			MatrixRow sums = {0};
			matrix_row(s, &in, r, &sums);
			for (u32 l = 0; l < MATRIX_LANES; l++) {
				u64 v = 0;
				memcpy(&v, (u8 *)&sums + l * bytes, bytes);
				wrong += v != (r == rows[i].result.at && l == rows[i].result.lane ? rows[i].product : 0);
				wrong += v != matrix_result(s, &in, r, l, 0);
			}
		}
		CU_ASSERT_EQUAL(wrong, 0);
	}
}

/* Passes of four cycles, as LLVM's schedules of gfx908, gfx90a and gfx940 have them; of doubles as data sheets have
 * their rate. */
static void matrix_cycles(void)
{
	static const struct {
		const char *device, *mnemonic;
		u32 passes;
	} rows[] = {
		{"mi100", "v_mfma_f32_32x32x8f16", 16},       {"mi100", "v_mfma_f32_16x16x16f16", 8},
		{"mi100", "v_mfma_f32_4x4x4f16", 2},          {"mi100", "v_mfma_f32_32x32x1f32", 16},
		{"mi100", "v_mfma_f32_4x4x1f32", 2},          {"mi100", "v_mfma_f32_32x32x4bf16", 16},
		{"mi100", "v_mfma_i32_16x16x16i8", 8},        {"mi210", "v_mfma_f32_32x32x8bf16_1k", 16},
		{"mi210", "v_mfma_f64_16x16x4f64", 8},        {"mi300x", "v_mfma_f32_16x16x16_f16", 4},
		{"mi300x", "v_mfma_f32_32x32x4_2b_f16", 16},   {"mi300x", "v_mfma_f32_32x32x8_bf16", 8},
		{"mi300x", "v_mfma_i32_16x16x32_i8", 4},      {"mi300x", "v_mfma_f64_16x16x4_f64", 8},
		{"mi300x", "v_mfma_f32_16x16x4_4b_f16", 8},   {"mi300x", "v_mfma_f32_4x4x4_16b_f16", 2},
		{"mi210", "v_mfma_f64_4x4x4f64", 4},          {"mi300x", "v_mfma_i32_32x32x4_2b_i8", 16},
		{"mi300x", "v_mfma_f32_16x16x32_fp8_fp8", 0}, {"mi100", "v_fma_f32", 0},
		{"mi100", "v_mfma_f32_16x16", 0},             {"mi100", "v_mfma_f32", 0},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		Device dev;
		Diag d;
		diag_init(&d);
		CU_ASSERT_TRUE_FATAL(device_load(&dev, rows[i].device, NO_LOC, a, &d));
		const MatrixShape *s = matrix_mnemonic(rows[i].mnemonic);
		CU_ASSERT_EQUAL(s != NULL, rows[i].passes != 0);
		CU_ASSERT_EQUAL(s ? cost_matrix(&dev, s) : 0, 4 * rows[i].passes);
		diag_free(&d);
		arena_free(a);
	}
}

void suite_cost(void);
/* One operation between lanes, of a wavefront of so many lanes. */
static void across_lanes(void)
{
	static const struct {
		const char *device, *ins;
		u32 wave, valu, moves, reads, waits;
	} rows[] = {
		{"mi50", "s3:i64 = ballot v0", 64, 1, 0, 0, 0},
		{"mi50", "s3:i32 = readlane v1, 5:i32", 64, 1, 0, 0, 0},
		{"mi50", "s3:f64 = readfirst v5", 64, 2, 0, 0, 0},
		{"mi50", "v3:i32 = bpermute v1, v1", 64, 1, 1, 0, 1},
		{"mi50", "v3:f64 = bpermute v1, v5", 64, 1, 2, 0, 1},
		{"mi50", "s3:i32 = reduce.add v1", 64, 7, 0, 0, 0},
		{"mi50", "s3:i32 = reduce.add v1", 128, 8, 0, 0, 0},
		{"mi50", "v3:i32 = reduce.add v1 +8", 64, 3, 0, 0, 0},
		{"mi50", "v3:i32 = scan.smax v1", 64, 6, 0, 0, 0},
		{"mi50", "v3:i32 = scan.add v1 +1", 64, 7, 0, 0, 0},
		{"h200", "s3:i64 = ballot v0", 32, 1, 0, 0, 0},
		{"h200", "s3:i32 = readlane v1, 5:i32", 32, 0, 1, 0, 1},
		{"h200", "s3:i32 = reduce.add v1", 32, 5, 5, 0, 5},
		{"hd5870", "v3:i32 = bpermute v1, v1", 64, 1, 0, 1, 1},
		{"hd5870", "s3:i32 = reduce.add v1", 64, 6, 0, 6, 6},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		Device dev;
		Diag d;
		Buf text = {0};
		diag_init(&d);
		CU_ASSERT_TRUE_FATAL(device_load(&dev, rows[i].device, NO_LOC, a, &d));
		buf_printf(&text, "kernel \"k\"\nreg v0:b1\nreg v1:i32\nreg v5:f64\nfunc 0 \"k\"\nblock 0\n\t%s\n\tret\n",
		           rows[i].ins);
		Program *p = program_parse("t.wave", text.v, &d);
		CU_ASSERT_PTR_NOT_NULL_FATAL(p);
		Profile prof = {.wave = rows[i].wave};
		CostedKernel k = {.x = costs_new(&dev, p, &prof, NULL, NULL, a)};
		CU_ASSERT_EQUAL(count(&k, MC_valu, 0), rows[i].valu);
		CU_ASSERT_EQUAL(count(&k, MC_lds_move, 0), rows[i].moves);
		CU_ASSERT_EQUAL(count(&k, MC_lds_read, 0), rows[i].reads);
		CU_ASSERT_EQUAL(count(&k, MC_lds_write, 0), rows[i].reads);
		CU_ASSERT_EQUAL(count(&k, MC_waitcnt, 0), rows[i].waits);
		program_free(p);
		array_free(&text);
		diag_free(&d);
		arena_free(a);
	}
}

void suite_cost(void)
{
	CU_pSuite s = CU_add_suite("costs", NULL, NULL);
	CU_add_test(s, "operations by NVIDIA's rules", operations);
	CU_add_test(s, "logic of three inputs is one instruction", three_inputs);
	CU_add_test(s, "loads come first", loads_first);
	CU_add_test(s, "loads ahead fill 16 registers", loads_ahead);
	CU_add_test(s, "loads pass stores of other bytes", loads_past_stores);
	CU_add_test(s, "no load passes a quotient of doubles", loads_behind_quotients);
	CU_add_test(s, "wide local reads", wide_local_reads);
	CU_add_test(s, "branches that lanes take differently", branches);
	CU_add_test(s, "indices a constant apart", constant_indices);
	CU_add_test(s, "addresses a constant apart", constant_addresses);
	CU_add_test(s, "conditions of branches and predicates", guards);
	CU_add_test(s, "small loops are unrolled", unrolled);
	CU_add_test(s, "short branches as predicates", predicates);
	CU_add_test(s, "either side of such a branch", predicated_sides);
	CU_add_test(s, "small private arrays are registers", private_arrays);
	CU_add_test(s, "across the lanes", across_lanes);
	CU_add_test(s, "matrix instructions", matrix_cycles);
	CU_add_test(s, "names of matrix instructions", matrix_names);
	CU_add_test(s, "elements of matrices", matrix_places);
	CU_add_test(s, "a frame of private memory of 4 GiB", large_frame);
}
