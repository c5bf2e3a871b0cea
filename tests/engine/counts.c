/* A kernel runs through engine/ alone: twice on each of two threads, with a mistake in the second launch of one.
 * Nothing but this file prints. */
#include "engine/engine.h"

#include <pthread.h>
#include <stdio.h>

static const char source[] =
	"kernel void twice(global uint *a) { if (get_local_id(0) & 1) a[get_global_id(0)] *= 2; }\n";

typedef struct Job {
	const Device *device;
	const char *local[2]; /* of each launch */
	char said[2][200];
} Job;

static void *work(void *arg)
{
	Job *job = arg;
	MachineSpec machine = {.device = job->device};
	BuildCache cache = {0};
	for (u32 i = 0; i < 2; i++) {
		LaunchWord words[] = {{"--global", "256", NO_LOC}, {"--local", job->local[i], NO_LOC}, {"--arg", "a=iota:256", NO_LOC}};
		LaunchSpec launch = {.path = "twice.cl", .text = source, .words = words, .nwords = COUNT(words)};
		Diag d;
		diag_init(&d);
		Result *r = engine_run(&launch, &machine, &(RunSpec){.threads = 2}, &cache, &d);
		if (r)
			snprintf(job->said[i], sizeof job->said[i], "%s: %llu groups, %llu of %llu branches diverged, %llu lines, %s",
			         r->kernel, (unsigned long long)r->ngroups, (unsigned long long)r->t.divergent_branches,
			         (unsigned long long)r->t.branches, (unsigned long long)r->t.actual_lines,
			         ref_status_name[r->reference.status]);
		else
			snprintf(job->said[i], sizeof job->said[i], "error: %s", d.msgs.v[0].text);
		result_free(r);
		diag_free(&d);
	}
	build_cache_free(&cache);
	return NULL;
}

int main(void)
{
	Arena *a = arena_new();
	Device device;
	Diag d;
	diag_init(&d);
	if (!device_load(&device, "mi50", NO_LOC, a, &d))
		return 1;
	Job jobs[2] = {{.device = &device, .local = {"64", "128"}}, {.device = &device, .local = {"64", "100"}}};
	pthread_t threads[2];
	for (u32 i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, work, &jobs[i]))
			return 1;
	for (u32 i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		printf("%s\n%s\n", jobs[i].said[0], jobs[i].said[1]);
	}
	diag_free(&d);
	arena_free(a);
	return 0;
}
