/* The wave machine on small wave programs: what lanes compute, where they meet again, what is counted. */
#include "tests/unit/sim_kit.h"

void suite_sim(void);

/* out[id] = id < n ? 100 : 200, with two instructions on one side and four on the other */
static const char if_else[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:b1 = slt_i32 v2, s1\n"
    "	br v3 -> 1, 2\n"
    "block 1\n"
    "	v4:i32 = add_i32 v2, 100:i32\n"
    "	v5:i32 = sub_i32 v4, v2\n"
    "	v6:i32 = mov v5\n"
    "	jmp -> 3\n"
    "block 2\n"
    "	v7:i32 = add_i32 v2, 1:i32\n"
    "	v8:i32 = add_i32 v7, 198:i32\n"
    "	v9:i32 = add_i32 v8, 1:i32\n"
    "	v10:i32 = sub_i32 v9, v2\n"
    "	v6 = mov v10\n"
    "	jmp -> 3\n"
    "block 3\n"
    "	v11:i64 = leaz_i64 s0, v2 *4\n"
    "	st.global v11, v6\n"
    "	ret\n";

static void test_if_else(void)
{
	for (u32 n = 0; n <= 64; n++) {
		Bench b;
		run(&b, if_else, 64, 64, 64, n);
		for (u32 i = 0; i < 64; i++)
			CU_ASSERT_EQUAL(b.out[i], i < n ? 100 : 200);
		bool split = n > 0 && n < 64;
		CU_ASSERT_EQUAL(b.t.divergent_branches, split);
		CU_ASSERT_EQUAL(b.prof->blocks[1].execs, n > 0);
		CU_ASSERT_EQUAL(b.prof->blocks[1].lanes, n);
		CU_ASSERT_EQUAL(b.prof->blocks[2].lanes, 64 - n);
		CU_ASSERT_EQUAL(b.prof->blocks[3].execs, 1);
		/* One pass needs the longer side (4); the other side's 2 are serialized. */
		CU_ASSERT_EQUAL(b.prof->serialized, split ? 2 : 0);
		/* Each side waits while the other one runs. */
		CU_ASSERT_EQUAL(b.prof->blocks[0].lost, split ? 2 * (64 - n) + 4 * n : 0);
		CU_ASSERT_EQUAL(b.t.branches, 1);
		done(&b);
	}
}

/* Lane l leaves the loop after l rounds: nothing is serialized, the last lane needs all of it. */
static const char loop[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i32 = mov 0:i32\n"
    "	jmp -> 1\n"
    "block 1 depth 1\n"
    "	v4:i32 = add_i32 v3, 1:i32\n"
    "	v5:b1 = ult_i32 v3, v2\n"
    "	br v5 -> 3, 2\n"
    "block 2\n"
    "	v6:i32 = mov v4\n"
    "	jmp -> 4\n"
    "block 3 depth 1\n"
    "	v3 = mov v4\n"
    "	jmp -> 1\n"
    "block 4\n"
    "	v7:i64 = leaz_i64 s0, v2 *4\n"
    "	st.global v7, v6\n"
    "	ret\n";

static void test_loop(void)
{
	static const u32 waves[] = {8, 16, 32, 64, 128};
	for (u32 i = 0; i < COUNT(waves); i++) {
		Bench b;
		run(&b, loop, waves[i], 128, 128, 0);
		for (u32 l = 0; l < 128; l++)
			CU_ASSERT_EQUAL(b.out[l], l + 1);
		CU_ASSERT_EQUAL(b.prof->serialized, 0);
		CU_ASSERT_EQUAL(b.prof->waves, 128 / waves[i]);
		/* All lanes leave through one block and reach the end together. */
		CU_ASSERT_EQUAL(b.prof->blocks[4].execs, 128 / waves[i]);
		u64 rounds = 0;
		for (u32 w = 0; w < 128 / waves[i]; w++)
			rounds += (w + 1) * waves[i];
		CU_ASSERT_EQUAL(b.prof->blocks[1].execs, rounds);
		CU_ASSERT_EQUAL(b.prof->blocks[1].lanes, 128 * 129 / 2);
		/* Who leaves early waits for the last, at the cost of the loop's exit. */
		CU_ASSERT_EQUAL(b.prof->blocks[1].lost, b.t.wave_instructions * waves[i] - b.t.active_lanes);
		done(&b);
	}
}

/* if (id < 8 || id >= n) x; the shared block runs once for all of its lanes. */
static const char either[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:b1 = ult_i32 v2, 8:i32\n"
    "	br v3 -> 2, 1\n"
    "block 1\n"
    "	v4:b1 = ult_i32 v2, s1\n"
    "	br v4 -> 3, 2\n"
    "block 2\n"
    "	v5:i64 = leaz_i64 s0, v2 *4\n"
    "	st.global v5, 7:i32\n"
    "	jmp -> 3\n"
    "block 3\n"
    "	ret\n";

static void test_shared_block(void)
{
	Bench b;
	run(&b, either, 64, 64, 64, 60);
	CU_ASSERT_EQUAL(b.prof->blocks[2].execs, 1);
	CU_ASSERT_EQUAL(b.prof->blocks[2].lanes, 12);
	CU_ASSERT_EQUAL(b.prof->blocks[3].execs, 1);
	CU_ASSERT_EQUAL(b.t.divergent_branches, 2);
	done(&b);
}

static const char four_ways[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i32 = urem_i32 v2, s1\n"
    "	switch v3 -> 4 [0: 1, 1: 2, 2: 3]\n"
    "block 1\n"
    "	v4:i32 = add_i32 v2, 1:i32\n"
    "	v9:i32 = mov v4\n"
    "	jmp -> 5\n"
    "block 2\n"
    "	v5:i32 = add_i32 v2, 2:i32\n"
    "	v9 = mov v5\n"
    "	jmp -> 5\n"
    "block 3\n"
    "	v6:i32 = add_i32 v2, 1:i32\n"
    "	v7:i32 = add_i32 v6, 2:i32\n"
    "	v9 = mov v7\n"
    "	jmp -> 5\n"
    "block 4\n"
    "	v9 = mov 9:i32\n"
    "	jmp -> 5\n"
    "block 5\n"
    "	v10:i64 = leaz_i64 s0, v2 *4\n"
    "	st.global v10, v9\n"
    "	ret\n";

static void test_switch(void)
{
	Bench b;
	run(&b, four_ways, 64, 64, 64, 5);
	for (u32 i = 0; i < 64; i++)
		CU_ASSERT_EQUAL(b.out[i], i % 5 < 3 ? i + i % 5 + 1 : 9);
	CU_ASSERT_EQUAL(b.t.divergent_branches, 1);
	CU_ASSERT_EQUAL(b.prof->serialized, 2); /* 1 + 1 + 2 + 0 executed, the longest path has 2 */
	CU_ASSERT_EQUAL(b.prof->blocks[5].execs, 1);
	CU_ASSERT_EQUAL(b.prof->blocks[0].lost, b.t.wave_instructions * 64 - b.t.active_lanes);
	done(&b);
	run(&b, four_ways, 64, 64, 64, 1);
	CU_ASSERT_EQUAL(b.t.divergent_branches, 0);
	CU_ASSERT_EQUAL(b.prof->serialized, 0);
	done(&b);
}

/* Each lane stores its id in LDS, waits, reads its mirror image. */
static const char mirror[] = HEAD
    "object 0 \"tile\" lds seg 1 size 1024 align 4\n"
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i32 = lea_i32 1048576:i32, v2 *4\n"
    "	st.lds v3, v2\n"
    "	barrier\n"
    "	v4:i32 = sub_i32 255:i32, v2\n"
    "	v5:i32 = lea_i32 1048576:i32, v4 *4\n"
    "	v6:i32 = ld.lds v5\n"
    "	s7:i32 = query.group_id_x\n"
    "	s8:i32 = mul_i32 s7, 256:i32\n"
    "	v9:i32 = add_i32 v2, s8\n"
    "	v10:i64 = leaz_i64 s0, v9 *4\n"
    "	st.global v10, v6\n"
    "	ret\n";

static void test_barrier(void)
{
	for (u32 threads = 1; threads <= 3; threads++) {
		Bench b;
		run_dims(&b, mirror, 64, (u64[3]){1024, 1, 1}, (u64[3]){256, 1, 1}, 0, threads, 0);
		for (u32 i = 0; i < 1024; i++)
			CU_ASSERT_EQUAL(b.out[i], 255 - i % 256);
		CU_ASSERT_EQUAL(b.t.lds.accesses, 2 * 16);
		CU_ASSERT_EQUAL(b.t.lds.ideal, 2 * 2 * 16);
		CU_ASSERT_EQUAL(b.t.lds.actual, 2 * 2 * 16);
		CU_ASSERT_EQUAL(b.t.actual_lines, 4 * 16);
		CU_ASSERT_EQUAL(b.prof->findings.n, 0);
		CU_ASSERT_EQUAL(b.prof->wave_profs.n, 16);
		CU_ASSERT_EQUAL(b.prof->wave_profs.v[15].group, 3);
		CU_ASSERT_EQUAL(b.prof->wave_profs.v[15].wave, 3);
		CU_ASSERT_EQUAL(b.prof->wave_profs.v[15].instructions, b.t.wave_instructions / 16);
		done(&b);
	}
}

/* The record is the same word for word, whichever thread ran which work-group, and holds a shape once. */
static void test_record(void)
{
	enum { GROUPS = 64 };
	static u32 out[GROUPS * 256];
	u64 groups[GROUPS];
	Diag d;
	diag_init(&d);
	Program *p = program_parse("test.wave", mirror, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	for (u32 i = 0; i < GROUPS; i++)
		groups[i] = i;
	const SimRecord record = {.groups = groups, .ngroups = GROUPS, .words = 1000, .masks = true};
	SimBuffer buffer = {.data = (u8 *)out, .size = sizeof out, .name = "out", .readable = true, .writable = true};
	u32 zero = 0;
	SimArg args[2] = {{.kind = SIM_BUFFER, .buffer = 0}, {.kind = SIM_VALUE, .bytes = &zero, .size = 4}};
	SimLaunch l = {.dims = 1, .global = {GROUPS * 256, 1, 1}, .local = {256, 1, 1}, .args = args,
	               .buffers = &buffer, .nbuffers = 1};
	Profile *prof[8];
	for (u32 t = 0; t < COUNT(prof); t++) {
		SimConfig cfg = {.wave = 64, .line_bytes = 64, .threads = t + 1, .record = &record};
		lds_rule(&cfg.lds, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 32);
		prof[t] = sim_run(p, &l, &cfg, &d);
		CU_ASSERT_PTR_NOT_NULL_FATAL(prof[t]);
		const Events *one = prof[0]->events, *e = prof[t]->events;
		CU_ASSERT_EQUAL_FATAL(e->waves.n, GROUPS * 4);
		CU_ASSERT_EQUAL(shape_count(e->shapes), shape_count(one->shapes));
		for (u32 i = 0; i < e->waves.n; i++) {
			const WaveEvents *a = &one->waves.v[i], *b = &e->waves.v[i];
			CU_ASSERT_PTR_EQUAL(b->shapes, shape_table(e->shapes));
			CU_ASSERT_TRUE(a->n == b->n && !memcmp(a->words, b->words, a->n * sizeof *a->words));
		}
	}
	for (u32 t = 0; t < COUNT(prof); t++)
		profile_free(prof[t]);
	program_free(p);
	diag_free(&d);
}

/* A lane whose operand is 0 or below, or whose exponents are too far apart, is counted once for its wavefront. */
#define DOUBLES(a, b) HEAD \
	"func 0 \"k\"\n" \
	"block 0\n" \
	"	v2:i32 = query.local_id_x\n" \
	"	v3:i32 = add_i32 v2, s1\n" \
	"	v4:i64 = zext_i64_i32 v3\n" \
	"	v5:i64 = shl_i64 v4, 52:i64\n" \
	"	v6:f64 = bits_f64_i64 v5\n" /* of exponent local id + s1 */ \
	"	v7:f64 = sitofp_f64_i32 v2\n" \
	"	v8:f64 = sitofp_f64_i32 v3\n" \
	"	s9:i64 = shl_i64 1:i64, 52:i64\n" \
	"	s10:f64 = bits_f64_i64 s9\n" /* the least normal number */ \
	"	v11:f64 = fdiv_f64 " a ", " b "\n" \
	"	v12:f64 = sqrt_f64 " a "\n" \
	"	v13:f64 = rsq_f64 " b "\n" \
	"	v14:f64 = fadd_f64 v11, v12\n" \
	"	v15:f64 = fadd_f64 v14, v13\n" \
	"	v16:i32 = fptosi_i32_f64 v15\n" \
	"	v17:i64 = leaz_i64 s0, v2 *4\n" \
	"	st.global v17, v16\n" \
	"	ret\n"

static void test_slow_doubles(void)
{
	static const struct {
		const char *text;
		u32 more, quotients, roots, inverse_roots; /* of four wavefronts */
	} rows[] = {
	    {DOUBLES("v8", "v7"), 0, 1, 1, 1},           /* 0 / 0, and the roots of 0 */
	    {DOUBLES("v8", "v7"), (u32)-40, 2, 2, 1},    /* a divisor of 0, a dividend of 0; operands below 0 */
	    {DOUBLES("v8", "v7"), 1, 1, 0, 1},
	    {DOUBLES("v6", "v8"), 54 - 32, 1, 1, 0},     /* the second wavefront begins at the exponent 54 */
	    {DOUBLES("v6", "v8"), 53 - 32, 2, 1, 0},     /* a root at 53 */
	    {DOUBLES("v6", "v8"), 52 - 32, 2, 2, 0},
	    {DOUBLES("v6", "s10"), 1025 - 96, 1, 0, 4},  /* 2^1023 at most; its last wavefront begins at 2^1024 */
	    {DOUBLES("v6", "s10"), 1024 - 96, 1, 0, 4},
	    {DOUBLES("v6", "s10"), 1024 - 127, 0, 0, 4},
	    {DOUBLES("s10", "v6"), 1, 4, 4, 2},          /* the least number divided by itself has too few bits below */
	    {DOUBLES("v6", "v6"), 2047 - 127, 1, 1, 1},  /* infinity in the last lane */
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Bench b;
		run(&b, rows[i].text, 32, 128, 128, rows[i].more);
		u64 slow[3] = {0};
		for (u32 k = 0; k < b.p->ins.n; k++) {
			u32 op = b.p->ins.v[k].op;
			slow[0] += op == OP_fdiv_f64 ? b.prof->divisions[k].slow : 0;
			slow[1] += op == OP_sqrt_f64 ? b.prof->divisions[k].slow : 0;
			slow[2] += op == OP_rsq_f64 ? b.prof->divisions[k].slow : 0;
		}
		CU_ASSERT_EQUAL(slow[0], rows[i].quotients);
		CU_ASSERT_EQUAL(slow[1], rows[i].roots);
		CU_ASSERT_EQUAL(slow[2], rows[i].inverse_roots);
		done(&b);
	}
}

/* Two functions; lanes return from the callee at different places. */
static const char calls[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i32 = call v2 -> 1\n"
    "	v4:i64 = leaz_i64 s0, v2 *4\n"
    "	st.global v4, v3\n"
    "	ret\n"
    "func 1 \"clip\" params(v10:i32) results(v11:i32)\n"
    "block 1\n"
    "	v12:b1 = ult_i32 v10, 10:i32\n"
    "	br v12 -> 2, 3\n"
    "block 2\n"
    "	ret v10\n"
    "block 3\n"
    "	v13:i32 = add_i32 v10, 1000:i32\n"
    "	ret v13\n";

static void test_calls(void)
{
	Bench b;
	run(&b, calls, 64, 64, 64, 0);
	for (u32 i = 0; i < 64; i++)
		CU_ASSERT_EQUAL(b.out[i], i < 10 ? i : i + 1000);
	CU_ASSERT_EQUAL(b.t.divergent_branches, 1);
	done(&b);
}

static const char histogram[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i32 = urem_i32 v2, s1\n"
    "	v4:i64 = leaz_i64 s0, v3 *4\n"
    "	v5:i32 = atomic.add.global v4, 1:i32\n"
    "	ret\n";

static void test_atomics(void)
{
	Bench b;
	run_dims(&b, histogram, 64, (u64[3]){64 * 100, 1, 1}, (u64[3]){64, 1, 1}, 10, 2, 0);
	u32 sum = 0;
	for (u32 i = 0; i < 10; i++)
		sum += b.out[i];
	CU_ASSERT_EQUAL(sum, 6400);
	CU_ASSERT_EQUAL(b.out[0], 700);
	done(&b);
}

/* ids in three dimensions: out[linear id] = x + 100 y + 10000 z */
static const char ids[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i32 = query.local_id_y\n"
    "	v4:i32 = query.local_id_z\n"
    "	v5:i32 = lea_i32 v2, v3 *5\n"
    "	v6:i32 = lea_i32 v5, v4 *15\n"
    "	v7:i32 = lea_i32 v2, v3 *100\n"
    "	v8:i32 = lea_i32 v7, v4 *10000\n"
    "	v9:i64 = leaz_i64 s0, v6 *4\n"
    "	st.global v9, v8\n"
    "	ret\n";

static void test_ids(void)
{
	static const u32 waves[] = {1, 7, 32, 64, 128};
	for (u32 i = 0; i < COUNT(waves); i++) {
		Bench b;
		run_dims(&b, ids, waves[i], (u64[3]){5, 3, 4}, (u64[3]){5, 3, 4}, 0, 1, 0);
		for (u32 l = 0; l < 60; l++)
			CU_ASSERT_EQUAL(b.out[l], l % 5 + l / 5 % 3 * 100 + l / 15 * 10000);
		CU_ASSERT_EQUAL(b.prof->waves, (60 + waves[i] - 1) / waves[i]);
		done(&b);
	}
}

/* An irreducible region: two blocks that jump into each other, entered at both. */
static const char tangle[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i32 = mov 0:i32\n"
    "	v4:b1 = ult_i32 v2, s1\n"
    "	br v4 -> 1, 2\n"
    "block 1 masked\n"
    "	v5:i32 = add_i32 v3, 1:i32\n"
    "	v3 = mov v5\n"
    "	v6:b1 = ult_i32 v3, v2\n"
    "	br v6 -> 2, 3\n"
    "block 2 masked\n"
    "	v7:i32 = add_i32 v3, 2:i32\n"
    "	v3 = mov v7\n"
    "	v8:b1 = ult_i32 v3, v2\n"
    "	br v8 -> 1, 3\n"
    "block 3\n"
    "	v9:i64 = leaz_i64 s0, v2 *4\n"
    "	st.global v9, v3\n"
    "	ret\n";

static void test_irreducible(void)
{
	Bench b;
	run(&b, tangle, 64, 64, 64, 20);
	for (u32 i = 0; i < 64; i++) {
		u32 v = 0;
		bool first = i < 20;
		do {
			v += first ? 1 : 2;
			first = !first;
		} while (v < i);
		CU_ASSERT_EQUAL(b.out[i], v);
	}
	CU_ASSERT_EQUAL(b.prof->blocks[3].execs, 1);
	done(&b);
}

void suite_sim(void)
{
	CU_pSuite s = CU_add_suite("sim", NULL, NULL);
	CU_add_test(s, "if/else: lanes, meeting, serialized", test_if_else);
	CU_add_test(s, "loop that lanes leave one by one", test_loop);
	CU_add_test(s, "a block shared by two paths runs once", test_shared_block);
	CU_add_test(s, "switch", test_switch);
	CU_add_test(s, "barrier and LDS, any number of threads", test_barrier);
	CU_add_test(s, "the record, any number of threads", test_record);
	CU_add_test(s, "slow paths of divisions and roots of doubles", test_slow_doubles);
	CU_add_test(s, "calls", test_calls);
	CU_add_test(s, "atomics", test_atomics);
	CU_add_test(s, "ids in three dimensions, odd wave widths", test_ids);
	CU_add_test(s, "irreducible control flow", test_irreducible);
}
