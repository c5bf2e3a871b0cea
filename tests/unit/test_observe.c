/* What the seam for memory (sim/observe.h) makes known of an access: counts and events of copies and fills,
 * lines of accesses wider than any line, and the set that counts these. */
#include "base/hash.h"
#include "isa/event.h"
#include "models/device/lds_rule.h"
#include "sim/sim.h"
#include "sim/wave.h"
#include "tests/unit/wave_text.h"

#include <CUnit/Basic.h>

void suite_observe(void);

static const char copies[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i64 = leaz_i64 s0, v2 *128\n"
    "	v4:i64 = add_i64 v3, 8192:i64\n"
    "	copy.global.global v3, v4, 72:i64\n"
    "	ret\n";

/* Lane l moves l % 8 bytes that are aligned to 1. */
static const char lengths[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i64 = leaz_i64 s0, v2 *128\n"
    "	v4:i64 = add_i64 v3, 1:i64\n"
    "	v5:i32 = and_i32 v2, 7:i32\n"
    "	v6:i64 = zext_i64_i32 v5\n"
    "	fill.global v4, 7:i8, v6\n"
    "	ret\n";

/* Lane l stores 4 bytes to l * 128: the first half of the buffer. */
static const char apart[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i64 = leaz_i64 s0, v2 *128\n"
    "	st.global v3, v2\n"
    "	ret\n";

/* Rows of 8 lanes, 256 bytes apart: pieces of a shape. */
static const char in_rows[] = HEAD
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i32 = and_i32 v2, 7:i32\n"
    "	v4:i32 = lshr_i32 v2, 3:i32\n"
    "	v5:i64 = leaz_i64 s0, v4 *256\n"
    "	v6:i64 = leaz_i64 v5, v3 *4\n"
    "	st.global v6, v2\n"
    "	ret\n";

static const char into_lds[] = HEAD
    "object 0 \"tile\" lds seg 1 size 4096 align 16\n"
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	v3:i32 = lea_i32 1048576:i32, v2 *64\n"
    "	v4:i64 = leaz_i64 s0, v2 *64\n"
    "	copy.lds.global v3, v4, 64:i64\n"
    "	ret\n";

/* A dword at 8 in the lane's part of private memory, two at 4 and 8 there, and a byte at 1 or 6, by the lane. */
static const char in_private[] = HEAD
    "object 0 \"a\" private seg 1 size 16 align 16\n"
    "func 0 \"k\"\n"
    "block 0\n"
    "	v2:i32 = query.local_id_x\n"
    "	st.private 1048584:i32, v2\n"
    "	v3:i64 = zext_i64_i32 v2\n"
    "	st.private.3 1048580:i32, v3\n"
    "	v4:i32 = and_i32 v2, 1:i32\n"
    "	v5:i32 = mul_i32 v4, 5:i32\n"
    "	v6:i32 = add_i32 v5, 1048577:i32\n"
    "	v7:i8 = ld.private v6\n"
    "	v8:i64 = leaz_i64 s0, v2 *128\n"
    "	st.global v8, v7\n"
    "	ret\n";

typedef struct Ran {
	Program *p;
	Profile *prof;
	ProfileTotals t;
	SimConfig cfg;
	u8 out[16384];
	Diag d;
} Ran;

/* part: of memory, as SimConfig.fetch_bytes and room_bytes; or of a view beside the machine. */
static void run_groups(Ran *r, const char *text, u32 groups, u32 part, u32 room, bool beside)
{
	static const u64 first = 0;
	static const SimRecord record = {.groups = &first, .ngroups = 1, .words = 1000};
	SimView view = {.line_bytes = 64, .fetch_bytes = part, .room_bytes = room};
	*r = (Ran){.cfg = {.wave = 64, .line_bytes = 64, .threads = 1, .record = &record}};
	if (beside) {
		lds_rule(&view.lds, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_consecutive, 64, 32}, 64, 32);
		r->cfg.views = &view;
		r->cfg.nviews = 1;
	} else {
		r->cfg.fetch_bytes = part;
		r->cfg.room_bytes = room;
	}
	diag_init(&r->d);
	for (u32 i = 0; i < sizeof r->out; i++)
		r->out[i] = (u8)(i * 7 + i / 256);
	r->p = program_parse("test.wave", text, &r->d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(r->p);
	u32 zero = 0;
	SimBuffer buffer = {.data = r->out, .size = sizeof r->out, .name = "out", .readable = true, .writable = true};
	SimArg args[2] = {{.kind = SIM_BUFFER}, {.kind = SIM_VALUE, .bytes = &zero, .size = 4}};
	SimLaunch l = {.dims = 1, .global = {64 * groups, 1, 1}, .local = {64, 1, 1}, .args = args,
	               .buffers = &buffer, .nbuffers = 1};
	lds_rule(&r->cfg.lds, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_consecutive, 64, 32}, 64, 32);
	r->prof = sim_run(r->p, &l, &r->cfg, &r->d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(r->prof);
	CU_ASSERT_EQUAL(r->prof->findings.n, 0);
	profile_totals(r->p, r->prof, &r->t);
	r->cfg.views = NULL;
}

static void run_parts(Ran *r, const char *text, u32 part, u32 room, bool beside)
{
	run_groups(r, text, 1, part, room, beside);
}

static void run(Ran *r, const char *text) { run_parts(r, text, 64, 64, false); }

static void done(Ran *r)
{
	profile_free(r->prof);
	program_free(r->p);
	diag_free(&r->d);
}

/* Recorded accesses: those that read come first; the bytes of a lane. */
static u32 recorded(const Ran *r, u32 bytes[64], bool write[64])
{
	const WaveEvents *w = &r->prof->events->waves.v[0];
	u32 n = 0;
	for (u32 at = 0; at < w->n; at += event_words(w->words[at])) {
		if (EVENT_KIND(w->words[at]) != EVENT_ACCESS)
			continue;
		bytes[n] = w->shapes[w->words[at + 1]].bytes;
		write[n++] = w->shapes[w->words[at + 1]].write;
	}
	return n;
}

static void test_copy(void)
{
	Ran r;
	u32 bytes[64];
	bool write[64];
	run(&r, copies);
	for (u32 l = 0; l < 64; l++)
		CU_ASSERT_TRUE(!memcmp(r.out + l * 128, r.out + 8192 + l * 128, 72));
	/* 72 bytes: four of 16 in one line, and one of 8 in the next */
	CU_ASSERT_EQUAL(r.t.accesses, 2 * 5);
	CU_ASSERT_EQUAL(r.t.bytes, 2 * 64 * 72);
	CU_ASSERT_EQUAL(r.t.actual_lines, 2 * 5 * 64);
	CU_ASSERT_EQUAL(r.t.ideal_lines, 2 * (4 * 16 + 8));
	CU_ASSERT_EQUAL_FATAL(recorded(&r, bytes, write), 2 * 5);
	for (u32 i = 0; i < 10; i++)
		CU_ASSERT_TRUE(bytes[i] == (i % 5 < 4 ? 16 : 8) && write[i] == (i >= 5));
	done(&r);
}

/* Dwords of all lanes lie side by side; those who do not ask for private memory do not see it. */
static void test_private(void)
{
	Ran r;
	run(&r, in_private);
	const struct {
		u64 address;
		u32 bytes;
		bool write;
		i64 second; /* offset of lane 1 */
	} want[] = {{2 * 256, 4, true, 4}, {256, 8, true, 4}, {1, 1, false, 256 + 4 + 1}};
	u32 n = 0, others = 0;
	for (EventWord x = {0}; event_next(&r.prof->events->waves.v[0], &x);) {
		others += x.kind == EVENT_ACCESS;
		if (x.kind != EVENT_PRIVATE)
			continue;
		CU_ASSERT_FATAL(n < 3);
		CU_ASSERT_EQUAL(x.address, want[n].address);
		CU_ASSERT_EQUAL(x.shape->bytes, want[n].bytes);
		CU_ASSERT_EQUAL(x.shape->write, want[n].write);
		CU_ASSERT_EQUAL(x.shape->lanes, 64);
		CU_ASSERT_EQUAL(x.shape->offset[1], want[n].second);
		n++;
	}
	CU_ASSERT_EQUAL(n, 3);
	CU_ASSERT_EQUAL(others, 1);
	CU_ASSERT_EQUAL(r.t.accesses, 1);
	done(&r);
}

static void test_lengths(void)
{
	Ran r;
	run(&r, lengths);
	for (u32 l = 0; l < 64; l++)
		for (u32 i = 0; i < 8; i++)
			CU_ASSERT_TRUE(i >= l % 8 || r.out[l * 128 + 1 + i] == 7);
	CU_ASSERT_EQUAL(r.t.accesses, 7);
	CU_ASSERT_EQUAL(r.t.bytes, 8 * (1 + 2 + 3 + 4 + 5 + 6 + 7));
	CU_ASSERT_EQUAL(r.t.actual_lines, r.t.bytes);
	done(&r);
}

static void test_copy_lds(void)
{
	Ran r;
	u32 addr[MAX_WAVE];
	run(&r, into_lds);
	for (u32 l = 0; l < 64; l++)
		addr[l] = l * 64;
	const LdsLanes lanes = {.mask = mask_first(64), .addr = addr, .write = true};
	LdsCycles c = lds_cycles(&r.cfg.lds, &(LdsIns){.bytes = 16}, &lanes);
	CU_ASSERT_EQUAL(r.t.accesses, 4);
	CU_ASSERT_EQUAL(r.t.bytes, 64 * 64);
	CU_ASSERT_EQUAL(r.t.lds.accesses, 4);
	CU_ASSERT_EQUAL(r.t.lds.ideal, 4 * c.ideal);
	CU_ASSERT_EQUAL(r.t.lds.actual, 4 * c.actual);
	done(&r);
}

/* Up to 128 lanes of 128 bytes and lines of 4: more than any table of a fixed size was made for. */
static void test_many_lines(void)
{
	u64 up[MAX_WAVE], down[MAX_WAVE], same[MAX_WAVE];
	for (u32 l = 0; l < MAX_WAVE; l++) {
		up[l] = (u64)7 << 40 | l * 256;
		down[l] = (u64)7 << 40 | (MAX_WAVE - l) * 256;
		same[l] = (u64)7 << 40 | (l & 1) * 256;
	}
	for (u32 shift = 2; shift <= 6; shift++) {
		CU_ASSERT_EQUAL(lines_count(up, 128, mask_first(128), shift), 128u * 128 >> shift);
		CU_ASSERT_EQUAL(lines_count(down, 128, mask_first(128), shift), 128u * 128 >> shift);
		CU_ASSERT_EQUAL(lines_count(same, 128, mask_first(128), shift), 2u * 128 >> shift);
	}
	for (u32 l = 0; l < MAX_WAVE; l++)
		up[l] = l * 24; /* lanes share lines */
	CU_ASSERT_EQUAL(lines_count(up, 32, mask_first(64), 6), 25);
	CU_ASSERT_EQUAL(lines_count(up, 32, mask_lane(1) | mask_lane(60), 6), 2);
}

static void test_sets(void)
{
	u64 lent[8] = {0};
	HashSet s = hash_set_lent(lent, COUNT(lent)), empty = {0};
	HashIndex x = {0};
	for (u32 turn = 0; turn < 2; turn++)
		for (u64 i = 0; i < 10000; i++)
			CU_ASSERT_TRUE(hash_set_add(&s, i << 20) == !turn && hash_set_add(&empty, ~i - 1) == !turn);
	CU_ASSERT_TRUE(s.n == 10000 && empty.n == 10000);
	for (u32 i = 0; i < 1000; i++)
		hash_index_add(&x, (u64)(i % 300) << 32, i);
	for (u32 i = 0; i < 300; i++) {
		u32 n = 0;
		for (u32 at = 0, k; hash_index_next(&x, (u64)i << 32, &at, &k); n++)
			CU_ASSERT_EQUAL(k % 300, i);
		CU_ASSERT_EQUAL(n, 3 + (i < 100));
	}
	hash_set_free(&s);
	hash_set_free(&empty);
	hash_index_free(&x);
}

/* What L2 brings of memory, and the lines of L2 that get room for it. */
static void test_parts(void)
{
	static const struct {
		u32 part, room, touched, all_room;
	} rows[] = {{32, 128, 64, 64 * 4}, {64, 128, 64, 64 * 2}, {128, 128, 64, 64}, {64, 256, 64, 32 * 4},
	            {256, 256, 32, 32}};
	for (u32 i = 0; i < COUNT(rows); i++)
		for (u32 beside = 0; beside < 2; beside++) {
			Ran r;
			run_parts(&r, apart, rows[i].part, rows[i].room, beside);
			EventLines l = beside ? r.prof->views[0].lines : r.prof->events->lines;
			CU_ASSERT_EQUAL(l.touched, rows[i].touched);
			CU_ASSERT_EQUAL(l.room, rows[i].all_room);
			CU_ASSERT_TRUE(l.all >= sizeof r.out / rows[i].part);
			done(&r);
		}
}

/* Parts that work-groups far from each other in the launch touch, too. */
static void test_met(void)
{
	static const struct {
		u32 groups, met, in_windows;
	} rows[] = {{1, 0, 64}, {2, 64, 2 * 64}, {EVENT_WINDOWS, 64, EVENT_WINDOWS * 64},
	            {2 * EVENT_WINDOWS, 64, EVENT_WINDOWS * 64}};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Ran r;
		run_groups(&r, apart, rows[i].groups, 32, 32, false);
		EventLines l = r.prof->events->lines;
		CU_ASSERT_EQUAL(l.touched, 64);
		CU_ASSERT_EQUAL(l.met, rows[i].met);
		CU_ASSERT_EQUAL(l.in_windows, rows[i].in_windows);
		done(&r);
	}
}

static void test_pieces(void)
{
	static const struct {
		u32 part, touched;
	} rows[] = {{4, 64}, {16, 16}, {32, 8}, {256, 8}, {512, 4}};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Ran r;
		run_parts(&r, in_rows, rows[i].part, rows[i].part, false);
		CU_ASSERT_EQUAL(r.prof->events->lines.touched, rows[i].touched);
		done(&r);
	}
}

void suite_observe(void)
{
	CU_pSuite s = CU_add_suite("observe", NULL, NULL);
	CU_add_test(s, "a copy is the accesses that a device makes of it", test_copy);
	CU_add_test(s, "lanes that move different lengths", test_lengths);
	CU_add_test(s, "a copy into local memory", test_copy_lds);
	CU_add_test(s, "private memory in the record", test_private);
	CU_add_test(s, "lines of wide accesses", test_many_lines);
	CU_add_test(s, "parts of memory, and room for their lines", test_parts);
	CU_add_test(s, "parts that work-groups touch alike", test_met);
	CU_add_test(s, "parts that rows of lanes touch", test_pieces);
	CU_add_test(s, "hash sets", test_sets);
}
