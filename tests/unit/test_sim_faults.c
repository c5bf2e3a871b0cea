/* The wave machine on programs that do something wrong, and the bounds that end a run or its text. */
#include "tests/unit/sim_kit.h"

#include "sim/wave.h"

#include <pthread.h>

void suite_sim_faults(void);

/* Local arguments of any size are an error when they do not fit, also where the sum does not fit a u64. */
static void test_too_much_lds(void)
{
	static const char text[] =
	    "kernel \"k\"\n"
	    "arg 0 \"a\" local bytes 4 width 1 size 4\n"
	    "arg 1 \"b\" local bytes 4 width 1 size 4\n"
	    "param s0:i32 arg 0 offset 0\n"
	    "object 0 \"tile\" lds seg 1 size 24 align 8\n"
	    "func 0 \"k\"\n"
	    "block 0\n"
	    "	ret\n";
	static const struct {
		u64 size[2], max, bytes;
		bool fits;
	} row[] = {
		{{100, 8}, 65536, 132, true},
		{{100, 8}, 132, 132, true},
		{{100, 8}, 131, 132, false},
		{{1 << 20, 1 << 20}, 0, 2097176, true},
		{{1ull << 32, 8}, 0, 4294967328, false},
		{{1ull << 32, 8}, UINT64_MAX, 4294967328, false},
		{{UINT64_MAX, 8}, 65536, UINT64_MAX, false},
		{{UINT64_MAX - 100, 200}, 65536, UINT64_MAX, false},
		{{8, UINT64_MAX}, 0, UINT64_MAX, false},
	};
	Diag d;
	diag_init(&d);
	Program *p = program_parse("test.wave", text, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	for (u32 i = 0; i < COUNT(row); i++) {
		u32 errors = d.errors;
		SimArg args[] = {{.kind = SIM_LOCAL, .size = row[i].size[0]},
		                 {.kind = SIM_LOCAL, .size = row[i].size[1]}};
		SimLaunch l = {.dims = 1, .global = {64, 1, 1}, .local = {64, 1, 1}, .args = args};
		SimConfig cfg = {.wave = 64, .line_bytes = 64, .threads = 1, .max_lds = row[i].max};
		lds_rule(&cfg.lds, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 32);
		CU_ASSERT_EQUAL(sim_lds_bytes(p, &l), row[i].bytes);
		Profile *prof = sim_run(p, &l, &cfg, &d);
		CU_ASSERT_EQUAL(prof != NULL, row[i].fits);
		CU_ASSERT_EQUAL(d.errors - errors, !row[i].fits);
		profile_free(prof);
	}
	program_free(p);
	diag_free(&d);
}

static const char half_barrier[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:b1 = ult_i32 v2, s1\n"
    "	br v3 -> 1, 2\n"
    "block 1\n"
    "	barrier\n"
    "	jmp -> 2\n"
    "block 2\n"
    "	ret\n";

static void test_divergent_barrier(void)
{
	Bench b;
	run(&b, half_barrier, 64, 128, 128, 40);
	const Finding *f = finding(&b, FINDING_divergent_barrier);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(f->count, 24);
	CU_ASSERT_EQUAL(f->local_id[0], 40);
	CU_ASSERT_PTR_NOT_NULL(finding(&b, FINDING_missed_barrier));
	done(&b);
	run(&b, half_barrier, 64, 128, 128, 128);
	CU_ASSERT_EQUAL(b.prof->findings.n, 0);
	done(&b);
}

static const char wild[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i32 = mul_i32 v2, s1\n"
    "	v4:i64 = leas_i64 s0, v3 *4\n"
    "	v5:i32 = ld.global v4\n"
    "	v6:i32 = add_i32 v5, 1:i32\n"
    "	v7:i64 = leaz_i64 s0, v2 *4\n"
    "	st.global v7, v6\n"
    "	ret\n";

static void test_out_of_bounds(void)
{
	Bench b;
	run(&b, wild, 64, 64, 64, 100);
	const Finding *f = finding(&b, FINDING_out_of_bounds);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(f->count, 64 - 41); /* 4096 dwords: lanes 41 and up */
	CU_ASSERT_EQUAL(f->lane, 41);
	CU_ASSERT_STRING_EQUAL(f->detail, "16 bytes past the end of 'out' (16384 bytes)");
	CU_ASSERT_EQUAL(b.out[63], 1); /* what cannot be read is 0 */
	done(&b);
	run(&b, wild, 64, 64, 64, (u32)-1);
	f = finding(&b, FINDING_out_of_bounds);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_STRING_EQUAL(f->detail, "4 bytes before the start of 'out' (16384 bytes)");
	done(&b);
}

static const char forever[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	jmp -> 1\n"
    "block 1 depth 1\n"
    "	jmp -> 1\n";

static const char division[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i32 = sub_i32 v2, s1\n"
    "	v4:i32 = sdiv_i32 100:i32, v3\n"
    "	v5:i64 = leaz_i64 s0, v2 *4\n"
    "	st.global v5, v4\n"
    "	ret\n";

static void test_findings(void)
{
	Bench b;
	run(&b, forever, 64, 64, 64, 0);
	CU_ASSERT_PTR_NOT_NULL(finding(&b, FINDING_endless));
	CU_ASSERT_TRUE(b.prof->stopped);
	done(&b);
	run(&b, division, 64, 64, 64, 5);
	const Finding *f = finding(&b, FINDING_division_by_zero);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(f->count, 1);
	CU_ASSERT_EQUAL(f->lane, 5);
	CU_ASSERT_EQUAL(b.out[7], 50);
	CU_ASSERT_EQUAL(b.out[5], 100);
	done(&b);
}

/* ---- the bound of the launch's sum ---- */

enum { BOUND = 64, TAKES = 1000000, TAKERS = 2 };

typedef struct Taker {
	Worker wk;
	Wave w;
	pthread_barrier_t *start;
	bool below; /* it saw less than nothing */
} Taker;

static void *take_all(void *arg)
{
	Taker *t = arg;
	t->w.later = INT64_MAX;
	pthread_barrier_wait(t->start);
	for (u32 i = 0; i < TAKES; i++) {
		budget_take(&t->w);
		t->below |= t->w.budget < 0 || __atomic_load_n(&t->wk.m->attempt->left, __ATOMIC_RELAXED) < 0;
		budget_return(&t->w);
	}
	return NULL;
}

/* Workers that take from it at once take no more than there is. */
static void test_bound_shared(void)
{
	Attempt attempt = {.left = BOUND};
	SimConfig cfg = {.max_launch_instructions = BOUND};
	Machine m = {.cfg = &cfg, .attempt = &attempt};
	static Taker t[TAKERS];
	pthread_t thread[TAKERS];
	pthread_barrier_t start;
	pthread_barrier_init(&start, NULL, TAKERS);
	for (u32 i = 0; i < TAKERS; i++) {
		t[i] = (Taker){.wk = {.m = &m}, .w = {.worker = &t[i].wk}, .start = &start};
		CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[i], NULL, take_all, &t[i]), 0);
	}
	for (u32 i = 0; i < TAKERS; i++) {
		pthread_join(thread[i], NULL);
		CU_ASSERT_FALSE(t[i].below);
	}
	pthread_barrier_destroy(&start);
	CU_ASSERT_EQUAL(attempt.left, BOUND);
}

/* Each work-item prints a line of 1,000 characters: "GROUP xxx…". */
static void prints(Bench *b, u32 groups, u32 threads, u64 most)
{
	char line[998] = {0}, text[2048];
	memset(line, 'x', sizeof line - 3);
	snprintf(text, sizeof text, HEAD
	         "format 0 \"%%4u%s\\n\"\n"
	         "func 0 \"k\"\n"
	         "block 0\n"
	         "	s3:i32 = query.group_id_x\n"
	         "	v4:i32 = printf s3\n"
	         "	ret\n", line);
	run_with(b, text, (u64[3]){groups * 64, 1, 1}, (u64[3]){64, 1, 1}, 0,
	         (SimConfig){.wave = 64, .threads = threads, .most_printed = most});
}

/* Text is kept up to a bound, in the order of work-groups: the same with any number of threads. */
static void test_most_printed(void)
{
	static const char said[] = "the kernel prints more than 1 MiB of text: the rest is left out";
	enum { LINE = 1000, GROUP = 64 * LINE, MOST = 1 << 20 };
	Bench all, b;
	prints(&all, 40, 1, 0);
	CU_ASSERT_EQUAL_FATAL(all.prof->printed.n, 40 * GROUP);
	CU_ASSERT_EQUAL(all.d.msgs.n, 0);
	for (u32 threads = 1; threads <= 4; threads++) {
		prints(&b, 40, threads, MOST);
		CU_ASSERT_EQUAL_FATAL(b.prof->printed.n, MOST);
		CU_ASSERT_FALSE(memcmp(b.prof->printed.v, all.prof->printed.v, MOST));
		CU_ASSERT_TRUE(diag_has(&b.d, DIAG_WARNING, NO_LOC, said, strlen(said)));
		done(&b);
	}
	done(&all);
	prints(&b, 16, 2, MOST);
	CU_ASSERT_EQUAL(b.prof->printed.n, 16 * GROUP);
	CU_ASSERT_EQUAL(b.d.msgs.n, 0);
	done(&b);
	/* One work-group alone keeps no more of it than that while it runs. */
	prints(&b, 1, 1, GROUP / 2);
	CU_ASSERT_EQUAL(b.prof->printed.n, GROUP / 2);
	done(&b);
}

void suite_sim_faults(void)
{
	CU_pSuite s = CU_add_suite("faults and bounds", NULL, NULL);
	CU_add_test(s, "more LDS than there is", test_too_much_lds);
	CU_add_test(s, "divergent barrier", test_divergent_barrier);
	CU_add_test(s, "out of bounds", test_out_of_bounds);
	CU_add_test(s, "endless loop, division by zero", test_findings);
	CU_add_test(s, "the bound of what is printed", test_most_printed);
	CU_add_test(s, "the bound of the launch's sum, several workers", test_bound_shared);
}
