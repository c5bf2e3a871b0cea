/* Faults seeded into lowerings: does a run still say that its results are not PoCL's?
 *
 *   faults CASES SEED N PERCENT all|float CACHE
 *
 * A fault makes an operation of a kernel's program another one of the same shape, everywhere, also in the program
 * that repeats the launch with PoCL's functions: as if its row in the lowering were wrong. Nothing is chosen by hand:
 * of the kernels below CASES, of the operations of each and of what may take their place SEED draws, until N faults
 * have changed a result. Of these so many percent have to be reported. float: of operations on floats only, where what
 * differs may be taken for rounding. Kernels that do not agree with PoCL without a fault are left out. The folder CACHE
 * keeps what compilers and native code made. The linker puts __wrap_fe_program between (Makefile). */
#include "engine/engine.h"

#include "base/hash.h"

#include <glob.h>
#include <stdio.h>

Program *__real_fe_program(Fe *fe);
Program *__wrap_fe_program(Fe *fe);

static u32 from = OP_COUNT, to; /* Op */
static ARRAY(Program *) programs; /* of this kernel */

static void put_fault(Program *p)
{
	for (u32 i = 0; p && i < p->ins.n; i++)
		if (p->ins.v[i].op == from)
			p->ins.v[i].op = (u16)to;
}

Program *__wrap_fe_program(Fe *fe)
{
	Program *p = __real_fe_program(fe);
	put_fault(p);
	array_push(&programs, p);
	return p;
}

/* ---- drawing ---- */

static u64 state;
static bool floats_only;
static const char *kept; /* the folder of the cache */

static u64 draw(u64 below)
{
	state += 0x9E3779B97F4A7C15u;
	return hash_mix(hash_mix(state)) % below;
}

static bool same_shape(u32 a, u32 b)
{
	return op_info[a].lane && op_info[a].lane == op_info[b].lane &&
	       !memcmp(op_info[a].type, op_info[b].type, sizeof op_info[a].type);
}

static bool on_floats(u32 op)
{
	for (u32 i = 0; i < COUNT(op_info[op].type); i++)
		if (op_info[op].type[i] == T_f32 || op_info[op].type[i] == T_f64)
			return true;
	return false;
}

/* What may take the place of an operation. */
static u32 others(u32 op, u32 *out)
{
	u32 n = 0;
	if (floats_only && !on_floats(op))
		return 0;
	for (u32 i = 0; i < OP_COUNT; i++)
		if (i != op && same_shape(op, i))
			out[n++] = i;
	return n;
}

static bool draw_fault(const Program *p)
{
	bool there[OP_COUNT] = {0};
	u32 ops[OP_COUNT], all[OP_COUNT], n = 0;
	for (u32 i = 0; i < p->ins.n; i++)
		there[p->ins.v[i].op] = true;
	for (u32 i = 0; i < OP_COUNT; i++)
		if (there[i] && others(i, all))
			ops[n++] = i;
	if (!n)
		return false;
	from = ops[draw(n)];
	to = all[draw(others(from, all))];
	return true;
}

/* ---- running ---- */

enum { REPORTED, EXCUSED, WITHIN, WITHOUT, NOT_RUN, OUTCOMES };
static const char *const outcome_name[OUTCOMES] = {"reported", "taken for rounding", "within the limits of functions",
                                                   "without effect", "not compared"};

static Reference run(const char *path, const Device *device, BuildCache *cache, int *outcome)
{
	Diag d;
	diag_init(&d);
	Result *r = engine_run(&(LaunchSpec){.path = path}, &(MachineSpec){.device = device},
	                       &(RunSpec){.no_estimate = true, .no_machine_code = true, .no_advice = true,
	                                  .max_instructions = 10000000, .cache = kept,
	                                  .cache_bytes = 1u << 30}, cache, &d);
	Reference ref = r ? r->reference : (Reference){0};
	*outcome = !r ? NOT_RUN : result_problems(r) ? REPORTED : ref.status != REF_equal ? NOT_RUN
	           : ref.repeat_equal ? EXCUSED : WITHOUT;
	result_free(r);
	diag_free(&d);
	return ref;
}

/* Its outcome; -1: the file does not say how it is launched, it differs without a fault, or has nothing to draw. */
static int try(const char *path, const Device *device)
{
	char *text = read_file(path, NULL);
	bool launched = text && strstr(text, "// wavesim: ");
	free(text);
	if (!launched)
		return -1;
	BuildCache cache = {0};
	int outcome;
	from = OP_COUNT;
	programs.n = 0;
	Reference before = run(path, device, &cache, &outcome);
	bool good = (outcome == WITHOUT || outcome == EXCUSED) && programs.n && draw_fault(programs.v[0]);
	for (u32 i = 0; good && i < programs.n; i++)
		put_fault(programs.v[i]);
	if (good) {
		Reference after = run(path, device, &cache, &outcome);
		if (outcome == WITHOUT && (after.within != before.within || after.max_ulp != before.max_ulp))
			outcome = WITHIN;
	}
	build_cache_free(&cache);
	return good ? outcome : -1;
}

int main(int argc, char **argv)
{
	char pattern[400];
	u32 count[OUTCOMES] = {0}, want = argc > 6 ? (u32)atoi(argv[3]) : 0, changed = 0;
	Arena *arena = arena_new();
	Device device;
	Diag d;
	glob_t found;
	diag_init(&d);
	snprintf(pattern, sizeof pattern, "%s/*/*/kernel.cl", argc > 1 ? argv[1] : "");
	if (argc != 7 || glob(pattern, 0, NULL, &found) || !device_load(&device, "mi50", NO_LOC, arena, &d))
		return 2;
	state = strtoull(argv[2], NULL, 10);
	floats_only = !strcmp(argv[5], "float");
	kept = argv[6];
	for (u32 k = 0; changed < want && k < 100 * want; k++) {
		char **left = found.gl_pathv + k % found.gl_pathc; /* each once before any again */
		u64 at = draw(found.gl_pathc - k % found.gl_pathc);
		char *path = left[at];
		left[at] = left[0];
		left[0] = path;
		int outcome = try(path, &device);
		if (outcome < 0)
			continue;
		printf("%.*s: %s for %s: %s\n", (int)(strlen(path) - strlen(argv[1]) - strlen("//kernel.cl")),
		       path + strlen(argv[1]) + 1, op_info[to].name, op_info[from].name, outcome_name[outcome]);
		fflush(stdout);
		count[outcome]++;
		changed = count[REPORTED] + count[EXCUSED] + count[WITHIN];
	}
	printf("%u of %u faults that change a result reported", count[REPORTED], changed);
	for (u32 i = EXCUSED; i < OUTCOMES; i++)
		printf(", %u %s", count[i], outcome_name[i]);
	printf("\n");
	globfree(&found);
	array_free(&programs);
	diag_free(&d);
	arena_free(arena);
	return changed < want || count[REPORTED] * 100 < changed * (u32)atoi(argv[4]);
}
