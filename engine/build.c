/* From what is run to a program: the machine is chosen, and the program built, or found in the cache. */
#include "engine/run.h"

#include "base/reserve.h"

/* ---- machine ---- */

static bool choose_machine(EngineRun *r, const MachineSpec *m, const RunSpec *want)
{
	r->want = *want;
	r->want.no_reference = arena_strdup(r->arena, want->no_reference);
	device_copy(&r->device, m->device, r->arena);
	r->wave = m->wave ? m->wave : r->device.wave;
	r->banks = m->banks ? m->banks : r->device.lds_banks;
	r->max_local = m->max_local;
	r->builtins = m->builtins;
	r->amd_library = arena_strdup(r->arena, m->amd_library);
	if (r->wave > MAX_WAVE)
		return diag_error(r->d, NO_LOC, "a wavefront has 1 to %d lanes, not %u", MAX_WAVE, r->wave);
	if (!lds_banks_fit(r->banks))
		return diag_error(r->d, NO_LOC, "the number of LDS banks is a power of two up to %d, not %u",
		                  MOST_BANKS, r->banks);
	r->own_lds_rule = lds_rule(&r->lds, device_lds(&r->device), r->wave, r->banks);
	return true;
}

/* ---- program ---- */

/* The work-group that the compiler shall leave registers for: 256 work-items, as AMD's
 * assumes, or what the user or the launch says. */
u32 run_largest_group(const EngineRun *r)
{
	const Launch *l = &r->launch;
	u64 items = l->local_from == FROM_NOBODY ? 1 : l->local[0] * l->local[1] * l->local[2];
	u64 most = r->max_local ? r->max_local : 256;
	most = items > most ? items : most;
	return (u32)(most > 1024 ? 1024 : most); /* no device takes more; launch_check says so */
}

bool run_partial_groups(const EngineRun *r) { return r->recorded || launch_wants_partial_groups(&r->launch); }

/* The code of a stand-in is not the device's. */
const MachineCode *run_machine_code(const EngineRun *r)
{
	static const MachineCode stand_in = {.missing = "LLVM's code generators do not know this chip"};
	if (!r->fe)
		return NULL;
	return r->device.codegen == DEVICE_CODEGEN_none ? &stand_in : fe_machine(r->fe);
}

u64 run_lds_private(const EngineRun *r)
{
	const MachineCode *code = run_machine_code(r);
	u64 own = sim_lds_bytes(r->program, NULL);
	return code && !code->missing && code->lds_bytes > own ? code->lds_bytes - own : 0;
}

u64 run_lds_bytes(const EngineRun *r) { return sim_lds_bytes(r->program, &r->sim) + run_lds_private(r); }

/* A code generator for AMD's chips does not know what NVIDIA's compiler makes of the IR. */
bool run_is_nvidia(const EngineRun *r)
{
	return r->device.ir_rules == DEVICE_IR_RULES_nvidia && r->device.codegen == DEVICE_CODEGEN_none;
}

static bool build_source(EngineRun *r, Built *b, const Fe *like)
{
	FeOptions f = {
		.helper = r->helper,
		.path = r->path,
		.source = r->text,
		.src = r->src,
		.like = like,
		.kernel = r->launch.kernel,
		.build_options = r->build_options,
		.dropped = r->dropped,
		.cpu = r->device.llvm_cpu,
		.max_local = run_largest_group(r),
		.launches = r->launch.local_from == FROM_NOBODY && !r->checking,
		.partial_groups = run_partial_groups(r),
		.unroll = r->device.unroll,
		.nvidia = run_is_nvidia(r),
		.keep_ir = r->want.keep_ir,
		/* Of a stand-in (h200) only the IR is of use. */
		.machine = !r->want.no_machine_code && r->device.codegen != DEVICE_CODEGEN_none,
		.listing = r->want.listing,
		.images = r->device.texture_lanes != 0,
		.wave = r->wave,
		.builtins = r->builtins,
		.check = r->checking,
		.try_native = r->want.sandbox == SANDBOX_REQUIRE && !r->want.no_reference,
		.debug = r->want.debug,
		.amd_library = r->amd_library,
		.r600_cpu = r->device.codegen == DEVICE_CODEGEN_r600 ? r->device.r600_cpu : NULL,
	};
	b->fe = fe_compile(&f, r->d);
	b->program = b->fe ? fe_program(b->fe) : NULL;
	return b->program != NULL;
}

static bool build_wave(EngineRun *r, Built *b)
{
	b->program = program_parse(r->path, r->text, r->d);
	return b->program && program_verify(b->program, r->d);
}

static bool build_program(EngineRun *r, Built *b, const Fe *like)
{
	return r->is_wave ? build_wave(r, b) : build_source(r, b, like);
}

static Built *built_new(void)
{
	Built *b = xcalloc(1, sizeof *b);
	atomic_init(&b->users, 1);
	pthread_mutex_init(&b->building, NULL);
	return b;
}

void built_drop(Built *b)
{
	if (!b || atomic_fetch_sub(&b->users, 1) > 1)
		return;
	for (u32 i = 0; i < COUNT(b->other); i++)
		built_drop(b->other[i]);
	pthread_mutex_destroy(&b->building);
	free(b->why);
	program_free(b->program);
	fe_close(b->fe);
	free(b->source);
	free(b->target);
	free(b);
}

typedef struct OtherBuild {
	EngineRun *again;
	BuildOther how;
	bool like;
} OtherBuild;

static void build_other(void *arg)
{
	const OtherBuild *o = arg;
	static const Builtins builtins_of[BUILD_OTHERS] = {
		[BUILD_EXACT] = BUILTINS_EXACT,       [BUILD_DEFINED] = BUILTINS_DEFINED,
		[BUILD_SHAKEN] = BUILTINS_SHAKEN,     [BUILD_SHAKEN_2] = BUILTINS_SHAKEN_2,
		[BUILD_SHAKEN_3] = BUILTINS_SHAKEN_3, [BUILD_UNDEFINED] = BUILTINS_UNDEFINED,
	};
	EngineRun *again = o->again;
	Built *b = again->built, *made = built_new();
	Diag *d = again->d, said;
	diag_init(&said);
	if (o->how != BUILD_CHECK)
		again->builtins = builtins_of[o->how];
	again->checking = o->how == BUILD_CHECK;
	again->want.no_machine_code = true;
	again->want.keep_ir = false;
	again->d = &said;
	if (!build_source(again, made, o->like ? b->fe : NULL) && said.msgs.n)
		made->why = xstrdup(said.msgs.v[0].text);
	again->d = d;
	diag_free(&said);
	b->other[o->how] = made;
}

bool run_build_other(EngineRun *again, BuildOther how, bool like, const char **why)
{
	Built *b = again->built;
	OtherBuild o = {again, how, like};
	pthread_mutex_lock(&b->building);
	bool made = b->other[how] || reserve_try(build_other, &o);
	pthread_mutex_unlock(&b->building);
	if (!made)
		reserve_pass();
	again->fe = b->other[how]->fe;
	again->program = b->other[how]->program;
	*why = b->other[how]->why;
	return again->program;
}

bool run_build_text(EngineRun *again, char *text)
{
	if (!again->text || again->src || again->is_wave || again->is_bitcode)
		return false;
	Built *b = built_new();
	again->text = text;
	again->want.keep_ir = again->want.listing = false;
	if (!build_source(again, b, NULL)) {
		built_drop(b);
		return false;
	}
	again->built = b;
	again->fe = b->fe;
	again->program = b->program;
	return true;
}

/* ---- cache ---- */

void build_cache_empty(BuildCache *c)
{
	for (u32 i = 0; i < c->built.n; i++)
		built_drop(c->built.v[i]);
	array_free(&c->built);
}

void build_cache_free(BuildCache *c)
{
	build_cache_empty(c);
	helper_free(c->helper);
	c->helper = NULL;
}

static void choose_helper(EngineRun *r, BuildCache *c, const RunSpec *want)
{
	Helper **where = c ? &c->helper : &r->own_helper;
	if (!*where) {
		*where = helper_new(want->helper, want->sandbox);
		if (want->cache)
			helper_cache(*where, want->cache, want->cache_bytes);
	}
	r->helper = *where;
	helper_stop(r->helper, want->stop);
	helper_silent(r->helper, want->silent);
}

/* Programs of a launch file are known by their number in it. */
static char *source_key(const EngineRun *r)
{
	Buf key = {0};
	buf_printf(&key, "%s\n%s\n%s\n%s", r->file ? r->file->path : "", r->path,
	           r->build_options ? r->build_options : "", r->text ? r->text : "");
	return key.v;
}

static char *target_key(const EngineRun *r)
{
	Buf key = {0};
	buf_printf(&key, "%s %d %s %s %d %s %u %u %d %u %d %d %d %d %d %d", r->launch.kernel ? r->launch.kernel : "",
	           (int)r->device.codegen, r->device.llvm_cpu ? r->device.llvm_cpu : "",
	           r->device.r600_cpu ? r->device.r600_cpu : "", (int)r->builtins, r->amd_library ? r->amd_library : "",
	           r->wave, run_largest_group(r), r->launch.local_from == FROM_NOBODY, r->device.unroll,
	           run_is_nvidia(r), r->want.no_machine_code, r->want.keep_ir, r->want.listing,
	           r->device.texture_lanes != 0, (int)r->want.debug);
	return key.v;
}

/* One of the same source and target, which becomes the newest of c, or NULL; *like: any of the same source. */
static Built *find_built(BuildCache *c, const Built *want, const Built **like)
{
	*like = NULL;
	for (const BuildCache *in = c; in; in = in->ready) {
		for (u32 i = 0; i < in->built.n; i++) {
			Built *b = in->built.v[i];
			if (strcmp(b->source, want->source) != 0)
				continue;
			*like = b;
			if (strcmp(b->target, want->target) != 0)
				continue;
			if (in == c) {
				memmove(&c->built.v[i], &c->built.v[i + 1], (c->built.n - i - 1) * sizeof b);
				c->built.v[c->built.n - 1] = b;
			}
			return b;
		}
	}
	return NULL;
}

static void keep_built(BuildCache *c, Built *b, bool compiled)
{
	u32 most = c->most ? c->most : 1;
	if (c->built.n >= most) {
		built_drop(c->built.v[0]);
		memmove(&c->built.v[0], &c->built.v[1], --c->built.n * sizeof b);
	}
	atomic_fetch_add(&b->users, 1);
	array_push(&c->built, b);
	c->compiled += compiled;
	c->lowered++;
}

/* A launch of the same program needs no new build, and one of the same source no new run of the
 * OpenCL compiler. */
static bool build(EngineRun *r, BuildCache *c)
{
	const Built *like;
	Built *b = built_new();
	b->source = source_key(r);
	b->target = target_key(r);
	Built *known = find_built(c, b, &like);
	bool ok = known || build_program(r, b, like ? like->fe : NULL);
	if (known) {
		built_drop(b);
		b = known;
		atomic_fetch_add(&b->users, 1);
	} else if (ok && c) {
		keep_built(c, b, !like);
	}
	if (!ok) {
		built_drop(b);
		return false;
	}
	r->built = b;
	r->fe = b->fe;
	r->program = b->program;
	return true;
}

bool engine_build(EngineRun *r, const MachineSpec *machine, const RunSpec *want, BuildCache *cache)
{
	double start = seconds_now();
	if (want->phase)
		want->phase(want->progress_ctx, "compiling");
	choose_helper(r, cache, want);
	r->failed = r->failed || !choose_machine(r, machine, want) || !build(r, cache);
	r->times.build += seconds_now() - start;
	r->times.build_kept = r->fe && fe_kept(r->fe);
	return !r->failed;
}
