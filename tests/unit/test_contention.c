/* Places in memory that many wavefronts want (models/timing/contention.h). */
#include "models/timing/contention.h"
#include "tests/unit/device_kit.h"

#include <CUnit/CUnit.h>
#include <math.h>

static const WaveEvents by[2] = {{.group = 1}, {.group = 2}};

/* A channel takes so many in 1000 cycles; others' come in between. */
static void stores_take_turns(void)
{
	Arena *a = arena_new();
	Device dev = device("mi50", a);
	enum { N = 100 };
	for (u32 parts = 1; parts <= 4; parts *= 2) {
		Contention *c = contention_new(&dev, 1, 1.0 / parts, a);
		for (u32 i = 0; i < N; i++) {
			contention_pass(c, 0);
			contention_store(c, 0, &by[i % 2], 4096);
		}
		double each = 1000.0 / dev.l2_place_stores; /* the first one is not known to have company */
		CU_ASSERT_DOUBLE_EQUAL(contention_channel(c), each + (N - 1) * each * parts, 1e-9);
		CU_ASSERT_EQUAL(contention_swaps(c), 0);
	}
	arena_free(a);
}

/* A load that passes L1 is none of the stores that leave together, and comes as often. */
static void loads_take_turns(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	Contention *c = contention_new(&dev, 2, 0.5, a);
	double each = 1000.0 / dev.l2_place_loads * 2;
	for (u32 i = 0; i < 100; i++)
		for (u32 cu = 0; cu < 2; cu++)
			contention_load(c, cu, &by[i % 2], 4096);
	CU_ASSERT_TRUE(fabs(contention_channel(c) - 200 * each) <= 2 * each); /* the first ones were alone */
	double before = contention_channel(c);
	contention_store(c, 0, &by[0], 4096);
	CU_ASSERT_DOUBLE_EQUAL(contention_channel(c) - before, 1000.0 / dev.l2_place_stores * 2, 1e-9);
	arena_free(a);
}

/* Places of other channels take theirs at the same time; those of one channel do not. */
static void channels_side_by_side(void)
{
	Arena *a = arena_new();
	Device dev = device("mi50", a);
	static const u32 places[] = {1, 2, 8};
	for (u32 k = 0; k < COUNT(places); k++)
		for (u32 together = 0; together < 2; together++) {
			Contention *c = contention_new(&dev, 1, 1, a);
			for (u32 i = 0; i < 64; i++) {
				contention_pass(c, 0);
				contention_store(c, 0, &by[i / places[k] % 2], 4096 + i % places[k] * (together ? 4 : dev.l2_interleave));
			}
			double each = 64 * 1000.0 / dev.l2_place_stores;
			CU_ASSERT_DOUBLE_EQUAL(contention_channel(c), together ? each : each / places[k], 1e-9);
		}
	arena_free(a);
}

/* Neighbouring stores of a compute unit to one place are one; other stores between them use up the window. */
static void stores_leave_together(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	static const u32 others[] = {0, 1, 3, 7};
	for (u32 k = 0; k < COUNT(others); k++) {
		Contention *c = contention_new(&dev, 2, 1, a);
		for (u32 i = 0; i < 800; i++)
			for (u32 cu = 0; cu < 2; cu++) {
				for (u32 o = 0; o < others[k]; o++)
					contention_pass(c, cu);
				contention_pass(c, cu);
				contention_store(c, cu, &by[i % 2], 4096);
			}
		u32 together = others[k] + 1 < dev.l1_store_window ? dev.l1_store_window / (others[k] + 1) : 1;
		double left = contention_channel(c) / (1000.0 / dev.l2_place_stores);
		CU_ASSERT_DOUBLE_EQUAL(left, 1600.0 / together, 2.5); /* the first window is short */
	}
	arena_free(a);
}

/* A wavefront alone is never too late; of two, the second one waits for a read and a swap. */
static void swaps_one_by_one(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	Contention *c = contention_new(&dev, 1, 1, a);
	WaveEvents wave[3] = {{.group = 0}, {.group = 1}, {.group = 2}};
	for (u32 i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(contention_swap(c, 0, &wave[0], 64, 1, 10 * i), 10 * i);
	double trip = 2.0 * dev.l2_latency, first = contention_swap(c, 0, &wave[1], 128, 1, 1000);
	CU_ASSERT_EQUAL(first, 1000);
	CU_ASSERT_DOUBLE_EQUAL(contention_swap(c, 0, &wave[2], 128, 1, 1000), 1000 + trip, 1e-9);
	CU_ASSERT_TRUE(contention_swap(c, 0, &wave[0], 128, 1, 1000) > 1000 + 2 * trip); /* and vain tries of others */
	CU_ASSERT_EQUAL(contention_swap(c, 0, &wave[0], 132, 1, 1000), 1000); /* another place */
	CU_ASSERT_TRUE(contention_end(c) > 1000 + 3 * trip);
	double later[2]; /* the third of three wavefronts, by lanes of each */
	for (u32 k = 0; k < 2; k++)
		for (u32 i = 0; i < 3; i++)
			later[k] = contention_swap(c, 0, &wave[i], 192 + 64 * k, k ? 32 : 1, 0);
	CU_ASSERT_TRUE(later[1] > later[0]);
	arena_free(a);
}

/* What is played stands for all: as many come, in the same time, as in the launch. What comes seldom does not wait. */
static void swaps_of_others(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	enum { N = 200, PARTS = 8 };
	Contention *c = contention_new(&dev, 1, 1.0 / PARTS, a);
	double now = 0, trip = 2.0 * dev.l2_latency;
	for (u32 i = 0; i < N; i++)
		now = contention_swap(c, 0, &by[i % 2], 64, 1, now);
	CU_ASSERT_TRUE(now >= trip * PARTS * (N - 4));
	Contention *seldom = contention_new(&dev, 1, 1.0 / PARTS, a);
	for (u32 i = 0; i < N; i++) {
		now = 4 * trip * PARTS * i;
		CU_ASSERT_EQUAL(contention_swap(seldom, 0, &by[i % 2], 64, 1, now), now);
	}
	arena_free(a);
}

/* Of places that hardly anybody comes to a second time nothing is known of others. */
static void scattered(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	enum { N = 4000, PARTS = 64 };
	Contention *c = contention_new(&dev, 1, 1.0 / PARTS, a);
	WaveEvents *wave = ARENA_ARRAY(a, WaveEvents, N);
	u64 at = 1;
	for (u32 i = 0; i < N; i++) {
		wave[i].group = i / 8;
		at = at * 6364136223846793005u + 1442695040888963407u;
		CU_ASSERT_TRUE(contention_swap(c, 0, &wave[i], (at >> 40) * 4, 1, i) <= i + 4 * dev.l2_latency);
		contention_pass(c, 0);
		contention_store(c, 0, &wave[i], (at >> 40) * 4096);
	}
	CU_ASSERT_TRUE(contention_swaps(c) < 10 * dev.l2_latency);
	CU_ASSERT_TRUE(contention_channel(c) < 100);
	/* One that all come to is found among them. */
	for (u32 i = 0; i < N; i++) {
		at = at * 6364136223846793005u + 1442695040888963407u;
		contention_pass(c, 0);
		contention_store(c, 0, &wave[i], i % 2 ? 4096 : (at >> 40) * 4096);
	}
	CU_ASSERT_TRUE(contention_channel(c) > N / 2 / 4 * 1000.0 / dev.l2_place_stores * PARTS * 0.9);
	arena_free(a);
}

/* Which swaps are tried again: what they return decides about a loop, and no constant is expected. */
static void retried(void)
{
#define HEAD "kernel \"k\"\narg 0 \"p\" global bytes 4 width 1 size 4\nparam s0:i64 arg 0 offset 0\nfunc 0 \"k\"\n"
	static const struct {
		const char *text;
		bool retried;
	} rows[] = {
	    {HEAD "block 0\n	v1:i32 = ld.global s0\n	jmp -> 1\nblock 1 depth 1\n	v2:i32 = cas.global s0, v1, 7:i32\n"
	          "	v3:b1 = eq_i32 v2, v1\n	v1 = mov v2\n	br v3 -> 2, 1\nblock 2\n	ret\n", true},
	    {HEAD "block 0\n	v1:i32 = ld.global s0\n	jmp -> 1\nblock 1 depth 1\n	v2:i32 = cas.global s0, 0:i32, 7:i32\n"
	          "	v3:b1 = eq_i32 v2, 0:i32\n	br v3 -> 2, 1\nblock 2\n	ret\n", false},
	    {HEAD "block 0\n	v1:i32 = ld.global s0\n	v2:i32 = cas.global s0, v1, 7:i32\n	ret\n", false},
	};
	for (u32 r = 0; r < COUNT(rows); r++) {
		Arena *a = arena_new();
		Diag d;
		diag_init(&d);
		Program *p = program_parse("test.wave", rows[r].text, &d);
		CU_ASSERT_PTR_NOT_NULL_FATAL(p);
		const bool *found = swaps_retried(p, a);
		bool any = false;
		for (u32 i = 0; i < p->ins.n; i++)
			any |= found[i];
		CU_ASSERT_EQUAL(any, rows[r].retried);
		program_free(p);
		diag_free(&d);
		arena_free(a);
	}
#undef HEAD
}

void suite_contention(void);
void suite_contention(void)
{
	CU_pSuite s = CU_add_suite("contention", NULL, NULL);
	CU_add_test(s, "stores to one place take turns", stores_take_turns);
	CU_add_test(s, "loads that pass L1 take turns", loads_take_turns);
	CU_add_test(s, "channels work side by side", channels_side_by_side);
	CU_add_test(s, "neighbouring stores leave together", stores_leave_together);
	CU_add_test(s, "one swap succeeds at a time", swaps_one_by_one);
	CU_add_test(s, "swaps of those that are not played", swaps_of_others);
	CU_add_test(s, "places that few come to", scattered);
	CU_add_test(s, "swaps that are tried again", retried);
}
