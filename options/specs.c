/* Options as the engine takes them. Those that a file carries are known when it is read: then o has all of them, and
 * the machine can be chosen. */
#include "options/specs.h"

LaunchSpec specs_launch(const Options *o)
{
	return (LaunchSpec){.path = o->input, .words = o->launch.v, .nwords = o->launch.n,
	                    .command_line = o->command_line, .test = (u32)o->test};
}

/* The text around an option's place, for the last message, if that is about the option. */
static bool point_at(const Options *o, OptionId id, const char *path, const char *text, Diag *d)
{
	const Loc *at = &o->loc[id];
	const DiagMsg *last = &d->msgs.v[d->msgs.n - 1];
	if (last->source || !last->loc.file || !at->file || strcmp(last->loc.file, at->file))
		return false; /* it points elsewhere: into a device file */
	return text && !strcmp(at->file, path) ? diag_source(d, text) : options_quote(o->command_line, d);
}

static bool wrong(const Options *o, OptionId id, const char *what, const char *path, const char *text, Diag *d)
{
	diag_error(d, o->loc[id], "%s", what);
	return point_at(o, id, path, text, d);
}

static Sandbox sandbox_of(const Options *o)
{
	return !o->sandbox || !strcmp(o->sandbox, "auto") ? SANDBOX_AUTO
	       : !strcmp(o->sandbox, "off")               ? SANDBOX_OFF
	                                                  : SANDBOX_REQUIRE;
}

static const struct { const char *name; u8 what; } checks[] = {
#define CHECK_WORD(name, bit) {#name, bit},
	CHECKS(CHECK_WORD)
};

/* What --check names; false: a word of it is none of these. */
static bool check_words(const char *words, u8 *what)
{
	*what = 0;
	if (!strcmp(words, "1")) /* of the environment */
		return true;
	while (*words) {
		size_t n = strcspn(words, ",");
		u8 one = 0;
		for (u32 i = 0; i < COUNT(checks); i++)
			if (!strncmp(checks[i].name, words, n) && !checks[i].name[n])
				one = checks[i].what;
		if (!one)
			return false;
		*what |= one;
		words += n + (words[n] == ',');
	}
	return true;
}

static CheckSpec check_of(const Options *o)
{
	CheckSpec c = {.memory = o->check_memory, .same_value_error = o->same_value && !strcmp(o->same_value, "error"),
	               .when = options_counts(o, OPTION_no_check) ? CHECK_NEVER
	                       : options_counts(o, OPTION_check)  ? CHECK_ALWAYS
	                                                          : CHECK_IF_DIFFERENT,
	               .suppress = o->suppressions};
	check_words(o->check ? o->check : "", &c.what);
	return c;
}

bool specs_machine(const Options *o, const char *path, const char *text, MachineSpec *out, Diag *d)
{
	const char *contradiction;
	OptionId id = options_device_id(o), clash = options_clash(o, &contradiction);
	bool pocl = o->builtins && !strcmp(o->builtins, "pocl");
	if (clash != OPTION_COUNT)
		return wrong(o, clash, contradiction, path, text, d);
	Device *dev = ARENA_NEW(o->arena, Device);
	if (!device_load(dev, options_device(o), o->loc[id], o->arena, d))
		return point_at(o, id, path, text, d);
	dev->start_ns = o->start_ns ? o->start_ns : dev->start_ns;
	if (o->banks && !lds_banks_fit((u64)o->banks))
		return wrong(o, OPTION_banks, "--banks must be a power of two", path, text, d);
	if (o->builtins && !pocl && strcmp(o->builtins, "amd"))
		return wrong(o, OPTION_builtins, "--builtins is 'amd' or 'pocl'", path, text, d);
	if (sandbox_of(o) == SANDBOX_REQUIRE && strcmp(o->sandbox, "require"))
		return wrong(o, OPTION_sandbox, "--sandbox is 'auto', 'require' or 'off'", path, text, d);
	u8 what;
	if (o->same_value && strcmp(o->same_value, "error") && strcmp(o->same_value, "note"))
		return wrong(o, OPTION_same_value, "--same-value is 'error' or 'note'", path, text, d);
	if (!check_words(o->check ? o->check : "", &what))
		return wrong(o, OPTION_check, "--check takes races, uninit, bounds and api, with commas between", path,
		             text, d);
	*out = (MachineSpec){.device = dev, .wave = (u32)o->wave, .banks = (u32)o->banks,
	                     .max_local = (u32)o->max_local, .builtins = pocl ? BUILTINS_POCL : BUILTINS_AMD,
	                     .amd_library = o->amd_library};
	return true;
}

bool specs_check_api(const Options *o)
{
	CheckSpec c = check_of(o);
	return c.when == CHECK_ALWAYS && (!c.what || c.what & CHECK_api);
}

RunSpec specs_run(const Options *o, SpecsHost host)
{
	return (RunSpec){
		.threads = (u32)o->threads,
		.sample = (u32)o->sample,
		.max_instructions = o->max_instructions,
		.max_launch_instructions = o->max_launch_instructions,
		.timeout = (double)o->timeout,
		.no_estimate = o->no_estimate,
		.time_cus = (u32)o->time_cus,
		.warm = o->warm,
		.not_copied = o->not_copied,
		.no_what_if = o->no_what_if,
		.no_advice = o->no_advice,
		.timeline = host.embedded || o->html || o->trace_events,
		.detail = host.embedded || o->html,
		.listing = host.embedded || o->dump_asm || o->listing || o->html || o->json,
		.no_machine_code = (o->dump_ir || o->dump_isa) && !o->dump_asm,
		.keep_ir = o->dump_ir,
		.no_reference = o->no_reference ? "--no-reference" : NULL,
		.reference_seconds = (u32)o->reference_timeout,
		.sandbox = sandbox_of(o),
		.cache = o->no_cache ? NULL : options_cache(o->arena),
		.cache_bytes = o->cache_size,
		.check = check_of(o),
		.reference_timing = o->timing,
		.progress = host.progress,
		.phase = host.phase,
		.progress_ctx = host.ctx,
		.stop = host.stop,
		.silent = host.embedded,
		.helper = host.helper,
	};
}

SinkStyle specs_style(const Options *o)
{
	SinkStyle style = {.max_findings = (u32)o->max_errors, .verbose = o->verbose};
	for (u32 i = 0; o->weight && i < WEIGHT_COUNT; i++)
		style.weight = strcmp(o->weight, stack_weight_name[i]) ? style.weight : (StackWeight)i;
	return style;
}

bool specs_file(Options *o, const EngineRun *run, MachineSpec *out, Diag *d)
{
	const Launch *l = engine_launch(run);
	const char *path = engine_path(run), *text = engine_text(run);
	bool sim = engine_is_sim(run);
	return options_parse_file(o, l->extra.v, l->extra.n, sim ? NULL : text, sim, d) &&
	       specs_machine(o, path, text, out, d);
}

/* A kernel file has no host program. The environment and the configuration file are for all commands: if only they
 * ask for what a kernel file does not have, they ask for nothing here. */
static bool without_api(const Options *o, const EngineRun *run, CheckSpec *c, Diag *d)
{
	OptGiven by = o->given[OPTION_check];
	if (c->when != CHECK_ALWAYS || c->what != CHECK_api)
		return true;
	if (by == GIVEN_CONFIG || by == GIVEN_ENVIRONMENT) {
		c->when = CHECK_IF_DIFFERENT;
		c->what = 0;
		return true;
	}
	wrong(o, OPTION_check, "--check=api looks at a host program, and this is a kernel file", engine_path(run),
	      engine_is_sim(run) ? NULL : engine_text(run), d);
	return diag_hint(d, "wavesim run --check=api -- PROGRAM");
}

EngineRun *specs_build(Options *o, const LaunchSpec *launch, BuildCache *cache, SpecsHost host, bool *ok, Diag *d)
{
	u32 errors = d->errors;
	EngineRun *run = engine_open(launch, d);
	MachineSpec machine;
	*ok = specs_file(o, run, &machine, d); /* from here on o is complete */
	RunSpec want = specs_run(o, host);
	*ok = *ok && (launch->recorded || without_api(o, run, &want.check, d)) && d->errors == errors &&
	      engine_build(run, &machine, &want, cache);
	return run;
}

EngineRun *specs_execute(Options *o, const LaunchSpec *launch, BuildCache *cache, SpecsHost host, bool *ok, Diag *d)
{
	EngineRun *run = specs_build(o, launch, cache, host, ok, d);
	engine_shorten_guess(run);
	*ok = *ok && engine_bind(run) && engine_execute(run);
	return run;
}
