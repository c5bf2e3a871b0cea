/* Results into a store: what a launch must put out, for the runner to check a device against, and
 * what it is estimated to take. */
#include "engine/session.h"

#include <stdio.h>

enum { KEEP_BYTES = 1 << 20 }; /* larger outputs are not kept */

bool keep_outputs(const KeepPlace *at, const Launch *l, const Arguments *a, Diag *d)
{
	bool ok = true;
	for (u32 i = 0; ok && i < l->nargs; i++) {
		const LaunchArg *arg = &l->args[i];
		const KernelArg *k = &l->kernel_args[i];
		bool written = arg->kind == LAUNCH_BUFFER && !arg->read_only && !k->is_const && a->data[i];
		if (written && arg->size <= KEEP_BYTES)
			ok = store_expect(at->store, at->launch, k->name, a->data[i], arg->size, d);
	}
	return ok;
}

void keep_estimate(const Result *r, Arena *a, StoreEstimate *out, const char **bound_doc)
{
	const Estimate *e = r->estimate;
	*out = (StoreEstimate){.model = arena_strdup(a, r->device), .program = "wavesim " WAVESIM_VERSION};
	if (e->missing) {
		out->problem = arena_strdup(a, e->missing);
		return;
	}
	out->cycles = e->cycles;
	out->time_us = e->time_us;
	out->low_us = e->low_us;
	out->high_us = e->high_us;
	out->bound_by = time_bound_name[e->bound_by];
	*bound_doc = time_bound_doc[e->bound_by];
}

bool keep_results(const char *db, Launch *l, const Arguments *a, const char *text, const Result *r, Diag *d)
{
	if (!text)
		return diag_error(d, NO_LOC, "--store wants a source file: a device cannot run bitcode");
	for (u32 i = 0; i < l->nargs; i++)
		l->args[i].dump = false; /* no part of the launch */
	Buf options = {0};
	launch_print_options(l, PRINT_ALL, &options);
	Arena *arena = arena_new();
	StoreLaunch launch = {.name = l->kernel, .options = arena_strdup(arena, options.v)};
	StoreEstimate e;
	const char *doc;
	keep_estimate(r, arena, &e, &doc);
	KeepPlace at = {.store = store_open(db, STORE_CREATE, d)};
	bool ok = at.store && store_begin(at.store, d) &&
	          store_kernel(at.store, l->program, text, NULL, &launch.kernel, d) &&
	          store_launch(at.store, &launch, &at.launch, d) && keep_outputs(&at, l, a, d);
	e.launch = at.launch;
	ok = ok && store_estimate(at.store, &e, d) && store_commit(at.store, d);
	store_close(at.store);
	arena_free(arena);
	array_free(&options);
	return ok;
}
