/* Random programs on the wave machine and, work-item by work-item, on the scalar
 * interpreter: both must leave the same bytes in every buffer. Widths below, at and
 * above the work-group's size, groups that do not fill their last wavefront. */
#include "models/device/lds_rule.h"
#include "sim/sim.h"
#include "tests/unit/random_program.h"
#include "tests/unit/scalar_oracle.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

void suite_oracle(void);

enum {
	GROUPS = 2,
	ITEMS = GROUPS * RANDOM_LOCAL,
	OUT_BYTES = ITEMS * RANDOM_OUT_BYTES,
	MAX_STEPS = 200000
};

/* The buffers of one run. */
typedef struct Bytes {
	u8 out[OUT_BYTES], in[RANDOM_IN_BYTES], sums[RANDOM_SUMS_BYTES];
} Bytes;

enum { N = 5 };

static void fill(Bytes *b, u64 seed)
{
	u64 rng = seed * 2 + 1;
	memset(b, 0, sizeof *b);
	for (u32 i = 0; i < RANDOM_IN_BYTES; i++)
		b->in[i] = (u8)(random_next(&rng) >> 40);
}

static bool by_oracle(const Program *p, Bytes *b, u32 local)
{
	OracleSeg buffers[] = {
	    {b->out, sizeof b->out}, {b->in, sizeof b->in}, {b->sums, sizeof b->sums}};
	OracleMemory *m = oracle_memory_new(p, buffers, COUNT(buffers));
	u128 params[4] = {oracle_buffer_address(m, 0), oracle_buffer_address(m, 1), N,
			  oracle_buffer_address(m, 2)};
	bool ok = true;
	for (u32 g = 0; g < GROUPS; g++) {
		for (u32 l = 0; l < local && ok; l++) {
			OracleItem item = {.local_id = {l},
					   .group_id = {g},
					   .params = params,
					   .max_steps = MAX_STEPS};
			oracle_memory_clear(m, SPACE_PRIVATE);
			ok = oracle_run(p, m, &item) == ORACLE_OK && !item.faults;
		}
	}
	oracle_memory_free(m);
	return ok;
}

static bool by_machine(const Program *p, Bytes *b, u32 local, u32 wave, u32 threads)
{
	SimBuffer buffers[] = {
	    {.data = b->out,
	     .size = sizeof b->out,
	     .name = "out",
	     .readable = true,
	     .writable = true},
	    {.data = b->in, .size = sizeof b->in, .name = "in", .readable = true, .writable = true},
	    {.data = b->sums,
	     .size = sizeof b->sums,
	     .name = "sums",
	     .readable = true,
	     .writable = true},
	};
	u32 n = N;
	SimArg args[] = {{.kind = SIM_BUFFER, .buffer = 0},
			 {.kind = SIM_BUFFER, .buffer = 1},
			 {.kind = SIM_VALUE, .bytes = &n, .size = sizeof n},
			 {.kind = SIM_BUFFER, .buffer = 2}};
	SimLaunch launch = {.dims = 1,
			    .global = {GROUPS * local, 1, 1},
			    .local = {local, 1, 1},
			    .args = args,
			    .buffers = buffers,
			    .nbuffers = COUNT(buffers)};
	SimConfig cfg = {.wave = wave, .line_bytes = 64, .threads = threads, .max_lds = 65536};
	Diag d;
	Buf m = {0};
	diag_init(&d);
	lds_rule(&cfg.lds, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, wave, 32);
	Profile *prof = sim_run(p, &launch, &cfg, &d);
	diag_print(&d, &m);
	bool ok = prof && !prof->stopped;
	for (u32 i = 0; prof && i < prof->findings.n; i++) {
		FindingKind k = prof->findings.v[i].kind;
		if (k != FINDING_division_by_zero && k != FINDING_division_overflow &&
		    k != FINDING_misaligned) {
			buf_printf(&m, "finding %s at instruction %u\n", finding_name[k],
				   prof->findings.v[i].ins);
			ok = false;
		}
	}
	if (m.n)
		fprintf(stderr, "%s", m.v);
	array_free(&m);
	diag_free(&d);
	profile_free(prof);
	return ok;
}

static void differs(const Bytes *got, const Bytes *want, u64 seed, u32 local, u32 wave)
{
	fprintf(stderr, "seed %llu, local %u, wave %u: ", (unsigned long long)seed, local, wave);
	for (u32 i = 0; i < OUT_BYTES; i++) {
		if (got->out[i] != want->out[i]) {
			fprintf(stderr, "out, work-item %u, byte %u: %02x, not %02x\n",
				i / RANDOM_OUT_BYTES, i % RANDOM_OUT_BYTES, got->out[i],
				want->out[i]);
			return;
		}
	}
	fprintf(stderr, "sums\n");
}

static bool one(u64 seed, const RandomShape *shape, u32 local)
{
	static const u32 waves[] = {64, 16, 100, 128, 1};
	Bytes *want = xmalloc(sizeof *want), *got = xmalloc(sizeof *got);
	Program *p = random_program(seed, shape);
	Diag d;
	diag_init(&d);
	bool ok = program_verify(p, &d);
	fill(want, seed);
	ok = ok && by_oracle(p, want, local);
	if (!ok)
		fprintf(stderr, "seed %llu: the program itself is wrong\n",
			(unsigned long long)seed);
	for (u32 i = 0; i < COUNT(waves) && ok; i++) {
		if (waves[i] == 1 && seed % 8)
			continue;
		fill(got, seed);
		ok = by_machine(p, got, local, waves[i], 1 + (u32)(seed & 1));
		bool same = !memcmp(got, want, sizeof *got);
		if (!ok || !same)
			differs(got, want, seed, local, waves[i]);
		ok = ok && same;
	}
	program_free(p);
	diag_free(&d);
	free(want);
	free(got);
	return ok;
}

static void straight(void)
{
	static const RandomShape shape = {.statements = 60};
	for (u64 seed = 0; seed < 60; seed++)
		CU_ASSERT_TRUE(one(seed, &shape, 64));
}

static void structured(void)
{
	static const RandomShape shape = {.statements = 40, .depth = 4, .barriers = true};
	for (u64 seed = 1000; seed < 1100; seed++)
		CU_ASSERT_TRUE(one(seed, &shape, 40));
}

static void everything(void)
{
	static const RandomShape shape = {
	    .statements = 60, .depth = 4, .functions = 3, .irreducible = true, .barriers = true};
	for (u64 seed = 2000; seed < 2200; seed++)
		CU_ASSERT_TRUE(one(seed, &shape, seed & 1 ? 64 : 33));
}

void suite_oracle(void)
{
	CU_pSuite s = CU_add_suite("oracle", NULL, NULL);
	CU_add_test(s, "straight lines", straight);
	CU_add_test(s, "structured programs", structured);
	CU_add_test(s, "calls and irreducible regions", everything);
}
