/* From the settings of a point to its launch, through the words of a command line. */
#include "cli/specs.h"
#include "cli/sweep.h"

/* The options of a point as one launch has them. o is initialised. */
static bool point_options(const SweepPlan *p, const char *const *values, Options *o, Diag *d)
{
	const SweepWords *words = p->ctx;
	const char **argv = xcalloc(words->rest.n + 2 * p->options.n + 4, sizeof *argv);
	int argc = 0;
	argv[argc++] = "wavesim";
	for (u32 i = 0; i < words->rest.n; i++)
		argv[argc++] = words->rest.v[i];
	for (u32 i = 0; i < p->options.n; i++) {
		const SweepOption *x = &p->options.v[i];
		const char *option = sweep_option_word(x->kind);
		bool named = x->own != x->name;
		if (!values[i])
			continue;
		if (option)
			argv[argc++] = option;
		/* A macro without a value has none of its own: -D X. */
		argv[argc++] = arena_printf(o->arena, "%s%s%s", named ? x->own : "",
		                            named && (*values[i] || x->tied) ? "=" : "", values[i]);
	}
	bool ok = options_parse(o, argc, (char *const *)argv, d);
	free(argv);
	return ok;
}

bool sweep_check_options(SweepPlan *p)
{
	if (!p->options.n || p->options.v[0].kind != AXIS_FILE) {
		diag_error(p->d, NO_LOC, "which kernel file?");
		return diag_hint(p->d, "wavesim sweep kernel.cl --local 32:1024; wavesim sweep --help");
	}
	SweepOption *device = sweep_option(p, AXIS_DEVICE);
	Options o;
	options_init(&o);
	const char **values = ARENA_ARRAY(p->arena, const char *, p->options.n + 1);
	values[0] = p->options.v[0].values.v[0];
	bool ok = point_options(p, values, &o, p->d);
	if (ok && !device)
		array_push(&p->devices, arena_strdup(p->arena, options_device(&o)));
	if (ok && o.no_estimate)
		ok = diag_error(p->d, NO_LOC, "a sweep ranks by the estimated time; --no-estimate leaves nothing to rank by");
	for (u32 i = 0; ok && device && i < device->values.n; i++)
		array_push(&p->devices, device->values.v[i]);
	for (u32 i = 0; ok && i < p->devices.n; i++) {
		Device dev;
		ok = device_load(&dev, p->devices.v[i], NO_LOC, p->arena, p->d);
	}
	options_free(&o);
	return ok;
}

EngineRun *sweep_open(const SweepPlan *p, BuildCache *build, const char *const *values, Diag *d)
{
	Options o;
	EngineRun *run = NULL;
	bool ok;
	options_init(&o);
	if (point_options(p, values, &o, d)) {
		LaunchSpec launch = specs_launch(&o);
		o.no_reference |= !((const SweepWords *)p->ctx)->check;
		o.threads = p->threads;
		run = specs_build(&o, &launch, build, NULL, &ok, d);
	}
	options_free(&o);
	return run;
}
