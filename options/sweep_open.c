/* The launch of each file of a sweep, without the settings that are swept. */
#include "options/specs.h"
#include "options/sweep.h"

/* The other words of the command line, for one of the files. */
static bool read_options(SweepPlan *p, const SweepWords *words, const char *path, Options *o)
{
	char **argv = ARENA_ARRAY(p->arena, char *, words->rest.n + 3);
	int argc = 0;
	argv[argc++] = "wavesim";
	for (u32 i = 0; i < words->rest.n; i++)
		argv[argc++] = (char *)words->rest.v[i];
	argv[argc++] = (char *)path;
	return (words->only ? options_parse_words : options_parse)(o, argc, argv, p->d);
}

static bool add_file(SweepPlan *p, SweepWords *words, const char *path)
{
	Options *o = ARENA_NEW(p->arena, Options);
	options_init(o);
	array_push(&words->options, o);
	if (!read_options(p, words, path, o))
		return false;
	if (o->no_estimate)
		return diag_error(p->d, NO_LOC, "a sweep ranks by the estimated time; --no-estimate leaves nothing "
		                                "to rank by");
	if (!p->devices.n)
		array_push(&p->devices, arena_strdup(p->arena, options_device(o)));
	o->no_reference |= !words->reference;
	SweepFile f = {.launch = specs_launch(o), .want = specs_run(o, words->host)};
	f.launch.text = words->text;
	f.launch.memory = words->memory;
	f.launch.nmemory = words->nmemory;
	f.want.listing = f.want.timeline = f.want.detail = false; /* only the report of a launch has them */
	f.want.progress = NULL; /* points are counted */
	f.want.phase = NULL;
	Diag d;
	diag_init(&d);
	EngineRun *run = engine_open(&f.launch, &d);
	if (words->opened)
		words->opened(words, run);
	if (!specs_file(o, run, &f.machine, &d))
		f.fault = diag_reason(&d, "it does not run", p->arena);
	else if (o->given[OPTION_mcpu] == GIVEN_COMMAND_LINE && sweep_option(p, AXIS_DEVICE))
		f.fault = "--device and --mcpu both name the device: give one of them";
	engine_close(run);
	diag_free(&d);
	array_push(&p->files, f);
	return true;
}

bool sweep_check_options(SweepPlan *p, SweepWords *words)
{
	if (!p->options.n || p->options.v[0].kind != AXIS_FILE) {
		diag_error(p->d, NO_LOC, "which kernel file?");
		return diag_hint(p->d, "wavesim sweep kernel.cl --local 32:1024; wavesim sweep --help");
	}
	SweepOption *device = sweep_option(p, AXIS_DEVICE);
	bool ok = true;
	for (u32 i = 0; device && i < device->values.n; i++)
		array_push(&p->devices, device->values.v[i]);
	const Texts *files = &p->options.v[0].values;
	for (u32 i = 0; ok && i < files->n; i++)
		ok = add_file(p, words, files->v[i]);
	for (u32 i = 0; ok && i < p->devices.n; i++) {
		Device dev;
		ok = device_load(&dev, p->devices.v[i], NO_LOC, p->arena, p->d);
	}
	return ok;
}
