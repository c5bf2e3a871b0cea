/* Modules of small kernels that are made once and changed in memory, for the fuzz targets of what comes behind the
 * reader: of an input the first byte says which, each four bytes behind it are one change (module_mutate.h). What
 * LLVM's verifier refuses the targets leave out. */
#ifndef WAVESIM_MODULE_KERNELS_H
#define WAVESIM_MODULE_KERNELS_H

#include "frontend/codegen/backend.h"
#include "frontend/compile/pipeline.h"
#include "frontend/retarget/retarget.h"
#include "frontend/source/pocl/pocl_library.h"
#include "frontend/source/source.h"
#include "tests/fuzz/llvm_memory.h"
#include "tests/fuzz/module_mutate.h"

#include <stdio.h>

enum { MODULE_CHANGES = 8 };

static ARRAY(FeModule *) modules;

static FeModule *open_module(const Source *s, const char *path, Diag *d)
{
	FeModule *m = fe_module_open(s->bitcode, s->size, path, s->text, d);
	bool ok = m && (!s->library || pocl_library_link(m, s->library, d)) && fe_module_list(m, d);
	return ok ? m : NULL;
}

/* What debug information says of the other kernels would be most of each copy. */
static bool without_others(FeModule *m)
{
	LLVMErrorRef e = llvm_passes(m->mod, "strip-dead-debug-info", NULL);
	if (e)
		LLVMConsumeError(e);
	return !e;
}

/* piped: as the pipeline leaves them, with checks and without; else as it gets them, with checks only: -O3 would take
 * longer than all else, and is LLVM's. */
static void module_kernels(bool piped)
{
	static const char path[] = "tests/fuzz/lower.cl";
	Diag d;
	Source s = {0};
	FeOptions o = {.path = path};
	diag_init(&d);
	FeModule *all = source_read(&o, NULL, &s, &d) ? open_module(&s, path, &d) : NULL;
	for (u32 i = 0; all && i < all->kernels.n; i++)
		for (u32 check = !piped; check < 2; check++) {
			FeModule *m = open_module(&s, path, &d);
			if (!m || !fe_module_select(m, all->kernels.v[i], &d))
				break;
			m->backend = &backends[BACKEND_amdgcn];
			m->check = check;
			if (fe_retarget(m, "gfx906", false, &d) && (!piped || fe_pipeline(m, &d)) && without_others(m))
				array_push(&modules, m);
		}
	if (d.errors) {
		Buf out = {0};
		diag_print(&d, &out);
		fprintf(stderr, "%s\n", out.v);
		abort();
	}
	fe_module_close(all);
	source_free(&s);
	diag_free(&d);
}

/* A copy, changed as the input says, which is not empty. */
static FeModule module_changed(const uint8_t *data, size_t size)
{
	const FeModule *from = modules.v[data[0] % modules.n];
	FeModule m = *from;
	m.mod = LLVMCloneModule(from->mod);
	m.kernel = LLVMGetNamedFunction(m.mod, m.kernel_name);
	m.arena = arena_new();
	Mutate change = {.ctx = m.ctx, .mod = m.mod, .b = LLVMCreateBuilderInContext(m.ctx)};
	for (u32 i = 0; i < MODULE_CHANGES && 1 + 4 * (i + 1) <= size; i++) {
		u32 seed;
		memcpy(&seed, data + 1 + 4 * i, sizeof seed);
		change.rng = seed;
		mutate_once(&change);
	}
	LLVMDisposeBuilder(change.b);
	return m;
}

static void module_done(FeModule *m)
{
	LLVMDisposeModule(m->mod);
	arena_free(m->arena);
}

#endif
