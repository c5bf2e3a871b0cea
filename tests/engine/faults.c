/* Faults seeded into lowerings: does a run still say that its results are not PoCL's?
 *
 *   faults CASES <faults.txt
 *
 * A row is a kernel of the folder CASES, an operation, and another of the same shape, which takes its place
 * everywhere in every program that the front end hands out: as if its row in the lowering were wrong, also in the
 * program that repeats a launch with PoCL's functions. The linker puts __wrap_fe_program between (Makefile). Without
 * its fault each launch agrees with PoCL (make run-tests TESTS=cases). One fault in fifty may pass. */
#include "engine/engine.h"

#include <stdio.h>

Program *__real_fe_program(Fe *fe);
Program *__wrap_fe_program(Fe *fe);

static u32 from, to; /* Op */
static u64 replaced;
static bool excused;

Program *__wrap_fe_program(Fe *fe)
{
	Program *p = __real_fe_program(fe);
	for (u32 i = 0; p && i < p->ins.n; i++) {
		if (p->ins.v[i].op != from)
			continue;
		p->ins.v[i].op = (u16)to;
		replaced++;
	}
	return p;
}

static bool same_shape(u32 a, u32 b)
{
	return a != (u32)OP_COUNT && b != (u32)OP_COUNT && op_info[a].lane && op_info[a].lane == op_info[b].lane &&
	       !memcmp(op_info[a].type, op_info[b].type, sizeof op_info[a].type);
}

/* How many problems a launch has; -1: it does not run. */
static int problems(const char *path, const Device *device)
{
	Diag d;
	diag_init(&d);
	BuildCache cache = {0};
	replaced = 0;
	Result *r = engine_run(&(LaunchSpec){.path = path}, &(MachineSpec){.device = device},
	                       &(RunSpec){.no_estimate = true, .no_machine_code = true, .no_advice = true,
	                                  .max_instructions = 10000000}, &cache, &d);
	int n = r ? (int)result_problems(r) : -1;
	if (!r && d.msgs.n)
		printf("%s\n", d.msgs.v[0].text);
	if (r && !n && r->reference.status != REF_equal)
		n = -1;
	excused = r && r->reference.repeat_equal;
	result_free(r);
	build_cache_free(&cache);
	diag_free(&d);
	return n;
}

int main(int argc, char **argv)
{
	char name[100], a[40], b[40], path[400];
	u32 rows = 0, reported = 0, bad = 0;
	Arena *arena = arena_new();
	Device device;
	Diag d;
	diag_init(&d);
	if (argc != 2 || !device_load(&device, "mi50", NO_LOC, arena, &d))
		return 2;
	while (scanf("%99s %39s %39s", name, a, b) == 3) {
		from = op_by_name(a);
		to = op_by_name(b);
		snprintf(path, sizeof path, "%s/%s/kernel.cl", argv[1], name);
		int found = same_shape(from, to) ? problems(path, &device) : -1;
		rows++;
		bad += found < 0 || !replaced;
		reported += found > 0;
		printf("%s: %s for %s: %s\n", name, b, a,
		       found < 0 ? "does not run" : !replaced ? "not there" : found ? "reported" : excused ? "taken for rounding" : "without effect");
		fflush(stdout);
	}
	printf("%u of %u faults reported\n", reported, rows);
	diag_free(&d);
	arena_free(arena);
	return bad || reported * 50 < rows * 49;
}
