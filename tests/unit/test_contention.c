/* Contended addresses (models/timing/contention.h). */
#include "models/timing/contention.h"
#include "models/timing/retried.h"
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
	LaneShape s = {.mask = mask_first(lanes),
	               .bytes = 4,
	               .lanes = lanes,
	               .write = true,
	               .atomic = true,
	               .one = true,
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

/* The last of many wavefronts that each swap at one of n places: they wait the longer the more lanes each has there,
 * and the more of the places are in one channel. */
static double last_of_many(const Device *dev, u32 lanes, u32 n, u32 step, Arena *a)
{
	enum { WAVES = 512 };
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
	double pairs = last_of_many(&dev, 1, 8, dev.l2_pair_bytes, a); /* each in channels of its own */
	CU_ASSERT_TRUE(lanes > one * 1.02);
	CU_ASSERT_TRUE(near > far * 1.02);
	CU_ASSERT_TRUE(far > pairs);
	CU_ASSERT_TRUE(one > near * 4); /* 8 succeed at a time */
	arena_free(a);
}

/* Of n wavefronts that want a block, so many of them each of its places, those that try in vain (models/README.md). */
static double vain_by_rule(double n, double at_place) { return (n - 1) * (0.27 + 0.63 / (1 + at_place / 60)); }

/* The rule for tries in vain, by its own words (models/README.md): of n that want a place, one goes after the other, each
 * in two trips to L2 and the time of the vain tries of the others; `shared` places of a block have 1 / shared of them each. */
static double last_by_rule(const Device *dev, u32 waves, u32 shared)
{
	double trip = 2.0 * dev->l2_latency, last = 0;
	for (u32 n = 1; n + shared <= waves; n++) {
		double each = 1000.0 / dev->l2_place_swaps, at_place = (double)n / (n < shared ? n : shared);
		double vain = vain_by_rule(n, at_place) * each;
		if ((waves - n) % shared == 0) /* those of the last one's place */
			last += sqrt(trip * trip + vain * vain);
	}
	return last;
}

static void vain_tries_by_rule(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	static const u32 shared[] = {1, 2, 4};
	for (u32 i = 0; i < COUNT(shared); i++) {
		double last = last_of_many(&dev, 1, shared[i], 4, a), rule = last_by_rule(&dev, 512, shared[i]);
		CU_ASSERT_DOUBLE_EQUAL(last / rule, 1, 0.01);
		if (fabs(last / rule - 1) > 0.01)
			printf("%u places: %g, by the rule %g\n", shared[i], last, rule);
	}
	arena_free(a);
}

/* Further lanes of a place count a third, and twice that where others want another place of the block. */
static void vain_lanes(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	i64 offset[16];
	LaneShape two = {.mask = mask_first(16), .bytes = 4, .lanes = 16, .write = true, .atomic = true, .offset = offset};
	for (u32 l = 0; l < COUNT(offset); l++)
		offset[l] = l / 8 * 4;
	enum { WAVES = 512 };
	WaveEvents *wave = ARENA_ARRAY(a, WaveEvents, WAVES);
	Contention *c = contention_new(&dev, 1, dev.l2_channels, 1, NULL, a);
	double last = 0;
	bool met = false;
	for (u32 i = 0; i < WAVES; i++) {
		wave[i].group = i;
		last = contention_swap(c, &wave[i], &two, 4096, 0, &met);
	}
	/* 1 + 2 / 3 * 7 of eight lanes at each of two places are 1 + 1 / 3 * 14 of fifteen at one. */
	CU_ASSERT_DOUBLE_EQUAL(last, last_of_many(&dev, 15, 1, 0, a), 1e-6 * last);
	contention_free(c);
	arena_free(a);
}

/* An address in the channel of the first one, behind what these tests make others want. */
static u64 far_in_channel(const Device *dev)
{
	u64 round = (u64)dev->l2_channels * (dev->l2_pair_bytes ? dev->l2_pair_bytes / 2 : dev->l2_interleave);
	return 6 * round;
}

/* Tries in vain that take turns in a channel: by how long one that comes to a place there, which nobody else wants,
 * keeps the next one waiting. It changes them. */
static double vain_seen(Contention *c, const Device *dev, u64 own, double now)
{
	bool met;
	CU_ASSERT_EQUAL(swap(c, &by[0], own, 1, now, &met), now);
	double alone = swap(c, &by[1], own, 1, now, &met) - now, trip = 2.0 * dev->l2_latency;
	return sqrt(fmax(alone * alone - trip * trip, 0)) * dev->l2_place_swaps / 1000;
}

/* Tries that were counted on an H200 while fewer and fewer wavefronts were left: the rule, of all of them, has more. */
static void vain_as_counted(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	static const struct {
		u32 waves, counted;
	} rows[] = {{8, 5}, {33, 18}, {132, 49}, {528, 159}, {2112, 436}};
	for (u32 r = 0; r < COUNT(rows); r++) {
		Contention *c = contention_new(&dev, 1, dev.l2_channels, 1, NULL, a);
		WaveEvents *wave = ARENA_ARRAY(a, WaveEvents, rows[r].waves);
		bool met;
		for (u32 i = 0; i < rows[r].waves; i++)
			swap(c, &wave[i], 0, 1, 0, &met);
		double seen = vain_seen(c, &dev, far_in_channel(&dev), 0);
		CU_ASSERT_TRUE(seen >= rows[r].counted && seen <= 1.4 * rows[r].counted);
		contention_free(c);
	}
	arena_free(a);
}

/* What the tries of 64 wavefronts ask of a channel: each of them comes to `wanted` of `places` places, one after the
 * other, with so many lanes each. */
static void vain_requests(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	enum { WAVES = 64 };
	static const struct {
		u32 places, wanted, lanes, step; /* bytes from place to place */
		double requests, at_place;       /* of a try; wavefronts that want a place */
	} rows[] = {
	    {1, 1, 1, 4, 1, 64},
	    /* a third for each further lane at the place … */
	    {1, 1, 4, 4, 2, 64},
	    {1, 1, 31, 4, 11, 64},
	    /* … two thirds where others want another place of the block; none where each lane has its own */
	    {2, 2, 4, 4, 3, 64},
	    {2, 2, 16, 4, 11, 64},
	    {8, 8, 1, 4, 1, 64},
	    /* other blocks are none of that: each has its own tries */
	    {2, 2, 4, 32, 2 * 2, 64},
	    /* a part of the wavefronts at each place */
	    {2, 1, 1, 4, 1, 32},
	    {8, 1, 1, 4, 1, 8},
	    {4, 2, 1, 4, 1, 32},
	    {8, 2, 4, 4, 3, 16},
	};
	for (u32 r = 0; r < COUNT(rows); r++) {
		Contention *c = contention_new(&dev, 1, dev.l2_channels, 1, NULL, a);
		WaveEvents wave[WAVES] = {{0}};
		bool met = false;
		for (u32 i = 0; i < WAVES; i++) {
			i64 offset[MAX_WAVE];
			LaneShape s = {.bytes = 4, .lanes = rows[r].wanted * rows[r].lanes, .offset = offset};
			for (u32 l = 0; l < s.lanes; l++)
				offset[l] = (i64)((i + l / rows[r].lanes) % rows[r].places) * rows[r].step;
			contention_swap(c, &wave[i], &s, 0, 0, &met);
		}
		double seen = vain_seen(c, &dev, far_in_channel(&dev), 0);
		double rule = rows[r].requests * vain_by_rule(WAVES, rows[r].at_place);
		CU_ASSERT_DOUBLE_EQUAL(seen / rule, 1, 1e-3);
		if (fabs(seen / rule - 1) > 1e-3)
			printf("row %u: %g tries in vain, by the rule %g\n", r, seen, rule);
		contention_free(c);
	}
	arena_free(a);
}

/* Of a pair, two channels take turns; the next pair has two others. Every channel has its part. */
static void channels_of_pairs(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	u32 n = dev.l2_channels, used = 0, first = l2_channel(&dev, n, 0), second = l2_channel(&dev, n, dev.l2_interleave);
	bool *seen = ARENA_ARRAY(a, bool, n);
	CU_ASSERT_NOT_EQUAL(first, second);
	for (u32 at = 0; at < dev.l2_pair_bytes; at += dev.l2_interleave)
		CU_ASSERT_EQUAL(l2_channel(&dev, n, at), at / dev.l2_interleave % 2 ? second : first);
	for (u64 at = 0; at < (u64)dev.l2_pair_bytes * n / 2; at += dev.l2_interleave)
		seen[l2_channel(&dev, n, at)] = true;
	for (u32 i = 0; i < n; i++)
		used += seen[i];
	CU_ASSERT_EQUAL(used, n);
	u32 next = l2_channel(&dev, n, dev.l2_pair_bytes);
	CU_ASSERT_TRUE(next != first && next != second);
	CU_ASSERT_EQUAL(l2_channel(&dev, n, dev.l2_interleave - 4), first);
	arena_free(a);
}

/* Which addresses share a channel: on Hopper (80 of them) those 512 bytes apart in a KiB, and those 40 KiB apart; on a
 * chip without pairs (16) those 4 KiB apart. */
static void channels_of_addresses(void)
{
	Arena *a = arena_new();
	static const struct {
		const char *device;
		u64 one, other;
		bool same;
	} rows[] = {
	    {"h200", 0, 255, true},      {"h200", 0, 256, false},        {"h200", 0, 512, true},
	    {"h200", 256, 512, false},   {"h200", 256, 768, true},       {"h200", 256, 1023, true},
	    {"h200", 512, 1024, false},  {"h200", 768, 1280, false},     {"h200", 0, 39936, false},
	    {"h200", 0, 40960, true},    {"h200", 256, 40960, false},    {"h200", 256, 41728, true},
	    {"h200", 1024, 41984, true}, {"h200", 0, 1ull << 40, false}, {"h200", 0, 40960ull << 30, true},
	    {"mi50", 0, 255, true},      {"mi50", 0, 256, false},        {"mi50", 0, 512, false},
	    {"mi50", 0, 1024, false},    {"mi50", 0, 4096, true},        {"mi50", 256, 4096 + 511, true},
	};
	for (u32 r = 0; r < COUNT(rows); r++) {
		Device dev = device(rows[r].device, a);
		u32 n = dev.l2_channels, one = l2_channel(&dev, n, rows[r].one), other = l2_channel(&dev, n, rows[r].other);
		CU_ASSERT_TRUE(one < n && other < n);
		CU_ASSERT_EQUAL(one == other, rows[r].same);
		if ((one == other) != rows[r].same)
			printf("row %u: channels %u and %u\n", r, one, other);
		CU_ASSERT_EQUAL(l2_channel(&dev, 1, rows[r].other), 0); /* the only one */
	}
	/* Each has the same part of what lies in a row. */
	Device dev = device("h200", a);
	u32 *blocks = ARENA_ARRAY(a, u32, dev.l2_channels);
	for (u64 at = 0; at < 40960; at += 256)
		blocks[l2_channel(&dev, dev.l2_channels, at)]++;
	for (u32 i = 0; i < dev.l2_channels; i++)
		CU_ASSERT_EQUAL(blocks[i], 2);
	arena_free(a);
}

/* It is all the same in which order the lanes lie. */
static void order_of_lanes(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	WaveEvents wave[64] = {{0}};
	double last[2];
	for (u32 turn = 0; turn < 2; turn++) {
		Contention *c = contention_new(&dev, 1, dev.l2_channels, 1, NULL, a);
		bool met = false;
		for (u32 i = 0; i < COUNT(wave); i++) {
			i64 offset[32];
			LaneShape s = {
			    .bytes = 4, .lanes = COUNT(offset), .write = true, .atomic = true, .offset = offset};
			for (u32 l = 0; l < COUNT(offset); l++) {
				u32 k = turn ? l * 13 % 32 : l; /* half of them in another channel */
				offset[l] = k / 16 * (i64)dev.l2_interleave + k % 16 * 4;
			}
			wave[i].group = i;
			last[turn] = contention_swap(c, &wave[i], &s, 4096, 0, &met);
		}
		contention_free(c);
	}
	CU_ASSERT_EQUAL(last[0], last[1]);
	CU_ASSERT_TRUE(last[0] > 2.0 * dev.l2_latency * (COUNT(wave) - 1));
	arena_free(a);
}

/* A launch of GROUPS work-groups, each of which swaps at one of PLACES places: neighbours at the same one, or those
 * whose numbers lie furthest apart. Every STEPth was recorded, half of what it did. */
enum { GROUPS = 4096, PLACES = 256, OF_PLACE = GROUPS / PLACES, STEP = 4 };
static u64 place_of(u32 group, bool apart) { return 4 * (u64)(apart ? group % PLACES : group / OF_PLACE); }

/* A wavefront that swaps once; instructions: of them one was recorded. */
static void record_swap(Events *e, u32 group, u64 at, u64 instructions)
{
	static const i64 offset[1];
	static const LaneShape shape = {
	    .mask = 1, .bytes = 4, .lanes = 1, .write = true, .atomic = true, .one = true, .offset = offset};
	const u32 words[EVENT_ACCESS_WORDS] = {EVENT_ACCESS, 0, (u32)at, 0};
	WaveEvents w = {
	    .group = group, .lanes = 1, .n = COUNT(words), .shapes = &shape, .recorded = 1, .instructions = instructions};
	w.words = event_pool_keep(&e->pool, words, COUNT(words));
	array_push(&e->waves, w);
}

static Events *record(bool apart)
{
	Events *e = events_new();
	e->swap_slots = xcalloc(SWAP_SLOTS, sizeof *e->swap_slots);
	for (u32 g = 0; g < GROUPS; g++) {
		u64 at = place_of(g, apart);
		SwapSlot visit = swap_visit(g, GROUPS);
		swap_add(&e->swap_slots[swap_slot_of(at)], &visit);
		if (g % STEP == 0)
			record_swap(e, g, at, 2);
	}
	return e;
}

/* For how many of the launch one that is played stands, by what one swap at place 0 keeps it busy. */
static double weight(const Events *e, const Program *p, u64 run, double at_once, double played_at_once)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	SwapCrowdInput in = {e, GROUPS, run, at_once, played_at_once};
	SwapCrowd *crowd = swap_crowd_new(&in, &dev, p, a);
	Contention *c = contention_new(&dev, 1, dev.l2_channels, 1.0 / STEP, crowd, a);
	bool met;
	swap(c, &by[0], 0, 1, 0, &met);
	double busy = contention_swaps(c) / (2.0 * dev.l2_latency);
	CU_ASSERT_EQUAL(met, busy > 1.001);
	contention_free(c);
	arena_free(a);
	return busy;
}

/* What is played stands for all: as many come to a place, in the same time, as in the launch. */
static void swaps_of_others(void)
{
	Program *p = program_new();
	array_push(&p->ins, ((Ins){.op = OP_cas, .space = SPACE_GLOBAL}));
	Events *near = record(false), *apart = record(true);
	/* All at once: one in STEP is played, and half of what it does. (To place 0 of `apart` all come that are
	 * played.) */
	CU_ASSERT_DOUBLE_EQUAL(weight(near, p, GROUPS, GROUPS, GROUPS / STEP), STEP / 2.0, 0.01);
	CU_ASSERT_DOUBLE_EQUAL(weight(apart, p, GROUPS, GROUPS, GROUPS / STEP), 1, 0.01);
	/* Of neighbours, no fewer come when few run at a time; of what is played those that are furthest apart do not
	 * meet. */
	CU_ASSERT_DOUBLE_EQUAL(weight(near, p, GROUPS, GROUPS / 8, GROUPS / STEP), STEP / 2.0, 0.01);
	CU_ASSERT_DOUBLE_EQUAL(weight(apart, p, GROUPS, GROUPS, GROUPS / STEP / 8), 8 / 2.0, 0.5);
	/* Of a sample as many more come as did not run, but for what only neighbours want. */
	CU_ASSERT_DOUBLE_EQUAL(weight(apart, p, GROUPS / 8, GROUPS, GROUPS / STEP), 8 / 2.0, 0.01);
	/* A few that come from afar do not hide the others. */
	SwapSlot *s = &near->swap_slots[swap_slot_of(0)], far = swap_visit(GROUPS - 1, GROUPS);
	swap_add(s, &far);
	CU_ASSERT_TRUE(weight(near, p, GROUPS, 2 * GROUPS / SWAP_PARTS, GROUPS / STEP) >= STEP / 2.0);
	events_free(near);
	events_free(apart);
	program_free(p);
}

/* Work-groups that swap in turns at places `step` bytes apart, so many at each, all at once. The first ones of place 0
 * are played, and all of what they do. */
typedef struct Turns {
	u32 places, step, each, played;
} Turns;

static Events *record_turns(const Turns *t)
{
	Events *e = events_new();
	e->swap_slots = xcalloc(SWAP_SLOTS, sizeof *e->swap_slots);
	for (u32 g = 0; g < t->places * t->each; g++) {
		u64 at = (u64)(g % t->places) * t->step;
		SwapSlot visit = swap_visit(g, (u64)t->places * t->each);
		swap_add(&e->swap_slots[swap_slot_of(at)], &visit);
		if (!at && g / t->places < t->played)
			record_swap(e, g, at, 1);
	}
	return e;
}

/* What take turns in own's channel at a time, when those that are played came at 0. */
static double vain_of_turns(const Turns *t, const Device *dev, u64 own, double now)
{
	Arena *a = arena_new();
	Program *p = program_new();
	array_push(&p->ins, ((Ins){.op = OP_cas, .space = SPACE_GLOBAL}));
	Events *e = record_turns(t);
	u64 groups = (u64)t->places * t->each;
	SwapCrowdInput in = {e, groups, groups, (double)groups, t->played};
	SwapCrowd *crowd = swap_crowd_new(&in, dev, p, a);
	Contention *c = contention_new(dev, 1, dev->l2_channels, 1.0 / t->places, crowd, a);
	bool met;
	for (u32 i = 0; i < t->played; i++)
		swap(c, &e->waves.v[i], 0, 1, 0, &met);
	double seen = vain_seen(c, dev, own, now);
	contention_free(c);
	events_free(e);
	program_free(p);
	arena_free(a);
	return seen;
}

/* Blocks that are not played try in vain as the one that is, and do so in all channels that their places are in: each
 * of these has an equal part, beside what is played, and all of them together have that of all blocks. */
static void blocks_of_others(void)
{
	static const struct {
		const char *device;
		u32 places, step, channels; /* of the launch: two for 1 KiB on Hopper, one for 256 bytes elsewhere */
	} rows[] = {
	    {"h200", 32, 32, 2},    {"h200", 64, 32, 4}, {"h200", 256, 32, 16}, {"h200", 8, 4096, 8},
	    {"h200", 2048, 32, 80}, {"mi50", 32, 32, 4}, {"mi50", 4, 1024, 4},  {"mi50", 512, 32, 16},
	};
	enum { EACH = 64 };
	for (u32 r = 0; r < COUNT(rows); r++) {
		Arena *a = arena_new();
		Device dev = device(rows[r].device, a);
		Turns t = {rows[r].places, rows[r].step, EACH, EACH};
		u64 far = far_in_channel(&dev);
		double block = vain_by_rule(EACH, EACH), played = vain_of_turns(&t, &dev, far, 0) / block;
		double other = vain_of_turns(&t, &dev, far + dev.l2_interleave, 0) / block;
		double all = played + (rows[r].channels - 1) * other;
		CU_ASSERT_DOUBLE_EQUAL(played - other, 1, 1e-3);
		CU_ASSERT_DOUBLE_EQUAL(all / rows[r].places, 1, 1e-3);
		if (fabs(all / rows[r].places - 1) > 1e-3)
			printf("row %u: %g of %u blocks\n", r, all, rows[r].places);
		arena_free(a);
	}
}

/* One that is played for eight: these come and go one after the other, so all of them count for half of the time that
 * they keep the place. */
static void half_of_a_crowd(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	Turns t = {1, 4, 8, 1};
	double vain = vain_by_rule(8, 8), trip = 2.0 * dev.l2_latency;
	u64 far = far_in_channel(&dev);
	double keep = 8 * hypot(trip, vain * 1000.0 / dev.l2_place_swaps);
	CU_ASSERT_DOUBLE_EQUAL(vain_of_turns(&t, &dev, far, 0), vain, 1e-3);
	CU_ASSERT_DOUBLE_EQUAL(vain_of_turns(&t, &dev, far, 0.49 * keep), vain, 1e-3);
	CU_ASSERT_DOUBLE_EQUAL(vain_of_turns(&t, &dev, far, 0.51 * keep), 0, 1e-3);
	arena_free(a);
}

/* Those that stand for none but themselves count as long as each waits: of 64, 32 are left when so many have gone. */
static void until_each_succeeds(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	enum { WAVES = 64 };
	WaveEvents wave[WAVES] = {{0}};
	Contention *c = contention_new(&dev, 1, dev.l2_channels, 1, NULL, a);
	double gone = 0;
	bool met;
	for (u32 i = 0; i < WAVES; i++) {
		double starts = swap(c, &wave[i], 0, 1, 0, &met);
		gone = i == WAVES / 2 ? starts : gone; /* the one before it has succeeded */
	}
	CU_ASSERT_DOUBLE_EQUAL(gone, last_by_rule(&dev, WAVES / 2 + 1, 1), 1e-6 * gone);
	CU_ASSERT_DOUBLE_EQUAL(vain_seen(c, &dev, far_in_channel(&dev), gone + 1), vain_by_rule(32, 32), 1e-3);
	contention_free(c);
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
	contention_free(c);
	arena_free(a);
}

/* Which swaps are tried again: what they return decides about a loop, and no constant is expected. */
static void retried(void)
{
#define HEAD "kernel \"k\"\narg 0 \"p\" global bytes 4 width 1 size 4\nparam s0:i64 arg 0 offset 0\nfunc 0 \"k\"\n"
	static const struct {
		const char *text;
		bool retried, loop; /* a loop of atomics, behind which lanes run apart */
	} rows[] = {
	    {HEAD "block 0\n	v1:i32 = ld.global s0\n	jmp -> 1\nblock 1 depth 1\n	v2:i32 = cas.global s0, v1, 7:i32\n"
	          "	v3:b1 = eq_i32 v2, v1\n	v1 = mov v2\n	br v3 -> 2, 1\nblock 2\n	ret\n", true, false},
	    {HEAD "block 0\n	v1:i32 = ld.global s0\n	jmp -> 1\nblock 1 depth 1\n	v2:i32 = cas.global s0, 0:i32, 7:i32\n"
	          "	v3:b1 = eq_i32 v2, 0:i32\n	br v3 -> 2, 1\nblock 2\n	ret\n", false, true},
	    {HEAD "block 0\n	v1:i32 = ld.global s0\n	v2:i32 = cas.global s0, v1, 7:i32\n	ret\n", false, false},
	    /* Copies lie on both edges of its branch. */
	    {HEAD "block 0\n	v1:i32 = ld.global s0\n	jmp -> 1\nblock 1 depth 1\n	v2:i32 = cas.global s0, v1, 7:i32\n"
	          "	v3:b1 = eq_i32 v2, v1\n	br v3 -> 2, 3\nblock 2 depth 1\n	v4:i32 = mov v1\n	jmp -> 4\n"
	          "block 3 depth 1\n	v1 = mov v2\n	jmp -> 1\nblock 4\n	st.global s0, v4\n	ret\n", true, false},
	    /* It decides what is done in a loop, not whether that goes on. */
	    {HEAD "block 0\n	v1:i32 = ld.global s0\n	v4:i32 = mov v1\n	jmp -> 1\nblock 1 depth 1\n	v5:b1 = eq_i32 v1, 9:i32\n"
	          "	br v5 -> 5, 2\nblock 2 depth 1\n	v2:i32 = cas.global s0, v1, 7:i32\n	v3:b1 = eq_i32 v2, v1\n	br v3 -> 3, 4\n"
	          "block 3 depth 1\n	v4 = mov v2\n	jmp -> 4\nblock 4 depth 1\n	v1 = add_i32 v1, 1:i32\n	jmp -> 1\n"
	          "block 5\n	st.global s0, v4\n	ret\n", false, false},
	    /* The same where one side does something and the other decides something else. */
	    {HEAD "block 0\n	v1:i32 = ld.global s0\n	v4:i32 = mov v1\n	jmp -> 1\nblock 1 depth 1\n	v5:b1 = eq_i32 v1, 9:i32\n"
	          "	br v5 -> 7, 2\nblock 2 depth 1\n	v2:i32 = cas.global s0, v1, 7:i32\n	v3:b1 = eq_i32 v2, v1\n	br v3 -> 3, 4\n"
	          "block 3 depth 1\n	st.global s0, v2\n	jmp -> 6\nblock 4 depth 1\n	v6:b1 = eq_i32 v1, 11:i32\n	br v6 -> 5, 6\n"
	          "block 5 depth 1\n	v4 = mov v1\n	jmp -> 6\nblock 6 depth 1\n	v1 = add_i32 v1, 1:i32\n	jmp -> 1\n"
	          "block 7\n	st.global s0, v4\n	ret\n", false, false},
	    /* What fails is not tried again, but the next address. */
	    {HEAD "block 0\n	v1:i32 = ld.global s0\n	v8:i64 = mov s0\n	jmp -> 1\nblock 1 depth 1\n"
	          "	v2:i32 = cas.global v8, v1, 7:i32\n	v3:b1 = eq_i32 v2, v1\n	v9:i64 = add_i64 v8, 4:i64\n	v8 = mov v9\n"
	          "	v1 = mov v2\n	br v3 -> 2, 1\nblock 2\n	ret\n", false, true},
	    {HEAD "block 0\n	v1:i32 = ld.global s0\n	v8:i64 = mov s0\n	jmp -> 1\nblock 1 depth 1\n"
	          "	v2:i32 = cas.global v8, v1, 7:i32\n	v3:b1 = eq_i32 v2, v1\n	v8 = add_i64 v8, 4:i64\n"
	          "	v1 = mov v2\n	br v3 -> 2, 1\nblock 2\n	ret\n", false, true},
	    /* The loop around it goes on to the next address. */
	    {HEAD "block 0\n	v8:i64 = mov s0\n	jmp -> 1\nblock 1 depth 1\n	v1:i32 = ld.global v8\n	jmp -> 2\nblock 2 depth 2\n"
	          "	v2:i32 = cas.global v8, v1, 7:i32\n	v3:b1 = eq_i32 v2, v1\n	v1 = mov v2\n	br v3 -> 3, 2\n"
	          "block 3 depth 1\n	v9:i64 = add_i64 v8, 4:i64\n	v4:b1 = eq_i32 v2, 9:i32\n	br v4 -> 5, 4\n"
	          "block 4 depth 1\n	v8 = mov v9\n	jmp -> 1\nblock 5\n	ret\n", true, false},
	    /* Of local memory, and another atomic. */
	    {HEAD "block 0\n	v1:i32 = mov 64:i32\n	jmp -> 1\nblock 1 depth 1\n	v2:i32 = cas.lds v1, 0:i32, 7:i32\n"
	          "	v3:b1 = eq_i32 v2, 0:i32\n	br v3 -> 2, 1\nblock 2\n	ret\n", false, true},
	    {HEAD "block 0\n	v1:i32 = mov 64:i32\n	jmp -> 1\nblock 1 depth 1\n	v2:i32 = atomic.add.lds v1, 7:i32\n"
	          "	v3:b1 = eq_i32 v2, 0:i32\n	br v3 -> 2, 1\nblock 2\n	ret\n", false, true},
	    {HEAD "block 0\n	v1:i32 = mov 64:i32\n	jmp -> 1\nblock 1 depth 1\n	v2:i32 = ld.lds v1\n"
	          "	v3:b1 = eq_i32 v2, 0:i32\n	br v3 -> 2, 1\nblock 2\n	ret\n", false, false},
	    /* The value is reached by a long way and by a short one. */
	    {HEAD "block 0\n	v1:i32 = ld.global s0\n	jmp -> 1\nblock 1 depth 1\n	v2:i32 = cas.global s0, v1, 7:i32\n"
	          "	v4:i32 = add_i32 v2, 1:i32\n	v5:i32 = xor_i32 v4, 3:i32\n	v6:i32 = add_i32 v5, 1:i32\n"
	          "	v7:i32 = xor_i32 v6, v4\n	v3:b1 = eq_i32 v7, v4\n	v1 = mov v2\n	br v3 -> 2, 1\nblock 2\n	ret\n",
	     true, false},
	};
	for (u32 r = 0; r < COUNT(rows); r++) {
		Arena *a = arena_new();
		Diag d;
		diag_init(&d);
		Program *p = program_parse("test.wave", rows[r].text, &d);
		CU_ASSERT_PTR_NOT_NULL_FATAL(p);
		const bool *found = swaps_retried(p, a);
		const u32 *loop = atomic_loops(p, a);
		bool any = false;
		u32 loops = 0;
		for (u32 i = 0; i < p->ins.n; i++)
			any |= found[i];
		for (u32 b = 0; b < p->blocks.n; b++)
			loops |= loop[b];
		CU_ASSERT_EQUAL(any, rows[r].retried);
		CU_ASSERT_EQUAL(loops, rows[r].loop ? 2 : 0); /* block 1 is its first */
		if (any != rows[r].retried || (loops > 0) != rows[r].loop)
			printf("row %u\n", r);
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
	CU_add_test(s, "swaps in any order of lanes", order_of_lanes);
	CU_add_test(s, "swaps of those that are not played", swaps_of_others);
	CU_add_test(s, "places that few come to", scattered);
	CU_add_test(s, "tries in vain, by the rule", vain_tries_by_rule);
	CU_add_test(s, "tries in vain of many lanes", vain_lanes);
	CU_add_test(s, "tries in vain, as counted", vain_as_counted);
	CU_add_test(s, "what tries in vain ask for", vain_requests);
	CU_add_test(s, "tries in vain of blocks that are not played", blocks_of_others);
	CU_add_test(s, "a crowd waits for half of its time", half_of_a_crowd);
	CU_add_test(s, "wavefronts wait until they succeed", until_each_succeeds);
	CU_add_test(s, "channels of pairs", channels_of_pairs);
	CU_add_test(s, "channels of addresses", channels_of_addresses);
	CU_add_test(s, "swaps that are tried again", retried);
}
