/* A kernel runs through engine/ alone: twice on each of two threads, with a mistake in the second launch of one.
 * Nothing but this file prints. */
#include "engine/engine.h"

#include <pthread.h>

static const char source[] =
	"kernel void twice(global uint *a) { if (get_local_id(0) & 1) a[get_global_id(0)] *= 2; }\n";
static Device device;

/* The second launch has the work-group size that it is given; what both say, free(). */
static void *work(void *local)
{
	Buf said = {0};
	BuildCache cache = {0};
	for (u32 i = 0; i < 2; i++) {
		LaunchWord words[] = {{.name = "--global", .value = "256", .from = FROM_OPTION},
		                      {.name = "--local", .value = i ? local : "64", .from = FROM_OPTION},
		                      {.name = "--arg", .value = "a=iota:256", .from = FROM_OPTION}};
		LaunchSpec launch = {.path = "twice.cl", .text = source, .words = words, .nwords = COUNT(words)};
		Diag d = {0};
		MachineSpec machine = {.device = &device};
		Result *r = engine_run(&launch, &machine, &(RunSpec){.threads = 2}, &cache, &d);
		if (r)
			buf_printf(&said, "%s: %u groups, %u of %u branches diverged, %u lines, %s\n", r->kernel,
			           (u32)r->ngroups, (u32)r->t.divergent_branches, (u32)r->t.branches,
			           (u32)r->t.actual_lines, ref_status_name[r->reference.status]);
		else
			buf_printf(&said, "error: %s\n", d.msgs.v[0].text);
		result_free(r);
		diag_free(&d);
	}
	build_cache_free(&cache);
	return said.v;
}

int main(void)
{
	Arena *a = arena_new();
	Diag d = {0};
	char local[2][4] = {"128", "100"}, *said;
	pthread_t threads[2];
	if (!device_load(&device, "mi50", NO_LOC, a, &d))
		return 1;
	for (u32 i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, work, local[i]))
			return 1;
	for (u32 i = 0; i < 2; i++) {
		pthread_join(threads[i], (void **)&said);
		fputs(said, stdout);
		free(said);
	}
	arena_free(a);
	return 0;
}
