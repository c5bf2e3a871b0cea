/* The issue costs of a kernel: for tests of what operations become, of their order and of loops. */
#ifndef WAVESIM_TESTS_COST_KIT_H
#define WAVESIM_TESTS_COST_KIT_H

#include "frontend/frontend.h"
#include "models/timing/cost.h"
#include "tests/unit/device_kit.h"

#include <CUnit/CUnit.h>

typedef struct CostedKernel {
	Arena *arena;
	Fe *fe;
	Program *p;
	Costs *x;
} CostedKernel;

/* o: what is not the device's; change: lines of a device file of one's own, or NULL. */
static inline CostedKernel cost_with(const char *name, const char *change, FeOptions o)
{
	CostedKernel k = {.arena = arena_new()};
	Device dev = device(name, k.arena);
	Diag d;
	diag_init(&d);
	if (change) {
		char *text = arena_printf(k.arena, "base = %s\n%s", name, change);
		CU_ASSERT_TRUE_FATAL(device_parse(&dev, "own", "own.ini", text, k.arena, &d));
	}
	o.path = "k.cl";
	o.cpu = dev.llvm_cpu;
	o.wave = dev.wave;
	k.fe = fe_compile(&o, &d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(k.fe);
	k.p = fe_program(k.fe);
	Profile prof = {.wave = dev.wave};
	k.x = costs_new(&dev, k.p, &prof, NULL, NULL, k.arena);
	diag_free(&d);
	return k;
}

static inline CostedKernel cost_as(const char *name, const char *change, const char *source, u32 unroll, bool nvidia)
{
	return cost_with(name, change, (FeOptions){.source = source, .unroll = unroll, .nvidia = nvidia});
}

static inline CostedKernel cost_of(const char *name, const char *source, u32 unroll)
{
	return cost_as(name, NULL, source, unroll, false);
}

static inline void done(CostedKernel *k)
{
	program_free(k->p);
	fe_close(k->fe);
	arena_free(k->arena);
}

static inline u32 count(const CostedKernel *k, MachineClass cls, u32 cycles)
{
	u32 n = 0;
	for (u32 i = 0; i < k->x->ins.n; i++)
		n += k->x->ins.v[i].cls == cls && (!cycles || k->x->ins.v[i].cycles == cycles);
	return n;
}

#endif
