/* The timing model: LDS instructions against measured issue rates, and what must hold for any
 * kernel: more conflicts, more divergence, fewer wavefronts, less bandwidth, a lower clock never
 * make the estimate shorter, and twice the work takes about twice the time. */
#include "frontend/frontend.h"
#include "models/timing/estimate.h"
#include "models/timing/cost_edit.h"
#include "models/timing/cost_ops.h"
#include "engine/advice.h"
#include "models/timing/lds_time.h"
#include "sim/sim.h"
#include "tests/unit/device_kit.h"

#include <CUnit/CUnit.h>
#include <math.h>

/* ---- private memory ---- */

/* Cycles from the last store of a frame of so many dwords until the first is back. */
static double back(const Device *dev, u32 dwords, Arena *a)
{
	MemoryInput in = {
	    .dev = dev, .l1_bytes = dev->l1_bytes, .cus = 1, .wave = 64, .dies = 1, .share = 0.25, .new_lines = 0.1, .own = 1,
	    .new_below = 1};
	MemoryModel *m = memory_new(&in, a);
	for (u32 i = 0; i < dwords; i++)
		memory_scratch(m, 0, i * 1000.0, (u64)i * 256, 4, 64, true);
	double now = dwords * 1000.0, done = memory_scratch(m, 0, now, 0, 4, 64, false).done;
	memory_free(m);
	return done - now;
}

/* What was spilled comes from L2 while that holds it, and else from DRAM, whatever work-groups share of their buffers;
 * lanes that are not there move nothing. */
static void private_memory(void)
{
	Arena *a = arena_new();
	Device dev = device("mi50", a);
	double near = back(&dev, 64, a), far = back(&dev, dev.l2_bytes / 256, a);
	CU_ASSERT_TRUE(near >= dev.l2_latency && near < dev.dram_latency);
	CU_ASSERT_TRUE(far >= dev.dram_latency);
	MemoryInput in = {
	    .dev = &dev, .l1_bytes = dev.l1_bytes, .cus = 1, .wave = 64, .dies = 1, .share = 1, .new_lines = 1, .own = 1,
	    .new_below = 1};
	MemoryModel *m = memory_new(&in, a);
	memory_scratch(m, 0, 0, 0, 8, 16, true);
	CU_ASSERT_EQUAL(memory_busy(m)->level[LEVEL_dram].bytes, 2 * 16 * 4);
	memory_free(m);
	arena_free(a);
}

/* ---- one LDS instruction ---- */

typedef struct LdsCase {
	u32 bytes;
	bool pair, write, atomic;
	u32 stride; /* bytes between lanes */
	u32 cycles;
} LdsCase;

static LdsTime lds_case(LdsTimes *t, const LdsCase *c, LaneShape *shape, i64 *offset)
{
	LdsIns ins = {(u16)c->bytes, c->pair, (u16)(64 * c->stride)};
	for (u32 l = 0; l < 64; l++)
		offset[l] = (i64)l * c->stride;
	*shape = (LaneShape){.mask = mask_first(64), .bytes = c->pair ? c->bytes / 2 : c->bytes,
	                     .lanes = 64, .lds = true, .write = c->write, .atomic = c->atomic, .offset = offset};
	return lds_time(t, shape, 0, &ins, 1);
}

/* One wavefront alone (PYHIP, CLRX): the larger of port and banks. */
static void lds_alone(void)
{
	static const LdsCase rows[] = {
		{4, false, false, false, 4, 4},    {8, false, false, false, 8, 8},
		{8, true, false, false, 4, 8},     {16, false, false, false, 16, 16},
		{16, true, false, false, 8, 16},   {4, false, true, false, 4, 8},
		{8, false, true, false, 8, 12},    {16, false, true, false, 16, 20},
		{4, false, true, true, 4, 8},      {8, false, true, true, 8, 12},
		{4, false, false, false, 8, 4},    {4, false, false, false, 32, 16},
		{4, false, false, false, 128, 64}, {4, false, false, false, 0, 4},
		{4, false, true, true, 0, 64},
	};
	Arena *a = arena_new();
	Device dev = device("mi50", a);
	LdsRule rule;
	lds_rule(&rule, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 32);
	LdsTimes *t = lds_times_new(&dev, &rule, 64, a);
	for (u32 i = 0; i < COUNT(rows); i++) {
		LaneShape *shape = ARENA_NEW(a, LaneShape);
		LdsTime c = lds_case(t, &rows[i], shape, ARENA_ARRAY(a, i64, 64));
		CU_ASSERT_EQUAL(c.port > c.banks ? c.port : c.banks, rows[i].cycles);
	}
	arena_free(a);
}

/* The banks of a pair of reads are served as lds_rule.h says, in the crossed groups of GCN: tiles of rows of
 * 16 lanes, as the padded and unpadded convolutions on MI50 have them (models/README.md). */
static void lds_pairs(void)
{
	Arena *a = arena_new();
	Device dev = device("mi50", a);
	LdsRule rule;
	CU_ASSERT_TRUE(lds_rule(&rule, device_lds(&dev), 64, 32));
	LdsTimes *t = lds_times_new(&dev, &rule, 64, a);
	for (u32 pitch = 16; pitch <= 96; pitch += 2) {
		LaneShape *shape = ARENA_NEW(a, LaneShape);
		i64 *offset = ARENA_ARRAY(a, i64, 64);
		u32 addr[64];
		for (u32 l = 0; l < 64; l++) {
			offset[l] = (i64)(l / 16 * pitch + l % 16) * 4;
			addr[l] = (u32)offset[l];
		}
		*shape = (LaneShape){.mask = mask_first(64), .bytes = 4, .lanes = 64, .lds = true, .offset = offset};
		for (u16 step = 4; step <= 128; step += 4) {
			LdsIns ins = {8, true, step};
			LdsTime x = lds_time(t, shape, 8, &ins, 1);
			LdsCycles y = lds_cycles(&rule, &ins, &(LdsLanes){.mask = shape->mask, .addr = addr});
			CU_ASSERT_TRUE(x.banks == y.actual && x.ideal == y.ideal && x.ideal == 4 && x.port == 8);
		}
	}
	arena_free(a);
}

/* One warp alone: latency of an n-way conflict on H200 (H200KB: 30.0, 31.0, 91.0), and two cycles a
 * way as an Ada chip shows for four. */
static void nvidia_latency(void)
{
	static const struct {
		u32 way;
		double cycles;
	} rows[] = {{1, 30}, {2, 31}, {4, 36}, {32, 91}};
	Arena *a = arena_new();
	Device dev = device("h200", a);
	LdsRule rule;
	CU_ASSERT_TRUE(lds_rule(&rule, (LdsChip){LDS_FAMILY_nvidia, LDS_PAIRS_consecutive, 32, 32}, 32, 32));
	LdsTimes *t = lds_times_new(&dev, &rule, 32, a);
	for (u32 i = 0; i < COUNT(rows); i++) {
		i64 *offset = ARENA_ARRAY(a, i64, 32);
		for (u32 l = 0; l < 32; l++)
			offset[l] = (i64)l * 4 * rows[i].way;
		LaneShape *shape = ARENA_NEW(a, LaneShape);
		*shape = (LaneShape){.mask = mask_first(32), .bytes = 4, .lanes = 32, .lds = true, .offset = offset};
		LdsTime c = lds_time(t, shape, 0, &(LdsIns){.bytes = 4}, 1);
		CU_ASSERT_EQUAL(c.banks, rows[i].way);
		double taking = dev.alu_latency; /* the address: measured with it */
		double latency = taking + dev.lds_latency + (c.banks - c.ideal) * dev.lds_way_latency;
		CU_ASSERT_TRUE(fabs(latency / rows[i].cycles - 1) < 0.1);
	}
	arena_free(a);
}

/* ---- whole launches ---- */

static const char source[] =
	"kernel void k(global float *o, global const float *a, int n, int m) {\n"
	"  local float t[2048]; int l = get_local_id(0), g = get_global_id(0);\n"
	"  for (int i = l; i < 2048; i += get_local_size(0)) t[i] = i;\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  float s = a[g];\n"
	"  for (int i = 0; i < 64; i++) s += t[(l * n + i) & 2047];\n"
	"  if ((l & 63) < m) for (int i = 0; i < 64; i++) s = s * s + 3.0f;\n"
	"  o[g] = s;\n"
	"}\n";

enum { LOCAL = 256, MOST_ITEMS = 1 << 19 };

typedef struct Launched {
	const char *device;
	const char *change; /* lines of a device file of one's own, or NULL */
	u32 items, stride, lanes;
	u32 lds;      /* bytes of a work-group when more than its own: fewer wavefronts */
	u32 wgps;
	u32 threads;
} Launched;

/* The kernel for each card, built once. */
static const char *const cards[] = {"mi50", "mi210", "rx6900xt", "h200"};
static Fe *built[COUNT(cards)];
static Program *programs[COUNT(cards)];

static void build(void)
{
	Arena *a = arena_new();
	for (u32 i = 0; i < COUNT(cards); i++) {
		Device dev = device(cards[i], a);
		Diag d;
		diag_init(&d);
		FeOptions o = {.path = "k.cl", .source = source, .cpu = dev.llvm_cpu,
		               .machine = dev.codegen == DEVICE_CODEGEN_amdgcn, .wave = dev.wave};
		built[i] = fe_compile(&o, &d);
		CU_ASSERT_PTR_NOT_NULL_FATAL(built[i]);
		programs[i] = fe_program(built[i]);
		diag_free(&d);
	}
	arena_free(a);
}

static void release(void)
{
	for (u32 i = 0; i < COUNT(cards); i++) {
		program_free(programs[i]);
		fe_close(built[i]);
	}
}

static u32 card(const char *name)
{
	u32 i = 0;
	while (strcmp(cards[i], name) != 0)
		i++;
	return i;
}

/* Spans lie in their wavefront's life, after each other. */
static void check_spans(const Timeline *t)
{
	double *last = xcalloc(t->lives.n + 1, sizeof *last);
	bool good = t->lives.n && t->spans.n && t->spans.n <= t->most_spans && t->until > 0;
	for (u32 i = 0; i < t->lives.n; i++)
		good &= t->lives.v[i].end >= t->lives.v[i].begin;
	for (u32 i = 0; i < t->spans.n && good; i++) {
		const TimingSpan *s = &t->spans.v[i];
		const TimingLife *l = &t->lives.v[s->life];
		good &= s->part < PART_COUNT && s->from >= l->begin - 1e-6 && s->to <= l->end + 1e-6 &&
		        s->from >= last[s->life] - 1e-6 && s->to >= s->from;
		last[s->life] = s->to;
	}
	CU_ASSERT_TRUE(good);
	free(last);
}

static double span_cycles(const Timeline *t)
{
	double sum = 0;
	for (u32 i = 0; i < t->spans.n; i++)
		sum += t->spans.v[i].to - t->spans.v[i].from;
	return sum;
}

/* … also when they are made coarser, and then cover as much. */
static void check_timeline(Timeline *t)
{
	check_spans(t);
	double before = span_cycles(t);
	u32 n = t->spans.n;
	timeline_coarsen(t, t->quantum > 32 ? t->quantum * 2 : 64);
	check_spans(t);
	CU_ASSERT_TRUE(t->spans.n <= n && span_cycles(t) >= before * 0.999);
	CU_ASSERT_TRUE(span_cycles(t) <= before * 1.5 + 64.0 * t->lives.n);
}

static void keep_access(void *ctx, u32 wave, const EventWord *w, LaneShape *s, i64 *offset, u64 *address)
{
	(void)ctx, (void)wave, (void)w, (void)s, (void)offset, (void)address;
}

/* No change, a copy of the record and one of the costs give the estimate again, to the last bit: what is played for its
 * time alone does what concerns one SIMD before its time. Half of the work-groups, with half of the lines, are no
 * slower. */
static void check_changes(const EstimateInput *in, const Estimate *e)
{
	Result r = {.estimate = e};
	Advisor a = {.r = &r, .base = *in, .plays = UINT64_MAX};
	Events *copy = events_with(&a, keep_access, NULL);
	CostEdit edit;
	cost_edit_begin(&edit, e->costs, in->program);
	Events *part = events_with(&a, keep_access, NULL);
	part->lines.touched /= 2;
	part->lines.in_windows /= 2;
	EstimateChange same = {.events = copy, .costs = &edit.costs};
	EstimateChange half = {.events = part, .ngroups = in->plan->ngroups / 2};
	CU_ASSERT_TRUE(estimate_changed(in, e, &(EstimateChange){0}).time_us == e->time_us);
	CU_ASSERT_TRUE(estimate_changed(in, e, &same).time_us == e->time_us);
	CU_ASSERT_TRUE(estimate_changed(in, e, &half).time_us <= 1.01 * e->time_us);
	u32 access, block = cost_edit_access(&edit, in->dev, MC_vmem_load, &access);
	const CostBlock *code = &edit.costs.blocks.v[edit.costs.first_block[block]];
	const CostIns *load = &edit.costs.ins.v[code->first];
	CU_ASSERT_TRUE(load[0].cls == MC_vmem_load && load[0].vm == NO_WAIT && load[0].lgkm == NO_WAIT);
	CU_ASSERT_TRUE(load[0].vs == NO_WAIT && load[1].cls == MC_waitcnt && !load[1].vm);
	cost_edit_free(&edit);
	events_free(copy);
	events_free(part);
}

/* A load of four elements and one of another buffer, a wait for the first and one for both, and what it was for. */
static void split_accesses(void)
{
	u32 access_of[] = {0, 2, 4, 6, 8}, first_block[] = {0, 1};
	CostIns ins[] = {
		{.cls = MC_vmem_load, .vm = NO_WAIT, .lgkm = NO_WAIT, .vs = NO_WAIT, .parts = 1, .first_access = 0, .naccess = 4},
		{.cls = MC_vmem_load, .vm = NO_WAIT, .lgkm = NO_WAIT, .vs = NO_WAIT, .parts = 1, .first_access = 4, .naccess = 1},
		{.cls = MC_waitcnt, .vm = 1, .lgkm = NO_WAIT, .vs = NO_WAIT, .parts = 1},
		{.cls = MC_valu, .vm = NO_WAIT, .lgkm = NO_WAIT, .vs = NO_WAIT, .parts = 1},
		{.cls = MC_waitcnt, .vm = 0, .lgkm = NO_WAIT, .vs = NO_WAIT, .parts = 1},
		{.cls = MC_vmem_store, .vm = NO_WAIT, .lgkm = NO_WAIT, .vs = NO_WAIT, .parts = 1, .dep = 2, .guard = 2,
		 .first_access = 0, .naccess = 2},
	};
	CostBlock block = {.n = 6, .rate = 1};
	Costs costs = {.source = "amdgpu", .naccesses = 10, .wave = 64, .first_block = first_block};
	costs.ins.v = ins, costs.ins.n = 6;
	costs.blocks.v = &block, costs.blocks.n = 1;
	costs.access_of.v = access_of, costs.access_of.n = 5;
	Arena *a = arena_new();
	Device mi50 = device("mi50", a);
	const Device *dev = &mi50;
	Program p = {.blocks = {.n = 1}};
	u8 kept[10] = {ADDRESS_KEPT}, moved[10] = {[0] = ADDRESS_MOVED, [2] = ADDRESS_MOVED, [4] = ADDRESS_MOVED,
	                                           [6] = ADDRESS_MOVED}, other[10] = {[8] = ADDRESS_INDEX};
	CostEdit e;
	cost_edit_begin(&e, &costs, &p);
	cost_edit_split(&e, dev, kept);
	CU_ASSERT_TRUE(e.costs.ins.n == 6 && e.costs.ins.v[2].vm == 1 && e.costs.ins.v[5].dep == 2);
	cost_edit_free(&e);
	cost_edit_begin(&e, &costs, &p);
	cost_edit_split(&e, dev, moved);
	const CostIns *x = e.costs.ins.v;
	CU_ASSERT_TRUE(e.costs.ins.n == 10 && e.costs.blocks.v[0].n == 10);
	for (u32 i = 0; i < 4; i++)
		CU_ASSERT_TRUE(x[i].cls == MC_vmem_load && x[i].naccess == 1 && x[i].first_access == i);
	CU_ASSERT_TRUE(x[4].first_access == 4 && x[5].cls == MC_waitcnt && x[5].vm == 1 && x[7].vm == 0);
	CU_ASSERT_TRUE(x[8].cls == MC_vmem_store && x[8].naccess == 1 && x[8].dep == 2 && x[9].dep == 3);
	CU_ASSERT_TRUE(x[8].guard == 2 && x[9].guard == 3);
	cost_edit_free(&e);
	/* The wait for the first load leaves one under way; address arithmetic comes before that one. */
	cost_edit_begin(&e, &costs, &p);
	cost_edit_split(&e, dev, other);
	u32 more = cost_address_ins(dev);
	x = e.costs.ins.v;
	CU_ASSERT_TRUE(more > 1 && e.costs.ins.n == 6 + more && x[1].cls == MC_valu && !x[1].dep && x[2].dep == 1);
	CU_ASSERT_TRUE(x[1 + more].cls == MC_vmem_load && x[1 + more].dep == 1 && x[2 + more].vm == 1);
	CU_ASSERT_TRUE(x[5 + more].dep == 2);
	cost_edit_free(&e);
	arena_free(a);
}

/* Of the wavefronts that a SIMD begins with, the end of the first over that of the last. */
static double ends(const Timeline *t)
{
	double first = t->until, last = 0;
	for (u32 i = 0; i < t->lives.n; i++) {
		const TimingLife *l = &t->lives.v[i];
		if (l->begin > 0 || l->simd)
			continue;
		first = l->end < first ? l->end : first;
		last = l->end > last ? l->end : last;
	}
	return first / last;
}

/* What came before the launch (EstimateInput), and what it then reads from DRAM. */
typedef struct Before {
	u64 copied, kept;
	bool not_copied;
	double reads; /* bytes */
} Before;

/* Microseconds; first_over_last: ends(), or NULL; before: NULL where caches are cold. */
static double played(const Launched *x, double *first_over_last, Before *before)
{
	Arena *a = arena_new();
	Device dev = device(x->device, a);
	Fe *fe = built[card(x->device)];
	const Program *p = programs[card(x->device)];
	Diag d;
	diag_init(&d);
	if (x->change) {
		char *text = arena_printf(a, "base = %s\n%s", x->device, x->change);
		CU_ASSERT_TRUE_FATAL(device_parse(&dev, "own", "own.ini", text, a, &d));
	}
	float *data[2] = {xcalloc(MOST_ITEMS, 4), xcalloc(MOST_ITEMS, 4)};
	SimBuffer buffers[2] = {{(u8 *)data[0], MOST_ITEMS * 4, "o", true, true, false, false, {0}, {0}},
	                        {(u8 *)data[1], MOST_ITEMS * 4, "a", true, true, false, false, {0}, {0}}};
	i32 n = (i32)x->stride, m = (i32)x->lanes;
	SimArg args[4] = {{.kind = SIM_BUFFER}, {.kind = SIM_BUFFER, .buffer = 1},
	                  {.kind = SIM_VALUE, .bytes = &n, .size = 4},
	                  {.kind = SIM_VALUE, .bytes = &m, .size = 4}};
	SimLaunch l = {.dims = 1, .global = {x->items, 1, 1}, .local = {LOCAL, 1, 1}, .args = args,
	               .buffers = buffers, .nbuffers = 2};
	const MachineCode *code = fe_machine(fe);
	OccInput use = {.vgprs = 32, .lds_bytes = x->lds ? x->lds : sim_lds_bytes(p, &l), .group_size = LOCAL};
	Occupancy occ;
	occupancy(&dev, &use, &occ);
	EstimatePlan plan;
	estimate_plan(&plan, &dev, &occ, x->items / LOCAL, x->wgps, 100, a);
	SimRecord record = {.groups = plan.groups, .ngroups = plan.ngroups_recorded, .words = plan.words};
	SimConfig cfg = {.wave = dev.wave, .line_bytes = dev.line_bytes, .fetch_bytes = dev.l2_fetch_bytes,
	                 .room_bytes = dev.l2_line_bytes, .threads = x->threads, .record = &record};
	lds_rule(&cfg.lds, device_lds(&dev), dev.wave, dev.lds_banks);
	Profile *prof = sim_run(p, &l, &cfg, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(prof);
	MachineRun *run = code && !code->missing ? machine_run(code, p, prof, a) : NULL;
	Timeline timeline = {.most_spans = 1 << 14};
	EstimateInput in = {.dev = &dev, .program = p, .profile = prof, .code = code, .run = run,
	                    .lds = &cfg.lds, .plan = &plan, .timeline = &timeline};
	if (before) {
		in.warm = true;
		in.copied_bytes = before->copied;
		in.kept_bytes = before->kept;
		in.not_copied = before->not_copied;
	}
	Estimate *e = estimate_run(&in, a);
	if (before)
		before->reads = e->level[LEVEL_dram].bytes - e->level[LEVEL_dram].written;
	if (first_over_last)
		*first_over_last = ends(&timeline);
	check_timeline(&timeline);
	timeline_free(&timeline);
	CU_ASSERT_PTR_NULL_FATAL(e->missing);
	if (!x->change) {
		in.timeline = NULL;
		check_changes(&in, e);
	}
	double us = e->time_us - e->launch_us, sum = e->tail;
	for (u32 i = 0; i < PART_COUNT; i++) {
		CU_ASSERT_TRUE(e->part[i] >= 0);
		sum += e->part[i];
	}
	CU_ASSERT_TRUE(fabs(sum - e->cycles) <= 1e-6 * e->cycles);
	CU_ASSERT_TRUE(e->low_us < e->time_us && e->time_us < e->high_us);
	profile_free(prof);
	diag_free(&d);
	free(data[0]);
	free(data[1]);
	arena_free(a);
	return us;
}

static double launched(const Launched *x) { return played(x, NULL, NULL); }

/* b must not be faster than a; a hundredth is rounding. */
static void not_faster(Launched a, Launched b)
{
	double x = launched(&a), y = launched(&b);
	CU_ASSERT_TRUE(y >= 0.99 * x);
	if (y < 0.99 * x)
		printf("%s: %g then %g us\n", a.device, x, y);
}

static void more_conflicts(void)
{
	for (u32 i = 0; i < COUNT(cards); i++)
		for (u32 s = 1; s < 32; s *= 4)
			not_faster((Launched){cards[i], NULL, 1 << 17, s, 64, 0, 1, 1},
			           (Launched){cards[i], NULL, 1 << 17, s * 4, 64, 0, 1, 1});
}

static void more_lanes(void)
{
	for (u32 i = 0; i < COUNT(cards); i++)
		for (u32 m = 0; m < 64; m += 32)
			not_faster((Launched){cards[i], NULL, 1 << 17, 1, m, 0, 1, 1},
			           (Launched){cards[i], NULL, 1 << 17, 1, m + 32, 0, 1, 1});
}

static void fewer_wavefronts(void)
{
	for (u32 i = 0; i < COUNT(cards); i++)
		not_faster((Launched){cards[i], NULL, 1 << 18, 1, 0, 0, 1, 1},
		           (Launched){cards[i], NULL, 1 << 18, 1, 0, 32768, 1, 1});
}

static void slower_devices(void)
{
	for (u32 i = 0; i < COUNT(cards); i++) {
		Launched x = {cards[i], NULL, 1 << 17, 1, 0, 0, 1, 1}, y = x;
		y.change = "[compute]\nclock_mhz = 500 ; A a test\nboost_mhz = 500 ; A a test\n";
		not_faster(x, y);
		y.change = "[memory]\ndram_mb_per_s = 20000 ; A a test\n";
		not_faster(x, y);
	}
}

#define SMALL_L2 "[memory]\nl2_bytes = 65536 ; A a test\n" /* what is written has to leave it */

/* What parts of a device file add: each makes the launch that meets it slower. */
static void costs_of_h200(void)
{
	static const struct {
		const char *change;
		u32 items, lanes;
		const char *before; /* what it is compared with, if not the file as it is */
	} rows[] = {
		{"[issue]\nbarrier_wave_cycles = 200 ; A a test\n", 1 << 10, 64, NULL},
		{"[issue]\npart_cycles = 200 ; A a test\n", 1 << 10, 40, NULL}, /* few: others would hide it */
		{"[issue]\nmeet_cycles = 200 ; A a test\n", 1 << 10, 40, NULL},
		{"[issue]\nbranch_past_cycles = 200 ; A a test\n", 1 << 10, 64, NULL},
		{"[issue]\nguard_latency = 200 ; A a test\n", 1 << 10, 64, NULL},
		{"[issue]\nalu_other_latency = 200 ; A a test\n", 1 << 10, 64, NULL},
		{"[compute]\ngroup_rate = 1 ; A a test\n", 1 << 17, 64, NULL},
		{"[compute]\ngroup_cycles = 20000 ; A a test\n", 1 << 19, 64, NULL},
		{"[issue]\ncycles_logic = 16 ; A a test\n", 1 << 17, 64, NULL},
		{"[memory]\nl2_least_bytes = 4096 ; A a test\n", 1 << 17, 0, NULL},
		{"[memory]\nl1_store_bytes = 1 ; A a test\n", 1 << 17, 0, NULL},
		{"[latency]\ndram_read_wait = 20000 ; A a test\n", 1 << 17, 0, NULL},
		{SMALL_L2 "[latency]\ndram_write_wait = 50000 ; A a test\n", 1 << 17, 0, SMALL_L2},
		{"[issue]\nmemory_issue = 60 ; A a test\n", 1 << 17, 0, NULL},
		{"[memory]\ndram_page_bytes = 64 ; A a test\ndram_least_bytes = 4096 ; A a test\n", 1 << 17, 0, NULL},
		/* code that is longer than both caches, then than the first */
		{"[memory]\nicache_simd_bytes = 128 ; A a test\nicache_bytes = 128 ; A a test\n", 1 << 10, 64, NULL},
		{"[memory]\nicache_simd_bytes = 128 ; A a test\nicache_cycles = 200 ; A a test\n", 1 << 10, 64, NULL},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Launched x = {"h200", NULL, rows[i].items, 1, rows[i].lanes, 0, 1, 1}, y = x;
		x.change = rows[i].before;
		y.change = rows[i].change;
		double before = launched(&x), after = launched(&y);
		CU_ASSERT_TRUE(after > 1.05 * before);
		if (after <= 1.05 * before)
			printf("row %u: %.2f, then %.2f\n", i, before, after);
	}
}

/* What L2 keeps of an equal launch depends on what came since: the copies twice, and of what the launch touches, four
 * megabytes, no more than was not copied. Where it is not known what came, twice that. */
static void kept_by_l2(void)
{
#define L2_OF(bytes) "[memory]\nl2_bytes = " #bytes " ; A a test\n"
	enum { ITEMS = 1 << 19 }; /* 4 bytes each are read, and 4 written */
	static const u64 whole = (u64)1 << 40;
	static const struct {
		const char *l2;
		Before before;
		double read; /* part of what is read */
	} rows[] = {
		{L2_OF(4194304), {.copied = 0}, 0},
		{L2_OF(4194304), {.copied = 1 << 20}, 0},
		{L2_OF(4194304), {.copied = 1 << 21}, 0.5},
		{L2_OF(4194304), {.copied = 1 << 22}, 1},
		{L2_OF(4194304), {.kept = whole}, 0.5},
		{L2_OF(4194304), {.copied = 1 << 20, .kept = 1 << 20}, 0.1},
		{L2_OF(4194304), {.not_copied = true}, 1},
		{L2_OF(8388608), {.not_copied = true, .copied = whole}, 0.5},
		{L2_OF(8388608), {.kept = whole}, 0},
	};
	for (u32 i = 0; i < COUNT(rows); i++) {
		Launched x = {"h200", rows[i].l2, ITEMS, 1, 64, 0, 8, 1};
		Before before = rows[i].before;
		played(&x, NULL, &before);
		double read = before.reads / (4.0 * ITEMS);
		CU_ASSERT_TRUE(fabs(read - rows[i].read) < 0.15);
		if (fabs(read - rows[i].read) >= 0.15)
			printf("row %u: %g of what is read\n", i, read);
	}
}

/* The oldest wavefront goes first: it ends long before the youngest. In turn they end together. */
static void order_of_issue(void)
{
	double oldest, turn;
	Launched x = {"mi50", NULL, 1 << 17, 1, 64, 0, 1, 1}, y = x;
	y.change = "[issue]\nissue_order = turn ; A a test\n";
	played(&x, &oldest, NULL);
	played(&y, &turn, NULL);
	CU_ASSERT_TRUE(oldest < 0.5);
	CU_ASSERT_TRUE(turn > 0.9);
}

/* A way in that holds several accesses is never without one while another wavefront computes. */
static void queue_before_lds(void)
{
	Launched x = {"h200", "[lds]\nlds_in_l1 = 0 ; A a test\nlds_queue = 1 ; A a test\n", 1 << 17, 8, 64, 0, 1, 1};
	Launched y = x;
	y.change = "[lds]\nlds_in_l1 = 0 ; A a test\n";
	CU_ASSERT_TRUE(launched(&y) < 0.99 * launched(&x));
}

/* Where local memory is a part of L1, one of the two returns data at a time. */
static void lds_in_l1(void)
{
	Launched x = {"h200", NULL, 1 << 17, 8, 64, 0, 1, 1}, y = x;
	y.change = "[lds]\nlds_in_l1 = 0 ; A a test\n";
	CU_ASSERT_TRUE(launched(&x) > 1.005 * launched(&y));
	y.change = "[lds]\nlds_in_l1 = 1 ; A a test\n";
	CU_ASSERT_EQUAL(launched(&x), launched(&y));
}

/* Four vector units at three ports are between those at four and those at one. */
static void uneven_ports(void)
{
	Launched four = {"h200", "[lds]\nlds_ports = 4 ; A a test\n", 1 << 17, 8, 64, 0, 1, 1}, three = four, one = four;
	three.change = "[lds]\nlds_ports = 3 ; A a test\n";
	one.change = "[lds]\nlds_ports = 1 ; A a test\n";
	not_faster(four, three);
	not_faster(three, one);
}

static void twice_the_groups(void)
{
	for (u32 i = 0; i < COUNT(cards); i++) {
		Launched x = {cards[i], NULL, MOST_ITEMS / 2, 1, 64, 0, 1, 1}, y = x;
		y.items *= 2;
		double ratio = launched(&y) / launched(&x);
		CU_ASSERT_TRUE(ratio > 1.7 && ratio < 2.3);
		if (ratio < 1.7 || ratio > 2.3)
			printf("%s: twice the groups take %g times as long\n", cards[i], ratio);
	}
}

/* How many compute units are played must not matter. */
static void units_played(void)
{
	for (u32 i = 0; i < COUNT(cards); i++) {
		Launched x = {cards[i], NULL, 1 << 18, 1, 64, 0, 1, 1}, y = x;
		y.wgps = 4;
		double ratio = launched(&y) / launched(&x);
		CU_ASSERT_TRUE(ratio > 0.8 && ratio < 1.25);
		if (ratio < 0.8 || ratio > 1.25)
			printf("%s: four units for one: %g\n", cards[i], ratio);
	}
}

/* The estimate is made of what ran, whoever ran it. */
static void any_threads(void)
{
	for (u32 i = 0; i < COUNT(cards); i++) {
		Launched x = {cards[i], NULL, 1 << 17, 3, 40, 0, 1, 1}, y = x;
		y.threads = 3;
		double one = launched(&x), three = launched(&y);
		CU_ASSERT_TRUE(!memcmp(&one, &three, sizeof one));
	}
}

void suite_timing(void);
void suite_timing(void)
{
	CU_pSuite s = CU_add_suite("timing", NULL, NULL);
	CU_add_test(s, "private memory is in the caches like any other", private_memory);
	CU_add_test(s, "LDS instructions take their cycles", lds_alone);
	CU_add_test(s, "pairs of LDS reads by their distance", lds_pairs);
	CU_add_test(s, "latency of conflicts on NVIDIA", nvidia_latency);
	CU_add_test(s, "accesses that go elsewhere", split_accesses);
	CU_add_test(s, "a kernel for four cards", build);
	CU_add_test(s, "more conflicts are not faster", more_conflicts);
	CU_add_test(s, "more lanes are not faster", more_lanes);
	CU_add_test(s, "fewer wavefronts are not faster", fewer_wavefronts);
	CU_add_test(s, "slower devices are not faster", slower_devices);
	CU_add_test(s, "parting, starting groups and the like cost time", costs_of_h200);
	CU_add_test(s, "what L2 keeps of the launch before", kept_by_l2);
	CU_add_test(s, "the oldest wavefront goes first", order_of_issue);
	CU_add_test(s, "a queue before local memory", queue_before_lds);
	CU_add_test(s, "local memory in L1", lds_in_l1);
	CU_add_test(s, "ports of local memory, unevenly shared", uneven_ports);
	CU_add_test(s, "twice the groups, twice the time", twice_the_groups);
	CU_add_test(s, "any number of units played", units_played);
	CU_add_test(s, "any number of threads", any_threads);
	CU_add_test(s, "the kernel is released", release);
}
