/* Build a kernel with its machine code and run it: for tests of both. */
#ifndef WAVESIM_TESTS_MACHINE_KIT_H
#define WAVESIM_TESTS_MACHINE_KIT_H

#include "frontend/frontend.h"
#include "models/device/lds_rule.h"
#include "models/timing/machine.h"
#include "sim/sim.h"

#include <CUnit/CUnit.h>

typedef struct Built {
	Fe *fe;
	Program *p;
	const MachineCode *c;
} Built;

static inline Built build_options(const FeOptions *o)
{
	Diag d;
	diag_init(&d);
	Built b = {.fe = fe_compile(o, &d)};
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.fe);
	b.p = fe_program(b.fe);
	b.c = fe_machine(b.fe);
	CU_ASSERT_PTR_NOT_NULL_FATAL(b.c);
	diag_free(&d);
	return b;
}

static inline Built build_text(const char *text, const char *cpu, u32 wave)
{
	return build_options(&(FeOptions){.path = "k.cl", .source = text, .cpu = cpu, .machine = true, .wave = wave});
}

static inline void built_free(Built *b)
{
	program_free(b->p);
	fe_close(b->fe);
}

/* Counts of a run: two wavefronts of 64. */
enum { ITEMS = 128, WAVES = 2, ELEMENTS = 1024 };

/* value: of the argument n, or of every element of a second buffer. */
static inline const MachineRun *count(Built *b, i32 value, Arena *a)
{
	static i32 data[2][ELEMENTS];
	for (u32 i = 0; i < ELEMENTS; i++) {
		data[0][i] = (i32)i;
		data[1][i] = value;
	}
	SimBuffer buffers[2] = {{(u8 *)data[0], sizeof data[0], "o", true, true, false, false, {0}, {0}},
	                        {(u8 *)data[1], sizeof data[1], "a", true, true, false, false, {0}, {0}}};
	SimArg args[2] = {{.kind = SIM_BUFFER}, {.kind = SIM_VALUE, .bytes = &value, .size = 4}};
	if (b->p->args.n > 1 && b->p->args.v[1].kind == ARG_GLOBAL)
		args[1] = (SimArg){.kind = SIM_BUFFER, .buffer = 1};
	SimLaunch l = {.dims = 1, .global = {ITEMS, 1, 1}, .local = {64, 1, 1}, .args = args,
	               .buffers = buffers, .nbuffers = 2};
	SimConfig cfg = {.wave = 64, .line_bytes = 64, .threads = 1, .max_lds = 65536};
	lds_rule(&cfg.lds, (LdsChip){LDS_FAMILY_gcn, LDS_PAIRS_crossed, 64, 32}, 64, 32);
	Diag d;
	diag_init(&d);
	Profile *prof = sim_run(b->p, &l, &cfg, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(prof);
	CU_ASSERT_EQUAL(prof->waves, WAVES);
	const MachineRun *r = machine_run(b->c, b->p, prof, a);
	profile_free(prof);
	diag_free(&d);
	return r;
}

#endif
