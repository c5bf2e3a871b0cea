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
		Contention *c = contention_new(&dev, 1, dev.l2_channels, 1.0 / parts, NULL, a);
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
	Contention *c = contention_new(&dev, 2, dev.l2_channels, 0.5, NULL, a);
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
			Contention *c = contention_new(&dev, 1, dev.l2_channels, 1, NULL, a);
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
		Contention *c = contention_new(&dev, 2, dev.l2_channels, 1, NULL, a);
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

/* So many lanes at one place; when they succeed, and whether they met others. */
static double swap(Contention *c, const WaveEvents *wave, u64 address, u32 lanes, double now, bool *met)
{
	static const i64 offset[MAX_WAVE];
	LaneShape s = {.mask = mask_first(lanes), .bytes = 4, .lanes = lanes, .write = true, .atomic = true, .one = true,
	               .offset = offset};
	*met = false;
	return contention_swap(c, wave, &s, address, now, met);
}

/* A wavefront alone is never too late; of two, the second one waits for a read and a swap. */
static void swaps_one_by_one(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	Contention *c = contention_new(&dev, 1, dev.l2_channels, 1, NULL, a);
	WaveEvents wave[3] = {{.group = 0}, {.group = 1}, {.group = 2}};
	bool met;
	for (u32 i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(swap(c, &wave[0], 64, 1, 10 * i, &met), 10 * i);
		CU_ASSERT_FALSE(met);
	}
	double trip = 2.0 * dev.l2_latency;
	CU_ASSERT_EQUAL(swap(c, &wave[1], 128, 1, 1000, &met), 1000);
	CU_ASSERT_DOUBLE_EQUAL(swap(c, &wave[2], 128, 1, 1000, &met), 1000 + trip, 1e-9);
	CU_ASSERT_TRUE(met);
	CU_ASSERT_TRUE(swap(c, &wave[0], 128, 1, 1000, &met) >= 1000 + 2 * trip);
	CU_ASSERT_EQUAL(swap(c, &wave[0], 132, 1, 1000, &met), 1000); /* another place */
	CU_ASSERT_TRUE(contention_end(c) > 1000 + 3 * trip);
	contention_free(c);
	arena_free(a);
}

/* The last of many wavefronts that each swap at one of n places: they wait the longer the more lanes each has there, and
 * the more of the places are in one channel. */
static double last_of_many(const Device *dev, u32 lanes, u32 n, u32 step, Arena *a)
{
	enum { WAVES = 128 };
	static WaveEvents wave[WAVES];
	Contention *c = contention_new(dev, 1, dev->l2_channels, 1, NULL, a);
	double last = 0;
	for (u32 i = 0; i < WAVES; i++) {
		bool met;
		wave[i].group = i;
		last = swap(c, &wave[i], 4096 + (u64)(i % n) * step, lanes, 0, &met);
	}
	contention_free(c);
	return last;
}

static void vain_tries(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	double one = last_of_many(&dev, 1, 1, 0, a), lanes = last_of_many(&dev, 8, 1, 0, a);
	double near = last_of_many(&dev, 1, 8, 4, a), far = last_of_many(&dev, 1, 8, dev.l2_interleave, a);
	CU_ASSERT_TRUE(lanes > one * 1.02);
	CU_ASSERT_TRUE(near > far * 1.02);
	CU_ASSERT_TRUE(one > near * 4); /* 8 succeed at a time */
	arena_free(a);
}

/* Of a launch of so many work-groups, each of which swaps at a place by its number, those that a step parts are recorded.
 * `of`: work-groups for each place; apart: their numbers lie far from each other. */
static Events *record(u32 groups, u32 step, u32 of, bool apart)
{
	static const i64 offset[1];
	static const LaneShape shape = {.mask = 1, .bytes = 4, .lanes = 1, .write = true, .atomic = true, .one = true,
	                                .offset = offset};
	Events *e = events_new();
	e->swaps = xcalloc(SWAP_SLOTS, sizeof *e->swaps);
	for (u32 g = 0; g < groups; g++) {
		u64 at = 4 * (apart ? g % (groups / of) : g / of);
		swap_add(&e->swaps[swap_slot_of(at)], 1, g, g + 1);
		if (g % step)
			continue;
		WaveEvents w = {.group = g, .lanes = 1, .n = EVENT_ACCESS_WORDS, .shapes = &shape, .recorded = 1, .instructions = 1};
		w.words = xcalloc(EVENT_ACCESS_WORDS, sizeof *w.words);
		w.words[0] = EVENT_ACCESS;
		w.words[2] = (u32)at;
		array_push(&e->waves, w);
	}
	return e;
}

/* What is played stands for all: as many come to a place, in the same time, as in the launch. */
static void swaps_of_others(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	Program *p = program_new();
	bool met;
	array_push(&p->ins, ((Ins){.op = OP_cas, .space = SPACE_GLOBAL}));
	enum { GROUPS = 4096, STEP = 64, OF = 16 };
	double trip = 2.0 * dev.l2_latency;
	for (u32 apart = 0; apart < 2; apart++) {
		Events *e = record(GROUPS, STEP, OF, apart);
		/* All run at a time: of the OF at a place those that are not played come, too. */
		SwapCrowd *crowd = swap_crowd_new(e, p, GROUPS, GROUPS / STEP, a);
		Contention *c = contention_new(&dev, 1, dev.l2_channels, 1.0 / STEP, crowd, a);
		for (u32 i = 0; i < 2; i++)
			swap(c, &by[i], 0, 1, 0, &met);
		CU_ASSERT_TRUE(contention_swaps(c) >= 2 * trip * OF / (apart ? OF : 1));
		CU_ASSERT_TRUE(met);
		contention_free(c);
		/* An eighth of them at a time: those whose numbers are neighbours still come together. */
		crowd = swap_crowd_new(e, p, GROUPS / 8, GROUPS / STEP / 8, a);
		c = contention_new(&dev, 1, dev.l2_channels, 1.0 / STEP, crowd, a);
		swap(c, &by[0], 0, 1, 0, &met);
		if (!apart)
			CU_ASSERT_DOUBLE_EQUAL(contention_swaps(c), trip * OF, 1e-9);
		contention_free(c);
		events_free(e);
	}
	program_free(p);
	arena_free(a);
}

/* Of places that hardly anybody comes to a second time nothing is known of others. */
static void scattered(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	enum { N = 4000, PARTS = 64 };
	Contention *c = contention_new(&dev, 1, dev.l2_channels, 1.0 / PARTS, NULL, a);
	WaveEvents *wave = ARENA_ARRAY(a, WaveEvents, N);
	u64 at = 1;
	bool met;
	for (u32 i = 0; i < N; i++) {
		wave[i].group = i / 8;
		at = at * 6364136223846793005u + 1442695040888963407u;
		CU_ASSERT_TRUE(swap(c, &wave[i], (at >> 40) * 4, 1, i, &met) <= i + 4 * dev.l2_latency);
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
	CU_add_test(s, "vain tries of a channel take turns", vain_tries);
	CU_add_test(s, "swaps of those that are not played", swaps_of_others);
	CU_add_test(s, "places that few come to", scattered);
	CU_add_test(s, "swaps that are tried again", retried);
}
