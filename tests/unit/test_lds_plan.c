/* Which LDS instructions of the machine do which accesses of the Program, on machine code and
 * programs of our own, and the bank cycles of each kind of instruction, counted by hand. */
#include "models/device/lds_rule.h"
#include "models/device/lds_plan.h"
#include "sim/wave.h"

#include <CUnit/CUnit.h>

/* Two loads and two stores of 4 bytes; accesses 0 … 3 come from IR instructions 1, 2, 4, 6. */
static const char text[] =
	"kernel \"k\"\n"
	"reg v0:i32\n" "reg v1:i32\n" "reg v2:i32\n"
	"func 0 \"k\"\n"
	"block 0 \"entry\"\n"
	"	v0:i32 = query.local_id_x\n"
	"	v1:i32 = ld.lds v0\n"
	"	v2:i32 = ld.lds v0 +4\n"
	"	st.lds v0, v1 +8\n"
	"	st.lds v0, v2 +12\n"
	"	ret\n";
enum { LOAD = 1, STORE = 3, NINS = 6, PLACES = 8 };

typedef struct Case {
	MachineIns ins[6];
	u32 n, blocks; /* the last instruction stands in a second block when there are two */
	i32 want[4];   /* instructions of each access, -1: not known */
} Case;

#define INS(class, width, two, gap, origin) \
	{.cls = MC_##class, .bytes = width, .pair = two, .distance = gap, .ir = origin}

static const Case cases[] = {
	{{INS(lds_read, 4, 0, 0, 1), INS(lds_read, 4, 0, 0, 2), INS(lds_write, 4, 0, 0, 4),
	  INS(lds_write, 4, 0, 0, 6)}, 4, 1, {1, 1, 1, 1}},
	/* merged; the place of the second store is that of what follows it */
	{{INS(lds_read, 8, 1, 4, 1), INS(lds_write, 8, 0, 0, 7)}, 2, 1, {1, 0, 0, 1}},
	/* taken apart to bytes */
	{{INS(lds_read, 1, 0, 0, 1), INS(lds_read, 1, 0, 0, 1), INS(lds_read, 2, 0, 0, 1),
	  INS(lds_read, 4, 0, 0, 2)}, 4, 1, {3, 1, -1, -1}},
	/* a load that no instruction does */
	{{INS(lds_read, 4, 0, 0, 1), INS(lds_write, 8, 1, 4, 4)}, 2, 1, {-1, -1, 1, 0}},
	/* an instruction of nowhere */
	{{INS(lds_read, 8, 1, 4, NO_IR), INS(lds_write, 8, 1, 4, 6)}, 2, 1, {-1, -1, 0, 1}},
	/* a copy of a block, alike and not alike */
	{{INS(lds_read, 8, 1, 4, 1), INS(lds_read, 8, 1, 4, 1)}, 2, 2, {1, 0, -1, -1}},
	{{INS(lds_read, 8, 1, 4, 1), INS(lds_read, 8, 0, 0, 1)}, 2, 2, {-1, -1, -1, -1}},
};

static Program *program(void)
{
	static const u32 origin[4] = {1, 2, 4, 6};
	Diag d;
	diag_init(&d);
	Program *p = program_parse("k.wave", text, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_EQUAL_FATAL(p->ins.n, NINS);
	for (u32 i = 0; i < 4; i++)
		p->ins.v[LOAD + i].origin = origin[i] + 1;
	diag_free(&d);
	return p;
}

static void plans(void)
{
	Program *p = program();
	for (u32 i = 0; i < COUNT(cases); i++) {
		const Case *k = &cases[i];
		MachineCode c = {.nplaces = PLACES};
		for (u32 n = 0; n < k->n; n++)
			array_push(&c.ins, k->ins[n]);
		u32 first = k->n - (k->blocks - 1);
		array_push(&c.blocks, ((MachineBlock){.n = first}));
		if (k->blocks > 1)
			array_push(&c.blocks, ((MachineBlock){.first = first, .n = 1}));
		Arena *a = arena_new();
		const LdsPlan *plan = lds_plan_new(&c, p, a);
		CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
		for (u32 n = 0; n < 4; n++) {
			const LdsAccess *x = &plan->of[LOAD + n];
			CU_ASSERT_EQUAL(x->known ? (i32)x->n : -1, k->want[n]);
		}
		arena_free(a);
		array_free(&c.ins);
		array_free(&c.blocks);
	}
	CU_ASSERT_PTR_NULL(lds_plan_new(NULL, p, NULL));
	program_free(p);
}

/* 64 lanes on 32 banks, lane l at dword l * stride; want: ideal, actual. */
static const struct {
	LdsIns ins;
	u32 stride;
	bool write;
	u32 ideal, actual;
} counts[] = {
	{{4, false, 0}, 1, false, 2, 2},
	{{4, false, 0}, 2, false, 2, 4},
	{{8, false, 0}, 2, false, 4, 4},    /* b64: 16 lanes take 32 banks */
	{{8, false, 0}, 4, false, 4, 8},
	{{8, true, 4}, 1, false, 4, 4},     /* read2_b32 serves lanes 0-7 and 16-23 together: other banks … */
	{{8, true, 4}, 2, false, 4, 8},     /* … and the same */
	{{8, true, 64}, 1, false, 4, 8},
	{{8, true, 32}, 1, false, 4, 4},
	{{8, true, 64}, 1, true, 4, 4},     /* write2_b32, 16 neighbours: the other 16 banks */
	{{8, true, 128}, 1, true, 4, 8},    /* 32 dwords apart: the same banks */
	{{8, true, 0}, 1, false, 4, 4},     /* twice the same dword: once */
	{{16, false, 0}, 4, false, 8, 8},   /* b128 */
	{{16, false, 0}, 4, true, 8, 8},
	{{16, false, 0}, 8, true, 8, 16},
	{{16, true, 1024}, 2, false, 8, 8}, /* read2_b64: one after the other */
	{{16, true, 8}, 4, false, 8, 16},
	{{8, true, 128}, 0, false, 4, 8},   /* all lanes at one address */
	{{16, true, 128}, 0, false, 8, 8},
	{{16, false, 0}, 0, false, 8, 8},
};

static void cycles(void)
{
	LdsRule r;
	CU_ASSERT_TRUE_FATAL(lds_rule(&r, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 32));
	for (u32 i = 0; i < COUNT(counts); i++) {
		LdsWay way = {&counts[i].ins, 1, true};
		u32 addr[MAX_WAVE];
		for (u32 l = 0; l < MAX_WAVE; l++)
			addr[l] = 512 + l * counts[i].stride * 4;
		LdsCount c = lds_count_access(&r, 4, &way, counts[i].write, false, mask_first(64), addr);
		CU_ASSERT_EQUAL(c.machine.ideal, counts[i].ideal);
		CU_ASSERT_EQUAL(c.machine.actual, counts[i].actual);
		CU_ASSERT_EQUAL(c.ir.ideal, 2);
		if (counts[i].stride)
			continue;
		LdsCount same = lds_count_access(&r, 4, &way, counts[i].write, false, mask_first(64), NULL);
		CU_ASSERT_EQUAL(memcmp(&same, &c, sizeof c), 0);
	}
}

void suite_lds_plan(void)
{
	CU_pSuite s = CU_add_suite("LDS at machine width", NULL, NULL);
	CU_add_test(s, "instructions are matched with accesses", plans);
	CU_add_test(s, "cycles of each kind of instruction", cycles);
}
