/* What workers read and wrote, and whether they met (sim/access_sets.h); and launches whose work-groups meet:
 * they leave what one thread leaves. */
#include "models/device/lds_rule.h"
#include "sim/access_sets.h"

#include <CUnit/Basic.h>
#include <stdio.h>

void suite_access_sets(void);

enum { SIZE = 3 * 4096 + 104 };

typedef struct Kit {
	u8 bytes[SIZE], other[64];
	Seg segs[3];
	bool stored[3];
	AccessSets *all;
	AccessSet *a, *b;
} Kit;

#define AT(offset) (((u64)1 << SEG_SHIFT) + (offset))

static void kit(Kit *k, u32 granule)
{
	memset(k, 0, sizeof *k);
	for (u32 i = 0; i < SIZE; i++)
		k->bytes[i] = (u8)(i * 7);
	k->segs[1] = (Seg){.data = k->bytes, .size = SIZE, .readable = true, .writable = true};
	k->segs[2] = (Seg){.data = k->other, .size = sizeof k->other, .readable = true, .writable = true};
	k->stored[1] = true;
	k->all = access_sets_new(k->segs, 3, k->stored, granule, 2);
	k->a = access_set(k->all, 0);
	k->b = access_set(k->all, 1);
}

typedef void Marker(AccessSet *s, u64 address, u64 bytes);
static void add_i32(AccessSet *s, u64 address, u64 bytes) { mark_update(s, address, bytes, 1); }
static void max_i32(AccessSet *s, u64 address, u64 bytes) { mark_update(s, address, bytes, 2); }

static bool meet(u32 granule, Marker *first, u64 at, u64 bytes, Marker *second, u64 at2, u64 bytes2)
{
	bool both = false;
	for (u32 turned = 0; turned < 2; turned++) { /* whoever is looked at first */
		Kit k;
		kit(&k, granule);
		first(turned ? k.b : k.a, AT(at), bytes);
		second(turned ? k.a : k.b, AT(at2), bytes2);
		bool met = access_sets_conflict(k.all);
		CU_ASSERT(!turned || met == both);
		both = met;
		access_sets_free(k.all);
	}
	return both;
}

static void test_meetings(void)
{
	static Marker *const mark[] = {mark_read, mark_write, add_i32, max_i32};
	static const bool want[4][4] = {{0, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}};
	for (u32 i = 0; i < 4; i++)
		for (u32 j = 0; j < 4; j++) {
			CU_ASSERT_EQUAL(meet(4, mark[i], 4092, 4, mark[j], 4092, 4), want[i][j]);
			CU_ASSERT_FALSE(meet(4, mark[i], 4092, 4, mark[j], 4096, 4));
			CU_ASSERT_FALSE(meet(8, mark[i], SIZE - 8, 8, mark[j], SIZE - 16, 8));
		}
	CU_ASSERT_FALSE(meet(1, mark_write, 100, 1, mark_write, 101, 1));
	CU_ASSERT_TRUE(meet(1, mark_write, 100, 3, mark_write, 102, 1));
	CU_ASSERT_TRUE(meet(4, mark_write, 0, SIZE, mark_read, SIZE - 1, 1));
	CU_ASSERT_TRUE(meet(16, mark_write, 4000, 200, mark_read, 4190, 64));
	CU_ASSERT_FALSE(meet(2, mark_write, 4000, 200, mark_read, 4200, 4000));
}

static void test_own(void)
{
	Kit k;
	kit(&k, 4);
	mark_write(k.a, AT(0), 400); /* one worker may do to its bytes what it likes */
	mark_read(k.a, AT(0), 400);
	mark_update(k.a, AT(100), 4, 1);
	mark_update(k.a, AT(100), 4, 2);
	mark_update(k.b, AT(400), 4, 1);
	mark_update(k.b, AT(400), 4, 2);
	CU_ASSERT_FALSE(access_sets_conflict(k.all));
	mark_update(k.a, AT(400), 4, 1); /* but two classes of updates do not commute */
	CU_ASSERT_TRUE(access_sets_conflict(k.all));
	access_sets_free(k.all);
}

static void test_unexpected(void)
{
	Kit k;
	kit(&k, 4);
	u64 other = (u64)2 << SEG_SHIFT;
	mark_read(k.a, other, 64);
	CU_ASSERT_FALSE(access_sets_conflict(k.all));
	mark_write(k.a, other + 8, 4); /* reads there were not marked */
	CU_ASSERT_TRUE(access_sets_conflict(k.all));
	access_sets_free(k.all);
}

static void test_restore(void)
{
	static const u8 steps[] = {7, 0}; /* pages with contents are copied; of zeros nothing is kept */
	for (u32 i = 0; i < COUNT(steps); i++) {
		Kit k;
		kit(&k, 4);
		for (u32 b = 0; b < SIZE; b++)
			k.bytes[b] = (u8)(b * steps[i]);
		u8 before[SIZE];
		memcpy(before, k.bytes, SIZE);
		mark_write(k.a, AT(10), 5000);
		memset(k.bytes + 10, 1, 5000);
		mark_write(k.b, AT(5008), 8); /* a page that is written already: its first contents count */
		memset(k.bytes + 5008, 2, 8);
		mark_update(k.b, AT(SIZE - 4), 4, 1);
		memset(k.bytes + SIZE - 4, 3, 4);
		access_sets_restore(k.all);
		CU_ASSERT_EQUAL(memcmp(before, k.bytes, SIZE), 0);
		access_sets_free(k.all);
	}
}

/* ---- launches ---- */

#define HEAD \
	"kernel \"k\"\n" \
	"arg 0 \"out\" global bytes 4 width 1 size 4\n" \
	"param s0:i64 arg 0 offset 0\n" \
	"func 0 \"k\"\n" \
	"block 0\n" \
	"	v1:i32 = query.local_id_x\n" \
	"	s2:i32 = query.group_id_x\n" \
	"	v3:i32 = lea_i32 v1, s2 *64\n" \
	"	s4:i32 = mul_i32 s2, 0x9e3779b1:i32\n" \
	"	s5:i32 = lshr_i32 s4, 21:i32\n" \
	"	s6:i32 = mov 0:i32\n" \
	"	jmp -> 1\n" \
	"block 1\n" \
	"	s7:i32 = add_i32 s6, 1:i32\n" \
	"	s6 = mov s7\n" \
	"	s8:b1 = ult_i32 s7, s5\n" \
	"	br s8 -> 1, 2\n" \
	"block 2\n"

/* Bodies after work of uneven length: v1 the local, v3 the global id, s2 the group. */
static const char store_modulo[] = HEAD /* a[g % 64] = g */
	"	v9:i32 = and_i32 v3, 63:i32\n"
	"	v10:i64 = leaz_i64 s0, v9 *4\n"
	"	st.global v10, v3\n"
	"	ret\n";
static const char read_others[] = HEAD /* a[g] = a[g - 64] + 1 */
	"	v10:i64 = leaz_i64 s0, v3 *4\n"
	"	v11:i32 = ld.global v10\n"
	"	v12:i32 = add_i32 v11, 1:i32\n"
	"	st.global v10, v12 +256\n"
	"	ret\n";
static const char old_value[] = HEAD /* a[64 + g] = a[0]++ */
	"	v10:i64 = leaz_i64 s0, v3 *4\n"
	"	v11:i32 = atomic.add.global s0, 1:i32\n"
	"	st.global v10, v11 +256\n"
	"	ret\n";
static const char exchanges[] = HEAD
	"	v10:i64 = leaz_i64 s0, v1 *4\n"
	"	v11:i32 = atomic.xchg.global v10, s2\n"
	"	v12:i32 = cas.global v10, s2, 7:i32\n"
	"	ret\n";
static const char own_places[] = HEAD
	"	v10:i64 = leaz_i64 s0, v3 *4\n"
	"	v11:i32 = ld.global v10\n"
	"	v12:i32 = add_i32 v11, s2\n"
	"	st.global v10, v12\n"
	"	ret\n";

enum { GROUPS = 200, ITEMS = 64, ELEMENTS = (GROUPS + 1) * ITEMS };

static void launch(const char *text, u32 threads, u32 *out)
{
	Diag d;
	diag_init(&d);
	Program *p = program_parse("test.wave", text, &d);
	if (!p) {
		Buf m = {0};
		diag_print(&d, &m);
		fprintf(stderr, "%s", m.v);
		CU_FAIL_FATAL("the program");
	}
	memset(out, 0, ELEMENTS * 4);
	SimBuffer buffer = {.data = (u8 *)out, .size = ELEMENTS * 4, .name = "out", .readable = true, .writable = true};
	SimArg arg = {.kind = SIM_BUFFER, .buffer = 0};
	SimLaunch l = {.dims = 1, .global = {GROUPS * ITEMS, 1, 1}, .local = {ITEMS, 1, 1}, .args = &arg,
	               .buffers = &buffer, .nbuffers = 1};
	SimConfig cfg = {.wave = 32, .line_bytes = 64, .threads = threads, .max_instructions = 100000};
	lds_rule(&cfg.lds, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 32, 32);
	Profile *prof = sim_run(p, &l, &cfg, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(prof);
	CU_ASSERT_EQUAL(prof->findings.n, 0);
	profile_free(prof);
	program_free(p);
	diag_free(&d);
}

static void test_launches(void)
{
	static const char *const texts[] = {store_modulo, read_others, old_value, exchanges, own_places};
	static u32 in_order[ELEMENTS], out[ELEMENTS];
	for (u32 i = 0; i < COUNT(texts); i++) {
		launch(texts[i], 1, in_order);
		for (u32 threads = 2; threads < 9; threads += 3) {
			launch(texts[i], threads, out);
			CU_ASSERT_EQUAL(memcmp(in_order, out, sizeof out), 0);
		}
	}
	launch(store_modulo, 8, out);
	for (u32 i = 0; i < ITEMS; i++)
		CU_ASSERT_EQUAL(out[i], (GROUPS - 1) * ITEMS + i);
	launch(read_others, 8, out);
	for (u32 i = 0; i < ELEMENTS; i++)
		CU_ASSERT_EQUAL(out[i], i / ITEMS);
}

void suite_access_sets(void)
{
	CU_pSuite s = CU_add_suite("access sets", NULL, NULL);
	CU_add_test(s, "which accesses of two workers meet", test_meetings);
	CU_add_test(s, "of one worker none do", test_own);
	CU_add_test(s, "a write where none was expected", test_unexpected);
	CU_add_test(s, "first contents come back", test_restore);
	CU_add_test(s, "launches whose work-groups meet leave what one thread leaves", test_launches);
}
