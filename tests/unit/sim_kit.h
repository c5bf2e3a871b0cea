/* Small wave programs in text form, run on the machine: for tests of what lanes do and of what is found. */
#ifndef WAVESIM_TESTS_SIM_KIT_H
#define WAVESIM_TESTS_SIM_KIT_H

#include "models/device/lds_rule.h"
#include "sim/sim.h"
#include "tests/unit/wave_text.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

typedef struct Bench {
	Program *p;
	Profile *prof;
	ProfileTotals t;
	u32 out[4096];
	Diag d;
} Bench;

/* Run text with one buffer of n zeroed dwords as argument 0 and a scalar as argument 1. */
static inline void run_with(Bench *b, const char *text, const u64 global[3], const u64 local[3], u32 scalar,
                            SimConfig cfg)
{
	memset(b, 0, sizeof *b);
	diag_init(&b->d);
	b->p = program_parse("test.wave", text, &b->d);
	if (!b->p) {
		Buf m = {0};
		diag_print(&b->d, &m);
		CU_FAIL(m.v);
		fprintf(stderr, "%s", m.v);
		return;
	}
	SimBuffer buffer = {
	    .data = (u8 *)b->out, .size = sizeof b->out, .name = "out", .readable = true, .writable = true};
	SimArg args[2] = {{.kind = SIM_BUFFER, .buffer = 0}, {.kind = SIM_VALUE, .bytes = &scalar, .size = 4}};
	SimLaunch l = {.dims = 3, .args = args, .buffers = &buffer, .nbuffers = 1};
	memcpy(l.global, global, sizeof l.global);
	memcpy(l.local, local, sizeof l.local);
	cfg.line_bytes = 64;
	cfg.wave_prof_limit = 1000;
	lds_rule(&cfg.lds, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, cfg.wave, 32);
	b->prof = sim_run(b->p, &l, &cfg, &b->d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(b->prof);
	profile_totals(b->p, b->prof, &b->t);
}

static inline void run_dims(Bench *b, const char *text, u32 wave, const u64 global[3], const u64 local[3],
                     u32 scalar, u32 threads, u64 limit)
{
	run_with(b, text, global, local, scalar,
	         (SimConfig){.wave = wave, .threads = threads, .max_instructions = limit, .counts_slow = true});
}

static inline void run(Bench *b, const char *text, u32 wave, u32 items, u32 local, u32 scalar)
{
	run_dims(b, text, wave, (u64[3]){items, 1, 1}, (u64[3]){local, 1, 1}, scalar, 1, 100000);
}

static inline void done(Bench *b)
{
	if (b->prof->work_items == b->prof->waves * b->prof->wave) /* all idle lanes were sent away */
		CU_ASSERT_EQUAL(b->t.ends.lost, b->t.wave_instructions * b->prof->wave - b->t.active_lanes);
	profile_free(b->prof);
	program_free(b->p);
	diag_free(&b->d);
}

static inline const Finding *finding(const Bench *b, FindingKind kind)
{
	for (u32 i = 0; i < b->prof->findings.n; i++)
		if (b->prof->findings.v[i].kind == kind)
			return &b->prof->findings.v[i];
	return NULL;
}

#endif
