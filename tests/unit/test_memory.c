/* Memory of the timing model: lines, sectors and banks that lanes touch, what comes from DRAM, and
 * atomics that meet. Figures of H200: traces/measured/README.md. */
#include "models/timing/footprint.h"
#include "models/timing/memory.h"
#include "tests/unit/device_kit.h"

#include <CUnit/CUnit.h>
#include <math.h>

static u32 whole_sectors(const Footprint *f)
{
	u32 n = 0;
	for (u32 k = 0; k < f->nlines; k++)
		n += (u32)__builtin_popcount(f->line[k].whole);
	return n;
}

/* Lanes `stride` bytes apart; `meet` neighbours at one address. */
static LaneShape *shape(Arena *a, u32 lanes, u32 bytes, u32 stride, u32 meet)
{
	i64 *offset = ARENA_ARRAY(a, i64, lanes);
	for (u32 l = 0; l < lanes; l++)
		offset[l] = (i64)(l / meet) * stride;
	LaneShape *s = ARENA_NEW(a, LaneShape);
	*s = (LaneShape){
	    .mask = mask_first(lanes), .bytes = bytes, .lanes = lanes, .offset = offset};
	return s;
}

static void lines_and_sectors(void)
{
	static const struct {
		const char *device;
		u32 lanes, bytes, stride, lines, sectors, whole, cycles;
	} rows[] = {
	    {"h200", 32, 4, 4, 1, 4, 4, 1},
	    {"h200", 32, 4, 8, 2, 8, 0, 2}, /* two lanes a bank of L1 */
	    {"h200", 32, 4, 32, 8, 32, 0, 8},
	    {"h200", 32, 4, 128, 32, 32, 0, 32},
	    {"h200", 32, 4, 132, 32, 32, 0, 8}, /* no two in a bank: a line of each bank of tags a cycle, as measured: */
	    {"h200", 32, 4, 260, 32, 32, 0, 8},
	    {"h200", 32, 4, 388, 32, 32, 0, 13},
	    {"h200", 32, 4, 516, 32, 32, 0, 8},
	    {"h200", 32, 4, 644, 32, 32, 0, 10},
	    {"h200", 32, 4, 2052, 32, 32, 0, 8},
	    {"h200", 32, 16, 16, 4, 16, 16, 4},  /* a quarter of the warp a cycle */
	    {"h200", 32, 16, 64, 16, 32, 0, 16}, /* four of each quarter in a bank */
	    {"h200", 1, 4, 4, 1, 1, 0, 1},
	    {"mi50", 64, 4, 4, 4, 4, 4, 1},
	    {"mi50", 64, 4, 64, 64, 64, 0, 16},
	};
	Arena *a = arena_new();
	for (u32 i = 0; i < COUNT(rows); i++) {
		Device dev = device(rows[i].device, a);
		Footprints *x = footprints_new(&dev, false);
		const Footprint *f = footprint(
		    x, shape(a, rows[i].lanes, rows[i].bytes, rows[i].stride, 1), 1 << 20, rows[i].bytes);
		u32 sectors = 0;
		for (u32 k = 0; k < f->nlines; k++)
			sectors += (u32)__builtin_popcount(f->line[k].sectors);
		CU_ASSERT_EQUAL(f->nlines, rows[i].lines);
		CU_ASSERT_EQUAL(sectors, rows[i].sectors);
		CU_ASSERT_EQUAL(whole_sectors(f), rows[i].whole);
		u32 tags = f->tags ? footprint_tag_cycles(&dev, f, 1 << 20) : 0;
		CU_ASSERT_EQUAL(tags > f->line_cycles ? tags : f->line_cycles, rows[i].cycles);
		footprints_free(x);
	}
	arena_free(a);
}

/* Nothing is gained by lanes side by side where they lie so already: a store takes few lanes a cycle, as wide loads do.
 */
static void ideal_is_no_better(void)
{
	static const struct {
		u32 bytes;
		bool write;
	} rows[] = {{4, false}, {4, true}, {8, false}, {16, false}, {16, true}};
	static const char *const devices[] = {"mi50", "mi300x", "rx6900xt", "h200"};
	Arena *a = arena_new();
	for (u32 i = 0; i < COUNT(rows) * COUNT(devices); i++) {
		Device dev = device(devices[i / COUNT(rows)], a);
		u32 bytes = rows[i % COUNT(rows)].bytes;
		LaneShape *s = shape(a, dev.wave, bytes, bytes, 1);
		s->write = rows[i % COUNT(rows)].write;
		Footprints *as_is = footprints_new(&dev, false), *as_ideal = footprints_new(&dev, true);
		const Footprint *f = footprint(as_is, s, 1 << 20, bytes), *ideal = footprint(as_ideal, s, 1 << 20, bytes);
		CU_ASSERT_EQUAL(ideal->address_cycles, f->address_cycles);
		CU_ASSERT_EQUAL(ideal->nlines, f->nlines);
		footprints_free(as_is);
		footprints_free(as_ideal);
	}
	arena_free(a);
}

/* Lanes in rows of their own, that go along them: side by side they bring each line once, not the first ones again. */
static void ideal_brings_all(void)
{
	enum { ROW = 4096, PLACES = 16 };
	Arena *a = arena_new();
	Device dev = device("mi50", a);
	Footprints *ideal = footprints_new(&dev, true);
	const LaneShape *s = shape(a, 64, 4, ROW, 1), *pairs = shape(a, 64, 4, ROW, 2);
	u64 seen = 0;
	for (u32 place = 0; place < PLACES; place++) {
		const Footprint *f = footprint(ideal, s, (1 << 20) + 4 * place, 4);
		CU_ASSERT_EQUAL(f->nlines, 4);
		for (u32 k = 0; k < f->nlines; k++)
			seen |= (u64)1 << (u32)f->line[k].line / (ROW / dev.line_bytes);
	}
	CU_ASSERT_EQUAL(seen, UINT64_MAX);
	CU_ASSERT_EQUAL(footprint(ideal, pairs, 1 << 20, 4)->nlines, 4);
	footprints_free(ideal);
	arena_free(a);
}

/* Where there are more shapes than are kept, those that were forgotten are worked out again, and it is not forgotten that
 * one would be another with all lanes side by side. */
static void many_shapes(void)
{
	enum { SHAPES = 100000 };
	for (u32 apart = 0; apart < 2; apart++) {
		Arena *a = arena_new();
		Device dev = device("h200", a);
		Footprints *x = footprints_new(&dev, false);
		CU_ASSERT(footprints_are_ideal(x));
		LaneShape *s = ARENA_ARRAY(a, LaneShape, SHAPES);
		const LaneShape *near = shape(a, 32, 4, 4, 1), *far = shape(a, 32, 4, 128, 1);
		for (u32 i = 0; i < SHAPES; i++) {
			s[i] = i == SHAPES / 2 && apart ? *far : *near;
			footprints_forget(x);
			const Footprint *f = footprint(x, &s[i], 1 << 20, 4);
			CU_ASSERT_EQUAL_FATAL(f->nlines, s[i].offset == far->offset ? 32 : 1);
			CU_ASSERT_PTR_EQUAL_FATAL(f, footprint(x, &s[i], 1 << 20, 4));
		}
		CU_ASSERT_EQUAL(footprints_are_ideal(x), !apart);
		footprints_free(x);
		arena_free(a);
	}
}

/* Lanes before the first one fill sectors as those behind it do. */
static void before_the_first(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	i64 offset[32] = {0};
	for (u32 l = 1; l < 32; l++)
		offset[l] = 4 * (i64)(l - 1) - 128;
	const LaneShape s = {.mask = mask_first(32), .bytes = 4, .lanes = 32, .offset = offset};
	Footprints *x = footprints_new(&dev, false);
	const Footprint *f = footprint(x, &s, 1 << 20, s.bytes);
	CU_ASSERT_EQUAL(f->nlines, 2);
	CU_ASSERT_EQUAL(whole_sectors(f), 3); /* 124 bytes of four sectors of 32, and 4 of the next line */
	footprints_free(x);
	arena_free(a);
}

static void lanes_that_meet(void)
{
	static const struct {
		const char *device;
		u32 lanes, stride, meet, units, turns;
	} rows[] = {
	    {"h200", 32, 0, 1, 1, 32}, /* all on one address */
	    {"h200", 32, 4, 1, 4, 1},  /* eight neighbours at a time */
	    {"h200", 32, 4, 2, 2, 2},  {"h200", 32, 32, 1, 32, 1},
	    {"mi50", 64, 4, 1, 64, 1}, /* one dword at a time */
	    {"mi50", 64, 0, 1, 1, 64},
	};
	Arena *a = arena_new();
	for (u32 i = 0; i < COUNT(rows); i++) {
		Device dev = device(rows[i].device, a);
		LaneShape *s = shape(a, rows[i].lanes, 4, rows[i].stride, rows[i].meet);
		s->atomic = s->write = true;
		Footprints *x = footprints_new(&dev, false);
		const Footprint *f = footprint(x, s, 1 << 20, s->bytes);
		u32 turns = 0;
		for (u32 k = 0; k < f->natomics; k++)
			turns = f->atomic[k].most_lanes > turns ? f->atomic[k].most_lanes : turns;
		CU_ASSERT_EQUAL(f->natomics, rows[i].units);
		CU_ASSERT_EQUAL(turns, rows[i].turns);
		footprints_free(x);
	}
	arena_free(a);
}

/* A compute unit that has all of the device. */
static MemoryInput one_unit(const Device *dev)
{
	return (MemoryInput){.dev = dev, .l1_bytes = dev->l1_bytes, .cus = 1, .dies = 1, .share = 1};
}

typedef struct Access {
	const char *device;
	u32 lanes, bytes, stride;
	bool write, warm_l2, warm_l3;
	double dram; /* bytes */
} Access;

/* What one access moves to and from DRAM, nothing being in a cache and L2 too small for the launch.
 */
static void bytes_of_dram(void)
{
	static const Access rows[] = {
	    {"h200", 32, 4, 4, false, false, false, 128},    /* two times 64 bytes */
	    {"h200", 32, 4, 128, false, false, false, 2048}, /* 64 for each sector alone */
	    {"h200", 32, 4, 32, false, false, false, 1024},
	    {"h200", 32, 4, 4, false, true, false, 0},
	    {"h200", 32, 4, 4, true, false, false, 128},   /* whole sectors: written only */
	    {"h200", 32, 4, 32, true, false, false, 2048}, /* parts: fetched and written */
	    {"mi50", 64, 4, 4, false, false, false, 256},
	    {"mi50", 64, 4, 64, true, false, false, 4096}, /* written with a mask */
	    {"mi300a", 64, 4, 4, false, false, false, 256},
	    {"mi300a", 64, 4, 4, false, false, true, 0}, /* L3 has it */
	    {"mi300a", 64, 4, 4, true, false, true, 0},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		Device dev = device(rows[i].device, a);
		MemoryInput in = one_unit(&dev);
		in.new_lines = 1;
		in.new_below = 1;
		in.held[0] = rows[i].warm_l2;
		in.held[1] = rows[i].warm_l3;
		in.fits_l2 = rows[i].warm_l2;
		in.keeps_writes = rows[i].warm_l2;
		MemoryModel *m = memory_new(&in, a);
		LaneShape *s = shape(a, rows[i].lanes, rows[i].bytes, rows[i].stride, 1);
		s->write = rows[i].write;
		MemoryTime t = memory_vector(m, 0, 0, &(MemoryAccess){.shape = s, .address = 1 << 20, .bytes = s->bytes}, 1);
		CU_ASSERT_EQUAL(memory_busy(m)->level[LEVEL_dram].bytes, rows[i].dram);
		CU_ASSERT_TRUE(t.done >= dev.l1_latency);
		memory_free(m);
		arena_free(a);
	}
}

/* Texels of a warp at integer coordinates, x and y to a block of 256 bytes in turn. */
static void texels(void)
{
	static const struct {
		u32 bytes;
		u8 at[4]; /* texels of two pairs; the other pairs have the same */
		u32 lanes;
		double cycles;
	} rows[] = {
	    {4, {0, 1, 4, 5}, 32, 4},   /* rows of two */
	    {4, {1, 4, 5, 16}, 32, 8},  /* over the boundary of two */
	    {4, {0, 2, 8, 10}, 32, 4},  /* columns of two */
	    {8, {0, 1, 4, 5}, 32, 8},
	    {8, {0, 2, 8, 10}, 32, 4},
	    {16, {0, 1, 4, 5}, 32, 16},
	    {16, {0, 2, 8, 10}, 32, 8},
	    {16, {0, 0, 4, 4}, 32, 8},  /* pairs at one texel */
	    {16, {2, 8, 10, 16}, 32, 8},  /* a column over an edge of blocks */
	    {16, {5, 16, 13, 24}, 32, 16}, /* side by side in two blocks */
	    {16, {0, 16, 4, 20}, 32, 32},  /* far apart, over an edge of blocks */
	    {16, {0, 64, 4, 68}, 32, 32},  /* nobody knows how far */
	    {4, {0, 4, 1, 5}, 32, 8},      /* near in a row */
	    {4, {0, 16, 1, 17}, 32, 32},   /* far apart in a row */
	    {8, {0, 4, 1, 5}, 32, 32},
	    {4, {0, 3, 4, 7}, 32, 8},      /* diagonal */
	    {16, {0, 3, 4, 7}, 32, 16},
	    {4, {0, 12, 1, 13}, 32, 16},   /* far apart in two rows */
	    {16, {0, 1, 4, 5}, 31, 16},   /* the last is alone */
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		Device dev = device("h200", a);
		MemoryInput in = one_unit(&dev);
		in.fits_l2 = true;
		MemoryModel *m = memory_new(&in, a);
		i64 offset[32];
		for (u32 l = 0; l < 32; l++)
			offset[l] = (i64)rows[i].at[l % 4] * rows[i].bytes;
		const LaneShape s = {.mask = mask_first(rows[i].lanes), .bytes = rows[i].bytes, .lanes = rows[i].lanes,
		                     .offset = offset};
		MemoryAccess at = {.shape = &s, .address = 1 << 20, .bytes = s.bytes};
		memory_image(m, 0, 0, &(ImageAccess){&at, 1, s.lanes, s.bytes, 1, true});
		CU_ASSERT_EQUAL(memory_busy(m)->address, rows[i].cycles);
		if (memory_busy(m)->address != rows[i].cycles)
			printf("row %u: %g cycles\n", i, memory_busy(m)->address);
		memory_free(m);
		arena_free(a);
	}
}

/* Lanes outside an image take as long as those inside, in whichever way it is read; so does asking for its width. */
static void borders(void)
{
	static const struct { u32 inside, lanes, bytes, texels; bool fetch; double cycles; } rows[] = {
	    {32, 32, 4, 1, true, 4},   {16, 32, 4, 1, true, 4},   {0, 32, 4, 1, true, 4}, {0, 32, 16, 1, true, 16},
	    {0, 8, 16, 1, true, 4},    {0, 1, 4, 1, true, 0.25},  {32, 32, 4, 1, false, 8}, {0, 32, 4, 1, false, 8},
	    {16, 32, 16, 1, false, 16}, {0, 32, 16, 1, false, 16}, {0, 32, 4, 4, false, 8}, {0, 32, 16, 4, false, 32},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		Device dev = device("h200", a);
		MemoryInput in = one_unit(&dev);
		in.fits_l2 = true;
		MemoryModel *m = memory_new(&in, a);
		i64 offset[32];
		for (u32 l = 0; l < 32; l++)
			offset[l] = (i64)(l % 2 + l / 2 * 4) * rows[i].bytes;
		LaneShape s = {.mask = mask_first(rows[i].inside), .bytes = rows[i].bytes, .lanes = rows[i].inside, .offset = offset};
		MemoryAccess at = {.shape = &s, .address = 1 << 20, .bytes = s.bytes};
		u32 n = rows[i].inside ? rows[i].texels : 0;
		memory_image(m, 0, 0, &(ImageAccess){&at, n, rows[i].lanes, rows[i].bytes, rows[i].texels, rows[i].fetch});
		CU_ASSERT_EQUAL(memory_busy(m)->address, rows[i].cycles);
		if (memory_busy(m)->address != rows[i].cycles)
			printf("row %u: %g cycles\n", i, memory_busy(m)->address);
		double before = memory_busy(m)->address, ready = memory_ready(m, 0);
		CU_ASSERT_TRUE(memory_query(m, 0, 1000, 2).done == 1000 + 2 * dev.texture_query_cycles - 1 + dev.l1_latency);
		CU_ASSERT_EQUAL(memory_busy(m)->address - before, 2 * dev.texture_query_cycles);
		CU_ASSERT_TRUE(memory_ready(m, 0) > ready);
		memory_free(m);
		arena_free(a);
	}
}

/* A part of what a launch touches is in L2 from the start: by pages, which are there as a whole. */
static void part_is_held(void)
{
	enum { PAGE = 4096, PAGES = 2000 };
	Arena *a = arena_new();
	Device dev = device("h200", a);
	MemoryInput in = one_unit(&dev);
	in.new_lines = 1;
	in.new_below = 1;
	in.held[0] = 0.25;
	MemoryModel *m = memory_new(&in, a);
	LaneShape *s = shape(a, 32, 4, 4, 1);
	u32 there = 0, torn = 0;
	for (u32 i = 0; i < PAGES; i++) {
		double before = memory_busy(m)->level[LEVEL_dram].bytes, half = before;
		for (u32 k = 0; k < 2; k++) {
			memory_vector(m, 0, 0, &(MemoryAccess){.shape = s, .address = (1 << 20) + i * PAGE + k * 2048u,
			                                        .bytes = s->bytes}, 1);
			half = k ? half : memory_busy(m)->level[LEVEL_dram].bytes;
		}
		double after = memory_busy(m)->level[LEVEL_dram].bytes;
		there += after == before;
		torn += (half == before) != (after == half);
	}
	CU_ASSERT_TRUE(there > 0.2 * PAGES && there < 0.3 * PAGES);
	CU_ASSERT_EQUAL(torn, 0);
	memory_free(m);
	arena_free(a);
}

/* Of lines that others bring too, the first is this launch's to wait for, then one in so many. */
static void first_of_shared(void)
{
	Arena *a = arena_new();
	Device dev = device("mi50", a);
	MemoryInput in = one_unit(&dev);
	in.new_lines = 0.25;
	in.new_below = 1;
	MemoryModel *m = memory_new(&in, a);
	LaneShape *s = shape(a, 16, 4, 4, 1);
	for (u32 i = 0; i < 9; i++) {
		double now = 1e5 * i;
		double trip =
		    memory_vector(m, 0, now, &(MemoryAccess){.shape = s, .address = (1 << 20) + i * 4096,
		                                              .bytes = s->bytes}, 1).done - now;
		CU_ASSERT_TRUE(i % 4 ? trip < dev.dram_latency : trip >= dev.dram_latency);
	}
	CU_ASSERT_EQUAL(memory_busy(m)->level[LEVEL_dram].bytes, 3 * 64);
	memory_free(m);
	arena_free(a);
}

/* Of lines that others bring too, a part is no longer there. */
static void part_is_lost(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	MemoryInput in = one_unit(&dev);
	in.lost = 0.25;
	in.fits_l2 = true;
	in.new_below = 1;
	in.held[0] = 1;
	MemoryModel *m = memory_new(&in, a);
	LaneShape *s = shape(a, 16, 4, 4, 1);
	for (u32 i = 0; i < 100; i++)
		memory_vector(m, 0, 1e5 * i, &(MemoryAccess){.shape = s, .address = (1 << 20) + i * 4096, .bytes = s->bytes}, 1);
	CU_ASSERT_EQUAL(memory_busy(m)->level[LEVEL_dram].bytes, 25 * 64);
	memory_free(m);
	arena_free(a);
}

/* Of a page of DRAM the first 64 bytes take the time of 100; those beside them come in the rest of it. */
static void pages_of_dram(void)
{
	static const struct {
		u32 lanes, apart;
		double bytes; /* whose time 100 accesses take */
	} rows[] = {{16, 4096, 100 * 100}, {32, 4096, 100 * 128}, {32, 128, 100 * 128}, {16, 128, 100 * 64}};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Arena *a = arena_new();
		Device dev = device("h200", a);
		MemoryInput in = one_unit(&dev);
		in.new_lines = 1;
		in.new_below = 1;
		MemoryModel *m = memory_new(&in, a);
		LaneShape *s = shape(a, rows[i].lanes, 4, 4, 1);
		for (u32 k = 0; k < 100; k++)
			memory_vector(m, 0, 0, &(MemoryAccess){.shape = s, .address = (1 << 20) + k * rows[i].apart, .bytes = s->bytes}, 1);
		double rate = dev.dram_mb_per_s * dev.dram_percent / 100.0 / dev.clock_mhz;
		CU_ASSERT_DOUBLE_EQUAL(memory_busy(m)->dram * rate, rows[i].bytes, 40);
		memory_free(m);
		arena_free(a);
	}
}

/* Atomics of many wavefronts on one address: one lane after the other, also those of others. */
static double atomics(u32 stride, double share)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	MemoryInput in = one_unit(&dev);
	in.share = share;
	in.fits_l2 = true;
	in.keeps_writes = true;
	in.new_below = 1;
	MemoryModel *m = memory_new(&in, a);
	LaneShape *s = shape(a, 32, 4, stride, 1);
	s->atomic = s->write = true;
	for (u32 i = 0; i < 100; i++)
		memory_vector(m, 0, 0, &(MemoryAccess){.shape = s, .address = 1 << 20, .bytes = s->bytes}, 1);
	double end = memory_end(m);
	memory_free(m);
	arena_free(a);
	return end;
}

static void atomics_one_by_one(void)
{
	double one = atomics(0, 1), spread = atomics(4, 1), half = atomics(0, 0.5);
	CU_ASSERT_TRUE(fabs(one - 100 * 32 / 0.69) < 1);
	CU_ASSERT_TRUE(fabs(spread - 100 * 4 / 0.69) < 1); /* four times eight neighbours */
	CU_ASSERT_TRUE(fabs(half - 2 * one) < 1);
}

/* Lanes in lines of their own and one bank; loads tell whether L1 has them. */
static void conflicts_in_l1(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	MemoryInput in = one_unit(&dev);
	in.new_below = 1;
	MemoryModel *m = memory_new(&in, a);
	const LaneShape *apart = shape(a, 32, 4, 132, 1), *meet = shape(a, 32, 4, 128, 1);
	MemoryTime first = memory_vector(m, 0, 0, &(MemoryAccess){.shape = apart, .address = 1 << 20, .bytes = 4}, 1);
	MemoryTime again = memory_vector(m, 0, 5000, &(MemoryAccess){.shape = apart, .address = 1 << 20, .bytes = 4}, 1);
	CU_ASSERT_TRUE(first.past_l1 && !again.past_l1);
	CU_ASSERT_TRUE(first.done > dev.l2_latency && again.done < 5000 + dev.l2_latency);
	CU_ASSERT_EQUAL(again.ways, 0);
	CU_ASSERT_EQUAL(memory_vector(m, 0, 9000, &(MemoryAccess){.shape = meet, .address = 1 << 20, .bytes = 4}, 1).ways, 31);
	memory_free(m);
	arena_free(a);
}

static void constants(void)
{
	Arena *a = arena_new();
	Device dev = device("h200", a);
	MemoryInput in = one_unit(&dev);
	in.new_below = 1;
	MemoryModel *m = memory_new(&in, a);
	MemoryTime first = memory_constant(m, 0, 0, shape(a, 32, 4, 0, 1), 1 << 20);
	CU_ASSERT_EQUAL(first.done, dev.constant_cycles + dev.constant_miss_cycles + dev.scalar_latency);
	MemoryTime same = memory_constant(m, 0, 500, shape(a, 32, 4, 0, 1), 1 << 20);
	CU_ASSERT_EQUAL(same.done, 500 + dev.constant_cycles + dev.scalar_latency);
	MemoryTime all = memory_constant(m, 0, 1000, shape(a, 32, 4, 4, 1), 1 << 20); /* a line more */
	CU_ASSERT_EQUAL(all.done, 1000 + 32 * dev.constant_cycles + dev.constant_miss_cycles + dev.scalar_latency);
	/* A table of 2 KiB stays there, one of 32 KiB does not. */
	for (u32 kib = 2; kib <= 32; kib += 30) {
		double busy = 0;
		for (u32 turn = 0; turn < 2; turn++)
			for (u32 i = 0; i < kib * 1024 / 64; i++)
				busy = memory_constant(m, 0, 1e6 * kib, shape(a, 1, 4, 4, 1), ((u64)kib << 20) + i * 64).done - 1e6 * kib;
		u32 lines = kib * 1024 / 64, misses = kib == 2 ? lines : 2 * lines;
		CU_ASSERT_EQUAL(busy, 2 * lines * dev.constant_cycles + misses * dev.constant_miss_cycles + dev.scalar_latency);
	}
	memory_free(m);
	arena_free(a);
}

/* Every unit that is busy for a while is so in the slots of that time, whatever their length has become. */
static void use_over_time(void)
{
	UnitUse *u = xcalloc(1, sizeof *u);
	unit_use_add(NULL, BUSY_lds, 0, 5);
	unit_use_add(u, BUSY_lds, 2.5, 1);
	CU_ASSERT_EQUAL(u->slot, 1);
	CU_ASSERT_EQUAL(u->n, 4);
	CU_ASSERT_EQUAL(u->busy[BUSY_lds][2], 0.5);
	CU_ASSERT_EQUAL(u->busy[BUSY_lds][3], 0.5);
	unit_use_add(u, BUSY_vector, 1000, 30); /* too late for 256 slots of 1, 2, 4 cycles */
	CU_ASSERT_EQUAL(u->slot, 8);
	unit_use_add(u, BUSY_vector, 1e6, 0);
	CU_ASSERT_EQUAL(u->slot, 8);
	CU_ASSERT_EQUAL(u->busy[BUSY_lds][0], 1);
	double sum = 0;
	for (u32 i = 0; i < USE_SLOTS; i++)
		sum += u->busy[BUSY_vector][i];
	CU_ASSERT_EQUAL(sum, 30);
	CU_ASSERT_EQUAL(u->n, 129);
	const double n[USE_ROWS] = {[BUSY_lds] = 1, [BUSY_vector] = 2};
	unit_use_share(u, n);
	CU_ASSERT_EQUAL(u->busy[BUSY_lds][0], 1.0 / 8);
	CU_ASSERT_EQUAL(u->busy[BUSY_vector][126], 0.5);
	free(u);
}

/* Of loads, hits of lines; of stores, bytes only; below L1 the same of parts of lines. */
static void levels_count(void)
{
	Arena *a = arena_new();
	Device dev = device("mi50", a);
	UnitUse *use = ARENA_NEW(a, UnitUse);
	MemoryInput in = one_unit(&dev);
	in.wave = 64;
	in.new_lines = 1;
	in.new_below = 1;
	in.fits_l2 = true;
	in.keeps_writes = true;
	in.own = 1;
	in.use = use;
	MemoryModel *m = memory_new(&in, a);
	const LaneShape *load = shape(a, 64, 4, 4, 1);
	LaneShape store = *load;
	store.write = true;
	memory_vector(m, 0, 0, &(MemoryAccess){.shape = load, .address = 4096, .bytes = 4}, 1);
	memory_vector(m, 0, 1000, &(MemoryAccess){.shape = load, .address = 4096, .bytes = 4}, 1);
	memory_vector(m, 0, 2000, &(MemoryAccess){.shape = &store, .address = 4096, .bytes = 4}, 1);
	const MemoryBusy *b = memory_busy(m);
	CU_ASSERT_EQUAL(b->level[LEVEL_l1].requests, 8);
	CU_ASSERT_EQUAL(b->level[LEVEL_l1].hits, 4);
	CU_ASSERT_EQUAL(level_hit_rate(&b->level[LEVEL_l1]), 0.5);
	CU_ASSERT_EQUAL(b->level[LEVEL_l1].bytes, 3 * 256);
	CU_ASSERT_EQUAL(b->level[LEVEL_l1].written, 256);
	CU_ASSERT_EQUAL(b->level[LEVEL_l2].bytes, 2 * 256);
	CU_ASSERT_EQUAL(b->level[LEVEL_l2].written, 256);
	CU_ASSERT_EQUAL(b->level[LEVEL_dram].bytes, 256);
	CU_ASSERT_EQUAL(b->level[LEVEL_dram].written, 0);
	CU_ASSERT_EQUAL(level_hit_rate(&b->level[LEVEL_dram]), -1);
	double busy[USE_ROWS] = {0};
	for (u32 r = 0; r < USE_ROWS; r++)
		for (u32 i = 0; i < use->n; i++)
			busy[r] += use->busy[r][i];
	CU_ASSERT_DOUBLE_EQUAL(busy[BUSY_address], b->address, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(busy[BUSY_l2], b->l2, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(busy[BUSY_dram], b->dram, 1e-9);
	CU_ASSERT_TRUE(b->dram > 0);
	memory_free(m);
	arena_free(a);
}

void suite_memory(void);
void suite_memory(void)
{
	CU_pSuite s = CU_add_suite("memory", NULL, NULL);
	CU_add_test(s, "lines, sectors and banks of an access", lines_and_sectors);
	CU_add_test(s, "lanes side by side are no better off side by side", ideal_is_no_better);
	CU_add_test(s, "lanes side by side bring all that they want", ideal_brings_all);
	CU_add_test(s, "many shapes", many_shapes);
	CU_add_test(s, "texels", texels);
	CU_add_test(s, "lanes outside an image, and what is asked of it", borders);
	CU_add_test(s, "lanes before the first one", before_the_first);
	CU_add_test(s, "lanes that meet in an address", lanes_that_meet);
	CU_add_test(s, "bytes from and to DRAM", bytes_of_dram);
	CU_add_test(s, "a part is in L2 from the start", part_is_held);
	CU_add_test(s, "of shared lines the first is new", first_of_shared);
	CU_add_test(s, "of shared lines a part is lost", part_is_lost);
	CU_add_test(s, "pages of DRAM", pages_of_dram);
	CU_add_test(s, "atomics on one address take turns", atomics_one_by_one);
	CU_add_test(s, "conflicts in L1, and what it has", conflicts_in_l1);
	CU_add_test(s, "constant memory, an address a turn", constants);
	CU_add_test(s, "how busy units are over time", use_over_time);
	CU_add_test(s, "requests, hits and bytes of each level", levels_count);
}
