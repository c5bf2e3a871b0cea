/* VLIW machine code: the reader of r600 assembly on texts of our own, also cut off and damaged; the
 * rates on hand-made control flow; blocks, waits and places of its machine code. */
#include "frontend/codegen/backend.h"
#include "frontend/codegen/r600.h"
#include "models/timing/r600.h"
#include "tests/unit/device_kit.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>

/* ---- the reader ---- */

/* An if/else around a loop: every kind of line that counts. */
static const char branchy[] =
	"\t.text\n"
	"\t.section\t.AMDGPU.config\n"
	"\t.long\t166100\n"
	"\t.long\t3\n"
	"\t.text\n"
	"small:\n"
	"\tCF_END\n"
	".Lfunc_end0:\n"
	"\t.section\t.AMDGPU.config\n"
	"\t.long\t166100\n"
	"\t.long\t523\n" /* 2 << 8 | 11 */
	"\t.long\t165900\n"
	"\t.long\t166100\n"
	"\t.text\n"
	"\t.globl\tk\n"
	"k:\n"
	"k$local:\n"
	"\tALU 2, @20, KC0[CB0:0-32], KC1[]\n"            /* 0 */
	"\tTEX 1 @16\n"                                   /* 1 */
	"\tALU_PUSH_BEFORE 4, @23, KC0[], KC1[]\n"        /* 2 */
	"\tJUMP @6 POP:1\n"                               /* 3 */
	"\tALU 0, @28, KC0[], KC1[]\n"                    /* 4 */
	"\tMEM_RAT ATOMIC_ADD T1.X, T0.X\n"               /* 5 */
	"\tELSE @11 POP:1\n"                              /* 6 */
	"\tLOOP_START_DX10 @10\n"                         /* 7 */
	"\tALU_BREAK 1, @29, KC0[], KC1[]\n"              /* 8 */
	"\tEND_LOOP @8\n"                                 /* 9 */
	"\tMEM_RAT_CACHELESS STORE_RAW T0.X, T1.X, 1\n"   /* 10 */
	"\tCF_END\n"                                      /* 11 */
	"\tPAD\n"
	"\tFetch clause starting at 16:\n"
	"\t  VTX_READ_32 T0.X, T0.X, 0, #1\n"
	"\t  VTX_READ_32 T1.X, T1.X, 0, #1\n"
	"\tALU clause starting at 20:\n"
	"\t  MULLO_INT * T0.W, KC0[1].Z, T1.X,  \n" /* the fifth slot: nothing else multiplies */
	"\t  LSHL * T0.X, PS, literal.x,  \n"
	"\t2(2.802597e-45), 0(0.000000e+00)\n"
	"\tALU clause starting at 23:\n"
	"\t  ADD_INT   T0.X, T0.X, 1,  \n"
	"\t  ADD_INT * T1.X, T0.Y, 1,  \n" /* X again: the fifth slot */
	"\t  AND_INT   T0.Y, PV.X, 1,  \n"
	"\t  ADD_INT * T0.Z, PV.X, 1,  \n" /* PS below: the fifth slot */
	"\t  PRED_SETNE_INT * ExecMask, PS, 0.0,  \n"
	"\tALU clause starting at 28:\n"
	"\t  LDS_WRITE * T0.X, T0.Y\n"
	"\tALU clause starting at 29:\n"
	"\t  GROUP_BARRIER\n"
	"\t  PRED_SETNE_INT * ExecMask, T0.X, 0.0,  \n"
	".Lfunc_end1:\n"
	"\t.size\tk, .Lfunc_end1-k\n";

typedef struct Read {
	Arena *a;
	R600Code c;
	bool ok;
} Read;

static Read read_text(const char *cpu, const char *kernel, const char *text)
{
	Read r = {.a = arena_new()};
	r.c.cpu = cpu;
	r.ok = r600_parse(&r.c, kernel, text, r.a);
	return r;
}

static void reads_facts(void)
{
	Read r = read_text("cypress", "k", branchy);
	const R600Code *c = &r.c;
	CU_ASSERT_TRUE_FATAL(r.ok);
	CU_ASSERT_EQUAL(c->gprs, 11);
	CU_ASSERT_EQUAL(c->stack, 2);
	CU_ASSERT_EQUAL(c->nsteps, 12);
	CU_ASSERT_EQUAL(c->loops, 1);
	CU_ASSERT_EQUAL(c->alu_clauses, 4);
	CU_ASSERT_EQUAL(c->fetch_clauses, 1);
	CU_ASSERT_EQUAL(c->fetches, 2);
	CU_ASSERT_EQUAL(c->stores, 1);
	CU_ASSERT_EQUAL(c->atomics, 1);
	CU_ASSERT_EQUAL(c->bundles, 8);
	CU_ASSERT_EQUAL(c->slots, 10);
	CU_ASSERT_EQUAL(c->trans, 3);
	CU_ASSERT_EQUAL(c->literals, 1);
	CU_ASSERT_EQUAL(c->lds, 1);
	CU_ASSERT_EQUAL(c->barriers, 1);
	static const R600Step steps[] = {
		{.bundles = 2, .to = NO_STEP}, {.fetches = 2, .to = NO_STEP}, {.bundles = 3, .to = NO_STEP},
		{.to = 6}, {.bundles = 1, .to = NO_STEP}, {.stores = 1, .to = NO_STEP},
		{.to = 11, .is_else = true}, {.to = NO_STEP}, {.bundles = 2, .to = NO_STEP}, {.to = NO_STEP},
		{.stores = 1, .to = NO_STEP}, {.to = NO_STEP, .is_end = true}};
	for (u32 i = 0; i < COUNT(steps); i++) {
		const R600Step *s = &c->steps[i];
		CU_ASSERT_EQUAL(s->bundles, steps[i].bundles);
		CU_ASSERT_EQUAL(s->fetches, steps[i].fetches);
		CU_ASSERT_EQUAL(s->stores, steps[i].stores);
		CU_ASSERT_EQUAL(s->to, steps[i].to);
		CU_ASSERT_EQUAL(s->is_else, steps[i].is_else);
		CU_ASSERT_EQUAL(s->is_end, steps[i].is_end);
	}
	arena_free(r.a);

	r = read_text("cypress", "small", branchy);
	CU_ASSERT_TRUE(r.ok);
	CU_ASSERT_EQUAL(r.c.gprs, 3);
	CU_ASSERT_EQUAL(r.c.nsteps, 1);
	arena_free(r.a);
}

/* Of four slots none is for transcendental functions; such operations take several. */
static void four_slots(void)
{
	static const char text[] =
		"\t.long\t166100\n"
		"\t.long\t2\n"
		"k:\n"
		"\tALU 5, @4, KC0[], KC1[]\n"
		"\tCF_END\n"
		"\tALU clause starting at 4:\n"
		"\t  RECIP_IEEE   T0.X, T0.X,  \n"
		"\t  RECIP_IEEE   T0.Y (MASKED), T0.X,  \n"
		"\t  RECIP_IEEE * T0.Z (MASKED), T0.X,  \n"
		"\t  UINT_TO_FLT * T0.X, T0.X,  \n"
		"\t  ADD   T0.X, T0.X, T0.Y,  \n"
		"\t  ADD * T0.Y, PV.X, T0.Y,  \n"
		".Lfunc_end0:\n";
	Read r = read_text("cayman", "k", text);
	CU_ASSERT_TRUE(r.ok);
	CU_ASSERT_EQUAL(r.c.bundles, 3);
	CU_ASSERT_EQUAL(r.c.slots, 6);
	CU_ASSERT_EQUAL(r.c.trans, 3);
	arena_free(r.a);
	r = read_text("cypress", "k", text);
	CU_ASSERT_EQUAL(r.c.trans, 2); /* the last slots of the first two bundles */
	arena_free(r.a);
}

static bool is_wrong(const char *text)
{
	Read r = read_text("cypress", "k", text);
	arena_free(r.a);
	return !r.ok;
}

static void refuses(void)
{
	static const char *const wrong[] = {
		"",
		"\n",
		"k:\n",
		"k:\n\tCF_END\n.Lfunc_end0:\n", /* no registers */
		"\t.long\t166100\n\t.long\t2\nother:\n\tCF_END\n.Lfunc_end0:\n",
		"\t.long\t166100\n\t.long\t2\nk:\n.Lfunc_end0:\n", /* does not end */
		"\t.long\t166100\n\t.long\t2\nk:\n\tJUMP @7\n\tCF_END\n.Lfunc_end0:\n",
		"\t.long\t166100\n\t.long\t2\nk:\n\tALU\n\tCF_END\n.Lfunc_end0:\n",
		/* a clause that is too short, too long, missing, elsewhere, or of the other kind */
		"\t.long\t166100\n\t.long\t2\nk:\n\tALU 1, @4,\n\tCF_END\n"
		"\tALU clause starting at 4:\n\t  MOV * T0.X, 1\n.Lfunc_end0:\n",
		"\t.long\t166100\n\t.long\t2\nk:\n\tALU 0, @4,\n\tCF_END\n"
		"\tALU clause starting at 4:\n\t  MOV * T0.X, 1\n\t  MOV * T0.X, 1\n.Lfunc_end0:\n",
		"\t.long\t166100\n\t.long\t2\nk:\n\tALU 0, @4,\n\tCF_END\n.Lfunc_end0:\n",
		"\t.long\t166100\n\t.long\t2\nk:\n\tALU 0, @4,\n\tCF_END\n"
		"\tALU clause starting at 6:\n\t  MOV * T0.X, 1\n.Lfunc_end0:\n",
		"\t.long\t166100\n\t.long\t2\nk:\n\tALU 0, @4,\n\tCF_END\n"
		"\tFetch clause starting at 4:\n\t  MOV * T0.X, 1\n.Lfunc_end0:\n",
	};
	for (u32 i = 0; i < COUNT(wrong); i++)
		CU_ASSERT_TRUE(is_wrong(wrong[i]));
	CU_ASSERT_FALSE(is_wrong("\t.long\t166100\n\t.long\t2\nk:\n\tCF_END\n.Lfunc_end0:\n"));
}

/* What was read holds together, whatever the text was. */
static void check_sane(const Device *dev, const R600Code *c)
{
	u32 bundles = 0, fetches = 0;
	for (u32 i = 0; i < c->nsteps; i++) {
		bundles += c->steps[i].bundles;
		fetches += c->steps[i].fetches;
	}
	CU_ASSERT_EQUAL(bundles, c->bundles);
	CU_ASSERT_EQUAL(fetches, c->fetches);
	CU_ASSERT_TRUE(c->bundles <= c->slots);
	CU_ASSERT_TRUE(c->trans <= c->slots);
	R600Rate best, all;
	r600_rates(dev, c, &best, &all);
	CU_ASSERT_TRUE(best.bundles <= all.bundles);
	CU_ASSERT_TRUE(best.fetches <= all.fetches);
}

/* Cut off at every place: nothing is found before the end of the function. */
static void cut_off(void)
{
	size_t end = (size_t)(strstr(branchy, ".Lfunc_end1:") - branchy) + strlen(".Lfunc_end1");
	char text[sizeof branchy];
	for (size_t n = 0; n < end; n++) {
		memcpy(text, branchy, n);
		text[n] = 0;
		CU_ASSERT_EQUAL(is_wrong(text), n < end - 1);
	}
}

static void damaged(void)
{
	static const char bytes[] = "\n\t @:*,.0123456789TPSXW-";
	Arena *a = arena_new();
	Device dev = device("hd5870", a);
	u32 x = 12345;
	for (u32 round = 0; round < 20000; round++) {
		char text[sizeof branchy];
		memcpy(text, branchy, sizeof text);
		for (u32 k = 0; k <= round % 4; k++) {
			x = x * 1664525 + 1013904223;
			text[(x >> 8) % (sizeof text - 1)] =
				round & 1 ? bytes[x % (sizeof bytes - 1)] : (char)(x >> 24 ? x >> 24 : 1);
		}
		Read r = read_text("cypress", "k", text);
		if (r.ok)
			check_sane(&dev, &r.c);
		arena_free(r.a);
	}
	arena_free(a);
}

/* ---- rates ---- */

static bool near(double a, double b) { return fabs(a - b) < 1e-6 * fabs(b); }

static void rates(void)
{
	Arena *a = arena_new();
	Device dev = device("hd5870", a);
	R600Rate best, all;
	/* AMD's figure: 14 bundles, 19429 M threads/s. */
	R600Step straight[] = {{.bundles = 14, .to = NO_STEP}, {.fetches = 1, .to = NO_STEP},
	                       {.stores = 1, .to = NO_STEP}, {.to = NO_STEP, .is_end = true}};
	R600Code c = {.bundles = 14, .fetches = 1, .stores = 1, .steps = straight, .nsteps = 4};
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_TRUE(near(all.mthreads, 20.0 * 16 * 850 / 14));
	CU_ASSERT_TRUE(near(best.mthreads, all.mthreads));
	CU_ASSERT_EQUAL(all.bound, R600_alu);
	/* 4 addresses a cycle: 4 fetches take as long as 16 bundles. */
	straight[1].fetches = c.fetches = 4;
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_TRUE(near(all.mthreads, 20.0 * 4 * 850 / 4));
	CU_ASSERT_EQUAL(all.bound, R600_fetch);
	CU_ASSERT_EQUAL(best.bound, R600_fetch);
	/* Atomics are stores. */
	straight[2].stores = 6;
	c.stores = 4;
	c.atomics = 2;
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_TRUE(near(all.mthreads, 20.0 * 4 * 850 / 6));
	CU_ASSERT_TRUE(near(best.mthreads, all.mthreads));
	CU_ASSERT_EQUAL(all.bound, R600_store);
	/* Nothing to do: no limit. */
	R600Step end = {.to = NO_STEP, .is_end = true};
	c = (R600Code){.steps = &end, .nsteps = 1};
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_TRUE(all.mthreads <= 0 && best.mthreads <= 0);
	arena_free(a);
}

/* The shortest way takes one side of an if/else, not none. */
static void shortest(void)
{
	Arena *a = arena_new();
	Device dev = device("hd5870", a);
	R600Rate best, all;
	R600Step both[] = {{.to = 2},
	                   {.bundles = 10, .to = NO_STEP},
	                   {.to = 4, .is_else = true},
	                   {.bundles = 6, .to = NO_STEP},
	                   {.bundles = 1, .to = NO_STEP},
	                   {.to = NO_STEP, .is_end = true},
	                   {.bundles = 100, .to = NO_STEP}};
	R600Code c = {.bundles = 117, .steps = both, .nsteps = COUNT(both)};
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_EQUAL(best.bundles, 7);
	CU_ASSERT_EQUAL(all.bundles, 117);
	CU_ASSERT_TRUE(near(best.mthreads, 20.0 * 16 * 850 / 7));
	both[3].bundles = 20;
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_EQUAL(best.bundles, 11);
	/* Without an else the jump skips it all. */
	both[2].is_else = false;
	both[2].to = NO_STEP;
	both[0].to = 4;
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_EQUAL(best.bundles, 1);
	/* Of ways with as many bundles, the one with fewer accesses. */
	R600Step loads[] = {{.to = 2}, {.fetches = 3, .to = NO_STEP}, {.to = NO_STEP, .is_end = true}};
	c = (R600Code){.fetches = 3, .steps = loads, .nsteps = COUNT(loads)};
	r600_rates(&dev, &c, &best, &all);
	CU_ASSERT_EQUAL(best.fetches, 0);
	CU_ASSERT_EQUAL(all.fetches, 3);
	arena_free(a);
}

/* ---- as machine code ---- */

/* A loop that lanes leave at different times, in a branch; LDS; every kind of wait. The debug lines
 * are those of IR instructions: 1 to 9 of block 0, 10 to 19 of block 1, … */
static const char structured[] =
	"\t.long\t166100\n"
	"\t.long\t4\n"
	"k:\n"
	"\t.loc\t1 1 0\n"
	"\tALU 2, @20, KC0[], KC1[]\n"                      /* 0 */
	"\tTEX 0 @16\n"                                     /* 1 */
	"\tALU_PUSH_BEFORE 0, @23, KC0[], KC1[]\n"          /* 2 */
	"\tJUMP @11 POP:1\n"                                /* 3 */
	"\tLOOP_START_DX10 @9\n"                            /* 4 */
	"\tALU_PUSH_BEFORE 1, @24, KC0[], KC1[]\n"          /* 5 */
	"\tJUMP @9 POP:1\n"                                 /* 6 */
	"\tLOOP_BREAK @9\n"                                 /* 7 */
	"\tPOP @9 POP:1\n"                                  /* 8 */
	"\tEND_LOOP @5\n"                                   /* 9 */
	"\tALU_POP_AFTER 4, @26, KC0[], KC1[]\n"            /* 10 */
	"\tTEX 0 @18\n"                                     /* 11 */
	"\t.loc\t1 31 0\n"
	"\tMEM_RAT_CACHELESS STORE_RAW T0.X, T1.X, 1\n"     /* 12 */
	"\tCF_END\n"                                        /* 13 */
	"\tFetch clause starting at 16:\n"
	"\t.loc\t1 2 0\n"
	"\t  VTX_READ_32 T0.X, T0.X, 0, #1\n"
	"\tFetch clause starting at 18:\n"
	"\t.loc\t1 30 0\n"
	"\t  VTX_READ_32 T1.X, T1.X, 0, #1\n"
	"\tALU clause starting at 20:\n"
	"\t.loc\t1 3 0\n"
	"\t  ADD_INT   T0.X, T0.X, 1,  \n"
	"\t.loc\t1 0 0\n"
	"\t  ADD_INT * T1.X, T0.Y, 1,  \n"
	"\t  ADD_INT * T2.X, T0.Y, 1,  \n" /* of no IR instruction */
	"\tALU clause starting at 23:\n"
	"\t.loc\t1 4 0\n"
	"\t  PRED_SETE_INT * ExecMask, T0.X, 0.0,  \n"
	"\tALU clause starting at 24:\n"
	"\t.loc\t1 12 0\n"
	"\t  ADD_INT * T0.Y, T0.Y, 1,  \n"
	"\t  PRED_SETNE_INT * ExecMask, T0.Y, 0.0,  \n"
	"\tALU clause starting at 26:\n"
	"\t.loc\t1 21 0\n"
	"\t  LDS_READ_RET * OQAP, T0.Y\n"
	"\t  LDS_CMPST* T0.Y, T0.X, T0.Z\n"
	"\t  LDS_USHORT_READ_RET * OQAP, T0.X\n"
	"\t  MOV * T0.X, OQAP,  \n"
	"\t  MOV * T0.Y, OQAP,  \n"
	".Lfunc_end0:\n";

typedef struct Machine {
	Read r;
	MachineCode c;
} Machine;

static Machine machine_of(const char *text)
{
	enum { PER_BLOCK = 10, PLACES = 40 };
	Machine m = {.r = {.a = arena_new(), .c = {.cpu = "cypress", .listing = true}}};
	u32 block_of[PLACES];
	for (u32 i = 0; i < PLACES; i++)
		block_of[i] = (i + 1) / PER_BLOCK;
	m.c.nplaces = PLACES;
	m.c.nir_blocks = PLACES / PER_BLOCK + 1;
	Assembly in = {"k", text, block_of, m.r.a};
	m.r.ok = backends[BACKEND_r600].read(&in, &m.c, &m.r.c);
	return m;
}

static void machine_free(Machine *m)
{
	array_free(&m->c.ins);
	array_free(&m->c.blocks);
	array_free(&m->c.edges);
	arena_free(m->r.a);
}

static void blocks(void)
{
	Machine m = machine_of(structured);
	CU_ASSERT_TRUE_FATAL(m.r.ok);
	/* Steps 0 to 3, 4, 5 and 6, 7, 8, 9, 10, and from where the jump leads. */
	static const struct {
		u32 ir_block, same, nedges, edge[2];
	} rows[] = {{0, 0, 2, {1, 7}},      {NO_IR, 0, 1, {2}},    {1, 0, 2, {3, 5}},
	            {NO_IR, 0, 2, {4, 6}},  {NO_IR, 0, 1, {5}},    {NO_IR, 0, 1, {2}},
	            {2, 2, 1, {7}},         {3, 1, 0, {0}}}; /* who breaks out may come from anywhere */
	CU_ASSERT_EQUAL_FATAL(m.c.blocks.n, COUNT(rows));
	for (u32 i = 0; i < COUNT(rows); i++) {
		const MachineBlock *b = &m.c.blocks.v[i];
		CU_ASSERT_EQUAL(b->ir_block, rows[i].ir_block);
		CU_ASSERT_EQUAL(b->same, rows[i].same);
		CU_ASSERT_EQUAL_FATAL(b->nedges, rows[i].nedges);
		for (u32 k = 0; k < b->nedges; k++)
			CU_ASSERT_EQUAL(m.c.edges.v[b->first_edge + k], rows[i].edge[k]);
	}
	CU_ASSERT_EQUAL(m.c.total_vgprs, 4);
	machine_free(&m);
}

static void instructions(void)
{
	Machine m = machine_of(structured);
	const u8 none = NO_WAIT;
	static const struct {
		MachineClass cls;
		u32 ir;
		bool control;
		u8 dep, vm, lgkm;
	} rows[] = {
		{MC_branch, 0, true, 0, none, none}, /* a clause */
		{MC_valu, 2, false, 0, none, none},
		{MC_valu, NO_IR, false, 1, none, none}, /* only every other time */
		{MC_branch, 0, true, 0, none, none},
		{MC_vmem_load, 1, false, 0, none, none},
		{MC_branch, 0, true, 0, 0, none}, /* waits for what was fetched */
		{MC_valu, 3, false, 0, none, none},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		const MachineIns *x = &m.c.ins.v[i];
		CU_ASSERT_EQUAL(x->cls, rows[i].cls);
		CU_ASSERT_EQUAL(x->ir, rows[i].ir);
		CU_ASSERT_EQUAL(x->control, rows[i].control);
		CU_ASSERT_EQUAL(x->dep, rows[i].dep);
		CU_ASSERT_EQUAL(x->vm, rows[i].vm);
		CU_ASSERT_EQUAL(x->lgkm, rows[i].lgkm);
	}
	const MachineBlock *b = &m.c.blocks.v[6]; /* the one with LDS: results come in the order of the reads */
	static const MachineClass lds[] = {MC_branch, MC_valu,       MC_lds_read, MC_valu, MC_lds_atomic,
	                                   MC_valu,   MC_lds_read, MC_valu,     MC_valu};
	static const u8 lds_dep[] = {0, 0, 0, 2, 0, 2, 0, 2, 1}, lds_wait[] = {none, none, none, none, none,
	                                                                       none, none, 2,    0};
	CU_ASSERT_EQUAL_FATAL(b->n, COUNT(lds));
	for (u32 i = 0; i < b->n; i++) {
		const MachineIns *x = &m.c.ins.v[b->first + i];
		CU_ASSERT_EQUAL(x->cls, lds[i]);
		CU_ASSERT_EQUAL(x->dep, lds_dep[i]);
		CU_ASSERT_EQUAL(x->lgkm, lds_wait[i]);
	}
	CU_ASSERT_EQUAL(m.c.ins.v[b->first + 6].bytes, 2);
	/* Behind its fetch, the store is control flow itself. */
	const MachineIns *store = &m.c.ins.v[m.c.ins.n - 2];
	CU_ASSERT_EQUAL(store->cls, MC_vmem_store);
	CU_ASSERT_EQUAL(store->ir, 30);
	CU_ASSERT_TRUE(store->control);
	CU_ASSERT_EQUAL(store->vm, 0);
	machine_free(&m);
}

/* Whatever it is made of, it hangs together. */
static void damaged_machine(void)
{
	static const char bytes[] = "\n\t @:*,.0123456789TPSXW-";
	u32 x = 4711;
	for (u32 round = 0; round < 20000; round++) {
		char text[sizeof structured];
		memcpy(text, structured, sizeof text);
		for (u32 k = 0; k <= round % 4; k++) {
			x = x * 1664525 + 1013904223;
			text[(x >> 8) % (sizeof text - 1)] = bytes[(x >> 3) % (sizeof bytes - 1)];
		}
		Machine m = machine_of(text);
		u32 next = 0;
		for (u32 i = 0; i < m.c.blocks.n; i++) {
			const MachineBlock *b = &m.c.blocks.v[i];
			bool edges = b->first_edge + b->nedges <= m.c.edges.n;
			CU_ASSERT_TRUE(edges && b->first == next && b->same <= i);
			CU_ASSERT_TRUE(b->ir_block == NO_IR || b->ir_block < m.c.nir_blocks);
			next += b->n;
		}
		CU_ASSERT_EQUAL(next, m.c.ins.n);
		for (u32 i = 0; i < m.c.edges.n; i++)
			CU_ASSERT_TRUE(m.c.edges.v[i] < m.c.blocks.n);
		for (u32 i = 0; i < m.c.ins.n; i++)
			CU_ASSERT_TRUE(m.c.ins.v[i].ir == NO_IR || m.c.ins.v[i].ir < m.c.nplaces);
		machine_free(&m);
	}
}

/* A branch, a loop that lanes leave, a result of some lanes, a register that is chosen by a number. */
static const char values[] =
	"\t.long\t166100\n"
	"\t.long\t10\n"
	"k:\n"
	"\t.loc\t1 1 0\n"
	"\tALU_PUSH_BEFORE 2, @20, KC0[], KC1[]\n" /* 0 */
	"\tJUMP @3 POP:1\n"                        /* 1 */
	"\tALU_POP_AFTER 1, @23, KC0[], KC1[]\n"   /* 2 */
	"\tLOOP_START_DX10 @8\n"                   /* 3 */
	"\tALU_PUSH_BEFORE 2, @25, KC0[], KC1[]\n" /* 4 */
	"\tJUMP @7 POP:1\n"                        /* 5 */
	"\tLOOP_BREAK @8\n"                        /* 6 */
	"\tALU 0, @28, KC0[], KC1[]\n"             /* 7 */
	"\tEND_LOOP @4\n"                          /* 8 */
	"\tALU 4, @29, KC0[], KC1[]\n"             /* 9 */
	"\tMEM_RAT_CACHELESS STORE_RAW T5.XY, T0.Y, 1\n" /* 10 */
	"\tCF_END\n"                               /* 11 */
	"\tALU clause starting at 20:\n"
	"\t  ADD_INT   T2.X, T0.X, 1,  \n"
	"\t  ADD_INT * T3.Y, T0.X, T1.X,  \n"
	"\t  PRED_SETE_INT * ExecMask,PredicateBit (MASKED), T0.X, 0.0,  \n"
	"\tALU clause starting at 23:\n"
	"\t  ADD_INT * T4.X, T3.Y, 1,  \n"
	"\t  MOV * T2.X, T4.X,  \n"
	"\tALU clause starting at 25:\n"
	"\t  ADD_INT * T3.Y, T3.Y, 1,  \n"
	"\t  MOV * T6.X, T3.Y,  \n"
	"\t  PRED_SETE_INT * ExecMask,PredicateBit (MASKED), T3.Y, 0.0,  \n"
	"\tALU clause starting at 28:\n"
	"\t  MOV * T6.X, T2.X,  \n"
	"\tALU clause starting at 29:\n"
	"\t  MOV * T5.X, T6.X,  \n"
	"\t  MOV * T5.X, T2.X, Pred_sel_one\n"
	"\t  MOV * T5.Y, T(0 + AR.x).X+,  \n"
	"\t  MOV * T(8 + AR.x).Z+, T5.X,  \n"
	"\t  ADD_INT * T5.Y, T5.Y, T(9 + AR.x).Z+,  \n"
	".Lfunc_end0:\n";

static void live_registers(void)
{
	Machine m = machine_of(values);
	CU_ASSERT_TRUE_FATAL(m.r.ok && m.c.live);
	/* Through T(…).X every .X that may have been written is needed until then: T0, T1, T2, later T4 and T6. */
	static const u8 rows[] = {
		2, 4, 4,    /* the clause, two slots that read before they write, the predicate: T0 to T3 */
		4,          /* JUMP */
		4, 5, 5,    /* lanes that jumped still need their T2 */
		5,          /* LOOP_START */
		6, 6, 6, 6, /* in the loop those that left keep their T6 */
		6, 6, 6, 6, /* JUMP, LOOP_BREAK, a clause and its slot */
		6,          /* END_LOOP */
		5, 6, 6, 6, /* T3 has no further use; T5 */
		3, 3,       /* one of T8 and T9 is written, but only from T9 on it is read */
		2, 0,       /* the store */
	};
	CU_ASSERT_EQUAL_FATAL(m.c.ins.n, COUNT(rows));
	for (u32 i = 0; i < COUNT(rows); i++)
		CU_ASSERT_EQUAL(m.c.ins.v[i].live_vgprs, rows[i]);
	machine_free(&m);
}

/* A text that nobody understands makes no code. */
static void no_machine(void)
{
	Machine m = machine_of("nonsense");
	CU_ASSERT_FALSE(m.r.ok);
	CU_ASSERT_EQUAL(m.c.ins.n, 0);
	machine_free(&m);
}

static void reasons(void)
{
	static const char *const rows[][2] = { /* of r600 */
		{"Cannot select: 0x55: i32,ch = AtomicLoadOr<(y)>\n more",
	         "its r600 back end has no instruction for AtomicLoadOr"},
		{"Cannot select: 0x5: i32 = addrspacecast[5 -> 0] 0x7",
	         "its r600 back end has no instruction for addrspacecast"},
		{"Cannot select: intrinsic %llvm.amdgcn.sin",
	         "its r600 back end has no instruction for intrinsic %llvm.amdgcn.sin"},
		{"unsupported call to function ",
	         "its r600 back end has no instructions for an operation, as for those of double"},
		{"unsupported call to function middle", "unsupported call to function middle"},
		{"at 0x7ffe1234 all is lost", "at"},
		{"ran out of registers \n", "ran out of registers"},
	};
	Arena *a = arena_new();
	for (u32 i = 0; i < COUNT(rows); i++)
		CU_ASSERT_STRING_EQUAL(backend_reason(&backends[BACKEND_r600], rows[i][0], a), rows[i][1]);
	const Backend *gcn = &backends[BACKEND_amdgcn];
	CU_ASSERT_STRING_EQUAL(backend_reason(gcn, "Cannot select: 0x1: f32 = wave<1>", a),
	                       "its amdgcn back end has no instruction for wave");
	CU_ASSERT_STRING_EQUAL(
		backend_reason(gcn, "unsupported libcall legalization", a),
		"its amdgcn back end has no instructions for an operation, as for a division of 128-bit integers");
	arena_free(a);
}

void suite_r600(void);
void suite_r600(void)
{
	CU_pSuite s = CU_add_suite("r600", NULL, NULL);
	CU_add_test(s, "facts of an assembly", reads_facts);
	CU_add_test(s, "four slots", four_slots);
	CU_add_test(s, "refused texts", refuses);
	CU_add_test(s, "cut off at every place", cut_off);
	CU_add_test(s, "damaged texts", damaged);
	CU_add_test(s, "rates", rates);
	CU_add_test(s, "the shortest way", shortest);
	CU_add_test(s, "blocks of machine code", blocks);
	CU_add_test(s, "instructions of machine code", instructions);
	CU_add_test(s, "damaged machine code", damaged_machine);
	CU_add_test(s, "live registers", live_registers);
	CU_add_test(s, "no machine code", no_machine);
	CU_add_test(s, "reasons", reasons);
}
