/* Results into a store: what a launch must put out, for the runner to check a device against, and
 * what it is estimated to take. */
#include "engine/run.h"

enum { KEEP_BYTES = 1 << 20 }; /* larger outputs are not kept */

bool engine_keep_outputs(const EngineRun *run, Store *store, i64 launch, Diag *d)
{
	bool ok = true;
	for (u32 i = 0; ok && i < run->launch.nargs; i++) {
		const LaunchArg *arg = &run->launch.args[i];
		const KernelArg *k = &run->launch.kernel_args[i];
		const void *data = run->args.data[i];
		if (arg->kind == LAUNCH_BUFFER && !arg->read_only && !k->is_const && data && !arg->pipe &&
		    arg->size <= KEEP_BYTES)
			ok = store_expect(store, launch, k->name, data, arg->size, d);
	}
	return ok;
}

void engine_keep_estimate(const Result *r, Arena *a, StoreEstimate *out, const char **bound_doc)
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

bool engine_keep(EngineRun *run, const Result *r, Store *store, Diag *d)
{
	Launch *l = &run->launch;
	for (u32 i = 0; i < l->nargs; i++)
		l->args[i].dump = false; /* no part of the launch */
	Buf options = {0};
	launch_print_options(l, PRINT_ALL, &options);
	Arena *arena = arena_new();
	StoreLaunch launch = {.name = l->kernel, .options = buf_keep(&options, arena)};
	StoreEstimate e;
	const char *doc;
	engine_keep_estimate(r, arena, &e, &doc);
	bool ok = store_begin(store, d) && store_kernel(store, l->program, run->text, NULL, &launch.kernel, d) &&
	          store_launch(store, &launch, &e.launch, d) && engine_keep_outputs(run, store, e.launch, d) &&
	          store_estimate(store, &e, d) && store_commit(store, d);
	arena_free(arena);
	return ok;
}
