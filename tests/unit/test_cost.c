/* Issue costs of the IR where no code generator says them: what operations, branches and private arrays become by
 * NVIDIA's rules and AMD's (models/timing/cost_ops.c). */
#include "tests/unit/cost_kit.h"

void suite_cost(void);

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
	    /* what divides by a constant multiplies; how many work-groups there are is known */
	    {"kernel void k(global int *o) { o[get_global_id(0)] = o[get_global_id(0)] / 7; }", MC_trans, 8, 0},
	    {"kernel void k(global long *o) { o[get_global_id(0)] = o[get_global_id(0)] % 7; }", MC_trans, 8, 0},
	    {"kernel void k(global float *o) { o[get_global_id(0)] = o[get_global_id(0)] / 3.0f; }", MC_trans, 8, 0},
	    {"kernel void k(global int *o) { o[get_global_id(0)] /= 7 + o[1]; }", MC_trans, 8, 3},
	    /* the reciprocal of a root is one function, any other quotient two */
	    {"kernel void k(global float *o) { o[get_global_id(0)] = 1.0f / sqrt(o[get_global_id(0)]); }", MC_trans, 8, 1},
	    {"kernel void k(global float *o) { o[get_global_id(0)] = 2.0f / sqrt(o[get_global_id(0)]); }", MC_trans, 8, 2},
	    {"kernel void k(global float *o) { float s = sqrt(o[0]); o[0] = s; o[get_global_id(0)] = 1.0f / s; }", MC_trans, 8, 2},
	    {"kernel void k(global float *o) { o[get_global_id(0)] = floor(o[get_global_id(0)]); }", MC_trans, 8, 1},
	    {"kernel void k(global float *o, global uchar *a) { o[get_global_id(0)] = a[get_global_id(0)]; }", MC_trans, 8, 1},
	    {"kernel void k(global uint *o) { o[get_global_id(0)] = ctz(o[get_global_id(0)]); }", MC_trans, 8, 2},
	    {"kernel void k(global uint *o) { o[get_global_id(0)] = get_num_groups(0); }", MC_trans, 8, 0},
	    /* no access wider than its alignment */
	    {"kernel void k(global ushort8 *o, global const ushort *a) { o[get_global_id(0)] = "
	     "vload8(get_global_id(0), a); }",
	     MC_vmem_load, 0, 8},
	    {"kernel void k(global ushort8 *o, global const ushort8 *a) { o[get_global_id(0)] = "
	     "a[get_global_id(0)]; }",
	     MC_vmem_load, 0, 2},
	    /* … nor of more than four elements */
	    {"kernel void k(global uchar8 *o, global const uchar8 *a) { o[get_global_id(0)] = a[get_global_id(0)]; }",
	     MC_vmem_load, 0, 2},
	    {"kernel void k(global uchar16 *o, global const uchar16 *a) { o[get_global_id(0)] = a[get_global_id(0)]; }",
	     MC_vmem_load, 0, 4},
	    {"kernel void k(global uchar4 *o, global const uchar4 *a) { o[get_global_id(0)] = a[get_global_id(0)]; }",
	     MC_vmem_load, 0, 1},
	    {"kernel void k(global float4 *o, global const float4 *a) { o[get_global_id(0)] = a[get_global_id(0)]; }",
	     MC_vmem_load, 0, 1},
	    /* A product and a sum are one instruction, the multiplier's, as a product alone; so are what numbers a
	     * work-item, and the address of an element. */
	    {"kernel void k(global uint *o, uint n) { o[get_local_id(0)] += n; }", MC_valu_mul, 2, 1},
	    {"kernel void k(global uint *o, uint n) { o[get_local_id(0)] *= n; }", MC_valu_mul, 2, 2},
	    {"kernel void k(global uint *o, uint n) { uint x = o[get_local_id(0)]; o[get_local_id(0)] = x * x + n; }",
	     MC_valu_mul, 2, 2},
	    {"kernel void k(global uint *o) { *o = (uint)get_global_id(0); }", MC_valu_mul, 2, 1},
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

/* As after a run in which each block ran four times, and each division went as `of` says. */
static void cost_after(CostedKernel *k, DivisionProf of)
{
	Device *dev = ARENA_NEW(k->arena, Device);
	Profile *prof = ARENA_NEW(k->arena, Profile);
	Diag d;
	diag_init(&d);
	CU_ASSERT_TRUE_FATAL(device_load(dev, "h200", NO_LOC, k->arena, &d));
	*prof = (Profile){.wave = 32, .blocks = ARENA_ARRAY(k->arena, BlockProf, k->p->blocks.n),
	                  .divisions = ARENA_ARRAY(k->arena, DivisionProf, k->p->ins.n)};
	for (u32 b = 0; b < k->p->blocks.n; b++)
		prof->blocks[b].execs = 4;
	for (u32 n = 0; n < k->p->ins.n; n++)
		prof->divisions[n] = of;
	k->x = costs_new(dev, k->p, prof, NULL, NULL, k->arena);
	diag_free(&d);
}

/* Of 64 bits they take the long way and the short one as often as the run's wavefronts did. */
static void wide_divisions(void)
{
	static const struct { u64 wide, narrow; u32 trans; } rows[] = {{4, 0, 0}, {0, 4, 3}, {1, 4, 3}, {2, 2, 2}};
	CostedKernel k = cost_of("h200", "kernel void k(global ulong *o, ulong n) { o[get_global_id(0)] %= n; }", 0);
	u32 all[COUNT(rows)]; /* vector instructions */
	for (u32 i = 0; i < COUNT(rows); i++) {
		cost_after(&k, (DivisionProf){.wide = rows[i].wide, .narrow = rows[i].narrow});
		CU_ASSERT_EQUAL(count(&k, MC_trans, 8), rows[i].trans);
		all[i] = count(&k, MC_valu, 0);
	}
	CU_ASSERT_TRUE(all[1] < all[2] && all[2] < all[3] && all[3] < all[0]);
	done(&k);
}

/* Of the last instruction that has one of its own. */
static u32 latency_of(const CostedKernel *k)
{
	u32 latency = 0;
	for (u32 i = 0; i < k->x->ins.n; i++)
		latency = k->x->ins.v[i].latency ? k->x->ins.v[i].latency : latency;
	return latency;
}

/* Doubles take their slow path as often as the run's wavefronts did: never, half of the times, always. */
static void slow_divisions(void)
{
	static const struct {
		const char *text;
		u32 more, later; /* instructions, cycles: of the slow path (probes slow-…) */
	} rows[] = {{"o[g] / n", 78, 228}, {"1 / o[g]", 25, 99}, {"sqrt(o[g])", 22, 111}, {"rsqrt(o[g])", 19, 117}};
	for (u32 t = 0; t < COUNT(rows); t++) {
		Buf source = {0};
		buf_printf(&source, "kernel void k(global double *o, double n) { int g = get_global_id(0); o[g] = %s; }",
		           rows[t].text);
		CostedKernel k = cost_as("h200", NULL, source.v, 0, true);
		u32 all[3], latency[3];
		for (u32 half = 0; half < 3; half++) {
			cost_after(&k, (DivisionProf){.slow = half * 2});
			all[half] = count(&k, MC_valu, 0);
			latency[half] = latency_of(&k);
		}
		CU_ASSERT_EQUAL(all[1] - all[0], (rows[t].more + 1) / 2);
		CU_ASSERT_EQUAL(all[2] - all[0], rows[t].more);
		CU_ASSERT_EQUAL(latency[1] - latency[0], (rows[t].later + 1) / 2);
		CU_ASSERT_EQUAL(latency[2] - latency[0], rows[t].later);
		done(&k);
		array_free(&source);
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
		u32 parts = 0, stalls = 0;
		for (u32 i = 0; i < k.x->ins.n; i++) {
			parts += k.x->ins.v[i].divides;
			stalls += k.x->ins.v[i].stall > 0;
		}
		CU_ASSERT_TRUE(parts >= 1);
		CU_ASSERT_EQUAL(stalls > 0, n == 0);
		done(&k);
	}
}

/* NVIDIA's compiler writes down where lanes that part will meet: before an if, once for those that end at one place. */
static void meeting_points(void)
{
#define BODY(c) "for (int i = 0; i < 9; i++) v = fma(v, v, " c ");"
	static const struct {
		const char *body;
		u32 parts, meets;
	} rows[] = {
	    {"if (l < n) {" BODY("1.5f") "}", 1, 1},
	    {"if (l < n) {" BODY("1.5f") "} if (l > n + 9) {" BODY("2.5f") "}", 2, 2},
	    {"if (l < n) {" BODY("1.5f") "v = sqrt(v); if (l > 5) {" BODY("2.5f") "v = v * o[l]; } }", 1, 1},
	    {"if (n > 4) {" BODY("1.5f") "}", 0, 0},
	};
#undef BODY
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		const char *text = arena_printf(a, "kernel void k(global float *o, int n) {\n  int l = get_local_id(0); "
		                                   "float v = l;\n  %s\n  o[get_global_id(0)] = v;\n}\n", rows[i].body);
		CostedKernel k = cost_of("h200", text, 0);
		u32 parts = 0, meets = 0;
		for (u32 j = 0; j < k.x->ins.n; j++) {
			parts += k.x->ins.v[j].stall == 1;
			meets += k.x->ins.v[j].stall > 1;
		}
		CU_ASSERT_EQUAL(parts, rows[i].parts);
		CU_ASSERT_EQUAL(meets, rows[i].meets);
		if (parts != rows[i].parts || meets != rows[i].meets)
			printf("%u %u: %s\n", parts, meets, rows[i].body);
		done(&k);
		arena_free(a);
	}
}

/* What goes by the cache of constants, by L1, and by neither, as what all lanes share. */
static void constant_memory(void)
{
	static const char table[] = "constant uint t[64] = {1, 2, 3};\n";
	static const struct {
		const char *args, *value;
		u32 constants, loads, shared;
	} rows[] = {
	    {"uint n", "t[i & 63]", 1, 0, 0},
	    {"uint n", "t[n]", 0, 0, 1}, /* beside two of the launch's sizes, which are in a bank in any case */
	    {"uint n, constant uint *u", "t[i & 63]", 0, 1, 0}, /* one argument is enough, used or not */
	    {"uint n, constant uint *u", "u[i & 63]", 0, 1, 0},
	    {"uint n, constant uint *u", "u[n]", 0, 1, 0},
	    {"uint n, constant uint *u, constant uint *w", "(get_group_id(0) & n ? u : w)[i & 63]", 0, 1, 0},
	    {"struct S s, constant uint *u", "s.v[i & 63]", 1, 0, 0}, /* values of arguments are there always */
	};
	for (u32 r = 0; r < COUNT(rows); r++) {
		Arena *a = arena_new();
		const char *text = arena_printf(a, "%sstruct S { uint v[64]; };\nkernel void k(global uint *o, %s) {\n"
		                                   "  uint i = get_global_id(0);\n  o[i] = %s;\n}\n",
		                                table, rows[r].args, rows[r].value);
		CostedKernel k = cost_as("h200", NULL, text, 0, true);
		u32 constants = 0, sizes = 2;
		for (u32 j = 0; j < k.x->ins.n; j++)
			constants += k.x->ins.v[j].constant;
		CU_ASSERT_EQUAL(constants, rows[r].constants);
		CU_ASSERT_EQUAL(count(&k, MC_vmem_load, 0) - constants, rows[r].loads);
		CU_ASSERT_EQUAL(count(&k, MC_smem, 0) - sizes, rows[r].shared);
		if (constants != rows[r].constants || count(&k, MC_vmem_load, 0) - constants != rows[r].loads)
			printf("%u constants, %u loads, %u shared: %s\n", constants,
			       count(&k, MC_vmem_load, 0) - constants, count(&k, MC_smem, 0), text);
		done(&k);
		arena_free(a);
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
			const char *text = arena_printf(a, "kernel void k(global float *o, global const float *a, int n) {\n"
			                                   "  %s;\n  o[i] = a[i]%s;\n}\n", rows[i].index, more[m]);
			CostedKernel k = cost_of("h200", text, 0);
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

/* A loop that LLVM does not unroll by itself, over a private array: for NVIDIA its indices become
 * constants, and the array registers, where the turns are few. */
#define OVER_ARRAY(turns) \
	"kernel void k(global float *o) {\n  float t[64]; int g = get_global_id(0);\n" \
	"  for (int i = 0; i < 64; i++) t[i] = o[g + 100 * i];\n" \
	"  _Pragma(\"clang loop vectorize(disable)\")\n  for (int i = 0; i < " #turns "; i++) {\n" \
	"    float s = t[i * 5 % 64];\n    s = exp(s) + log(s * 3);\n    t[i % 64] = s;\n  }\n" \
	"  float s = 0;\n  for (int i = 0; i < 64; i++) s = s * 2 + t[i];\n  o[g] = s;\n}\n"

static void private_arrays(void)
{
	static const struct {
		const char *source;
		bool registers;
	} rows[] = {
	    {OVER_ARRAY(24), true},
	    {OVER_ARRAY(1000000), false}, /* and it ends */
	    {OVER_ARRAY(400), false}, /* too much */
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		CostedKernel k = cost_of("h200", rows[i].source, 16);
		CU_ASSERT_EQUAL(!k.x->frame, rows[i].registers);
		if (!k.x->frame != rows[i].registers)
			printf("row %u: a frame of %llu bytes, %u instructions\n", i, (unsigned long long)k.x->frame,
			       k.x->ins.n);
		done(&k);
	}
	/* However few elements, where only the run knows the index. */
	static const char at_index[] =
	    "kernel void k(global int *o) { int t[8], g = get_global_id(0);\n"
	    "  for (int i = 0; i < 8; i++) t[i] = o[g + i];\n"
	    "  for (int i = 0; i < 99; i++) t[o[i] & 7] += i;\n"
	    "  o[g] = t[o[1] & 7]; }\n";
	CostedKernel k = cost_as("h200", NULL, at_index, 16, true);
	CU_ASSERT_EQUAL(k.x->frame, 8 * 4 * 32);
	done(&k);
}

/* Zeros of a private array that memory holds are stores to a row for each dword. */
static void private_zeros(void)
{
	static const struct {
		const char *type;
		u32 n, two, rows; /* two: there is a second array, which lies behind the first */
	} rows[] = {{"uint", 100, 0, 100}, {"uchar", 226, 0, 57}, {"ulong", 40, 0, 80}, {"uint", 100, 1, 200}};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		CostedKernel k = cost_of("h200", arena_printf(a, "kernel void k(global ulong *out, global const uint *in) {\n"
		                         "	%s v[%u] = {0}; uint x = in[get_global_id(0)], y = 0;\n"
		                         "	v[x %% %u] = 1;\n"
		                         "#if %u\n"
		                         "	%s w[%u] = {0}; w[x %% 7] = v[x / 3 %% 9]; y = w[x / 256 %% 11];\n"
		                         "#endif\n"
		                         "	out[get_global_id(0)] = v[x / 256 %% %u] + y;\n}\n",
		                         rows[i].type, rows[i].n, rows[i].n, rows[i].two, rows[i].type, rows[i].n,
		                         rows[i].n), 0);
		u32 n = 0, last = UINT32_MAX;
		for (u32 m = 0; m < k.x->ins.n; m++) {
			const CostIns *x = &k.x->ins.v[m];
			if (x->cls != MC_scratch || x->frame == NO_FRAME)
				continue;
			CU_ASSERT_TRUE(x->write && x->frame == (u64)(last + 1) * 4 * k.x->wave);
			last++;
			n++;
		}
		CU_ASSERT_EQUAL(n, rows[i].rows);
		done(&k);
		arena_free(a);
	}
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

/* As NVIDIA's compiler has it: work-items' numbers are sums of 64 bits, functions its own. */
static CostedKernel cost_nvidia(const char *source, const char *options)
{
	return cost_with("h200", NULL, (FeOptions){.source = source, .build_options = options, .unroll = 1, .nvidia = true});
}

static void expect(const char *what, u32 row, u32 got, u32 expected)
{
	CU_ASSERT_EQUAL(got, expected);
	if (got != expected)
		printf("%s, row %u: %u, not %u\n", what, row, got, expected);
}

/* What its assembler made of them for an H200: instructions besides the function itself, of half rate and others. */
static void functions(void)
{
	static const char relaxed[] = "-cl-fast-relaxed-math", flush[] = "-cl-denorms-are-zero";
	static const struct { const char *call, *options; u32 logic, others; } rows[] = {
	    {"native_exp2(x)", NULL, 1, 2},  {"native_exp2(x)", relaxed, 1, 2},  {"native_exp2(x)", flush, 1, 2},
	    {"native_log2(x)", NULL, 1, 2},  {"native_log2(x)", relaxed, 1, 2},  {"native_log2(x)", flush, 1, 2},
	    {"native_exp(x)", NULL, 1, 3},   {"native_exp(x)", relaxed, 0, 1},   {"native_exp(x)", flush, 0, 1},
	    {"native_log(x)", NULL, 1, 3},   {"native_log(x)", relaxed, 0, 1},   {"native_log(x)", flush, 0, 1},
	    {"native_exp10(x)", NULL, 1, 3}, {"native_exp10(x)", relaxed, 0, 1}, {"native_log10(x)", NULL, 1, 3},
	    {"native_log10(x)", flush, 0, 1}, {"exp2(x)", NULL, 1, 2},           {"exp2(x)", relaxed, 0, 0},
	    {"exp(x)", relaxed, 0, 1},       {"log(x)", relaxed, 0, 1},          {"native_divide(y, x)", NULL, 2, 3},
	    {"native_divide(y, x)", relaxed, 2, 3}, {"native_recip(x)", NULL, 2, 2}, {"native_recip(x)", relaxed, 2, 2},
	    {"rsqrt(x)", NULL, 1, 2},        {"y / x", relaxed, 0, 1},
	    {"rsqrt(x)", relaxed, 1, 2},     {"rsqrt(x)", flush, 1, 2},
	    {"1 / sqrt(x)", NULL, 1, 2},     {"1 / sqrt(x)", relaxed, 1, 2},
	    {"(1.0f / sqrt((float4)(x))).y", relaxed, 1, 2},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		u32 logic[2], others[2], trans[2];
		for (u32 n = 0; n < 2; n++) { /* less what is around it */
			CostedKernel k = cost_nvidia(arena_printf(a, "kernel void k(global float *o, float z) { uint i = "
			                                             "get_local_id(0); float x = o[i], y = o[i + 32]; "
			                                             "o[i] = fma(z, y, %s); }", n ? rows[i].call : "x"),
			                             rows[i].options);
			logic[n] = count(&k, MC_valu, 2);
			others[n] = count(&k, MC_valu, 1);
			trans[n] = count(&k, MC_trans, 8);
			done(&k);
		}
		expect(rows[i].call, i, logic[1] - logic[0], rows[i].logic);
		expect(rows[i].call, i, others[1] - others[0], rows[i].others);
		expect(rows[i].call, i, trans[1] - trans[0], 1);
		arena_free(a);
	}
}

/* Reads of an image by a sampler that the compiler knows, others, and parts of its size that are asked for. */
static void images(void)
{
	static const struct { const char *body; u32 fetches, others, queries; } rows[] = {
	    {"o[0] = read_imagef(i, s, (int2)(x, 1)).x;", 1, 0, 0},
	    {"o[0] = read_imagef(i, (int2)(x, 1)).x;", 1, 0, 0},
	    {"o[0] = read_imagef(i, a, (int2)(x, 1)).x;", 0, 1, 0},
	    {"o[0] = read_imagef(i, s, (float2)(x, 1)).x;", 0, 1, 0},
	    {"o[0] = get_image_width(i) + x;", 0, 0, 1},
	    {"int2 d = get_image_dim(i); o[0] = d.x + d.y * x;", 0, 0, 2},
	};
	for (u32 r = 0; r < COUNT(rows); r++) {
		Arena *arena = arena_new();
		char *source = arena_printf(arena, "constant sampler_t s = CLK_ADDRESS_CLAMP; kernel void k(read_only image2d_t i, "
		                                   "sampler_t a, global float *o) { int x = get_global_id(0); %s }", rows[r].body);
		FeOptions options = {.source = source, .unroll = 1, .nvidia = true, .images = true};
		CostedKernel k = cost_with("h200", NULL, options);
		u32 fetches = 0, others = 0, queries = 0;
		for (u32 i = 0; i < k.x->ins.n; i++) {
			const CostIns *x = &k.x->ins.v[i];
			fetches += x->fetch;
			others += x->image && !x->fetch;
			queries += x->queries;
		}
		expect("fetches", r, fetches, rows[r].fetches);
		expect("other reads", r, others, rows[r].others);
		expect("queries", r, queries, rows[r].queries);
		done(&k);
		arena_free(arena);
	}
}

/* What a wavefront is told takes an instruction in each block that reads it, but none in a loop. */
static void inputs(void)
{
	static const struct { const char *source; u32 n; } rows[] = {
	    {"kernel void k(global int *o) { o[get_local_id(0)] = 1; }", 2 + 2},
	    {"kernel void k(global int *o, int n) { o[get_local_id(0)] = n; }", 2 + 3},
	    {"kernel void k(global int *o) { o[get_local_id(0)] = get_group_id(1); }", 2 + 3},
	    {"kernel void k(global int *o, int n) { for (int i = 1; i < 100; i++) o[i] = o[i - 1] + n; }", 2 + 1},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		CostedKernel k = cost_of("h200", rows[i].source, 1);
		expect("inputs", i, count(&k, MC_salu, 0), rows[i].n);
		done(&k);
	}
}

/* A constant that is carried into a join has to be put into its register, another value is there. */
static void constants_at_joins(void)
{
	static const char *const first[] = {"0", "m"};
	u32 n[COUNT(first)];
	for (u32 i = 0; i < COUNT(first); i++) {
		Arena *a = arena_new();
		CostedKernel k = cost_of("h200", arena_printf(a, "kernel void k(global uint *o, uint m) { uint s = %s; "
		                                                 "for (uint i = m; i < o[i]; i++) s ^= o[i]; o[0] = s; }",
		                                              first[i]), 1);
		n[i] = count(&k, MC_valu, 0);
		done(&k);
		arena_free(a);
	}
	CU_ASSERT_EQUAL(n[0], n[1] + 2); /* before the loop, and past it */
}

/* Of a loop by what it does not change: the reciprocal is taken before it, unless only some turns divide. */
static void divisions_of_some_turns(void)
{
	static const struct { const char *turn; u32 trans; } rows[] = {
	    {"v[i] /= d;", 0},
	    {"if (v[i] > 5) { v[i] /= d; o[i] = native_sin(v[i]); }", 2},
	    {"if (v[i] > 5) break; v[i] /= d;", 0},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		CostedKernel k = cost_nvidia(arena_printf(a, "kernel void k(global float *o, global float *v, float d, int n) {\n"
		                                             "\t_Pragma(\"unroll 1\")\n\tfor (int i = 0; i < n; i++) { %s }\n}\n",
		                                          rows[i].turn), NULL);
		expect(rows[i].turn, i, count(&k, MC_trans, 8), rows[i].trans);
		done(&k);
		arena_free(a);
	}
}

/* One side that either of two conditions leads to is under a predicate, too. */
static void either(void)
{
	static const struct { const char *side; u32 branches; } rows[] = {
	    {"s += v;", 2}, /* the loop's own, and its way back */
	    {"s += native_sin(v) * native_cos(v + 1) * v * (v + 2) * (v + 3) * (v + 4) * (v + 5);", 4},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		CostedKernel k = cost_nvidia(arena_printf(a, "kernel void k(global float *o, global float *x, int n) {\n"
		                                             "\tfloat s = 0, t = o[get_local_id(0)];\n\t_Pragma(\"unroll 1\")\n"
		                                             "\tfor (int i = 0; i < n; i++) { float v = x[i]; "
		                                             "if (v < t || (v == t && i < s)) { %s } }\n\to[0] = s;\n}\n",
		                                          rows[i].side), NULL);
		u32 branches = 0;
		for (u32 n = 0; n < k.p->blocks.n; n++)
			for (u32 b = k.x->first_block[n]; k.p->blocks.v[n].loop_depth && b < k.x->first_block[n + 1]; b++)
				for (u32 j = 0; j < k.x->blocks.v[b].n; j++)
					branches += k.x->ins.v[k.x->blocks.v[b].first + j].cls == MC_branch &&
					            !k.x->ins.v[k.x->blocks.v[b].first + j].stall;
		expect(rows[i].side, i, branches, rows[i].branches);
		done(&k);
		arena_free(a);
	}
}

void suite_cost(void)
{
	CU_pSuite s = CU_add_suite("costs", NULL, NULL);
	CU_add_test(s, "divisions of 64 bits as the run has them", wide_divisions);
	CU_add_test(s, "divisions of doubles as the run has them", slow_divisions);
	CU_add_test(s, "operations by NVIDIA's rules", operations);
	CU_add_test(s, "logic of three inputs is one instruction", three_inputs);
	CU_add_test(s, "wide local reads", wide_local_reads);
	CU_add_test(s, "branches that lanes take differently", branches);
	CU_add_test(s, "where lanes that part will meet", meeting_points);
	CU_add_test(s, "constant memory", constant_memory);
	CU_add_test(s, "indices a constant apart", constant_indices);
	CU_add_test(s, "addresses a constant apart", constant_addresses);
	CU_add_test(s, "conditions of branches and predicates", guards);
	CU_add_test(s, "small private arrays are registers", private_arrays);
	CU_add_test(s, "across the lanes", across_lanes);
	CU_add_test(s, "zeros of private arrays", private_zeros);
	CU_add_test(s, "a frame of private memory of 4 GiB", large_frame);
	CU_add_test(s, "functions as NVIDIA's assembler has them", functions);
	CU_add_test(s, "images on an H200", images);
	CU_add_test(s, "what a wavefront is told", inputs);
	CU_add_test(s, "constants at joins", constants_at_joins);
	CU_add_test(s, "divisions of some turns of a loop", divisions_of_some_turns);
	CU_add_test(s, "one side of two conditions", either);
}
