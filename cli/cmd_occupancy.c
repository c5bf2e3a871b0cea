/* wavesim occupancy: how many wavefronts fit, what limits them, and the three curves. Numbers given beside a kernel
 * replace the kernel's. */
#include "cli/commands.h"
#include "cli/show.h"
#include "report/resources.h"

#include <unistd.h>

/* What is not given is NO_NUMBER. */
#define NO_NUMBER UINT64_MAX
typedef struct OccWords {
	u64 vgprs, agprs, sgprs, lds;
	char **rest; /* the words that are for the launch */
	int nrest;
} OccWords;
static const OptRow rows[] = {
	OPT_ROW_WHOLE(OccWords, vgprs, "--vgprs", "N", 1, 65536, NO_NUMBER, "vector registers")
	OPT_ROW_WHOLE(OccWords, agprs, "--agprs", "N", 0, 65536, NO_NUMBER, "accumulation registers")
	OPT_ROW_WHOLE(OccWords, sgprs, "--sgprs", "N", 0, 65536, NO_NUMBER, "scalar registers")
	OPT_ROW_WHOLE(OccWords, lds, "--lds", "BYTES", 0, 1u << 30, NO_NUMBER, "local memory of a work-group")
};

/* Without a kernel: --local is a size, other options of a launch mean nothing. */
static bool read_local(const Options *o, u32 *size, Diag *d)
{
	Launch l;
	launch_init(&l);
	bool ok = true;
	for (u32 i = 0; i < o->launch.n; i++) {
		const LaunchWord *w = &o->launch.v[i];
		bool one = strcmp(w->name, "--local") ? diag_error(d, w->loc, "%s needs a kernel file", w->name)
		                                      : launch_option(&l, w->name, w->value, w->loc, d);
		if (!one)
			ok = options_quote(o->command_line, d);
	}
	if (ok && l.local_from == FROM_OPTION) {
		double all = (double)l.local[0] * (double)l.local[1] * (double)l.local[2];
		*size = all < UINT32_MAX ? (u32)all : UINT32_MAX;
	}
	launch_free(&l);
	return ok;
}

static bool from_numbers(const Options *o, const OccWords *w, EngineResources *res, Diag *d)
{
	memset(res, 0, sizeof *res);
	if (w->vgprs == NO_NUMBER) {
		diag_error(d, NO_LOC, "which kernel file, or how many vector registers?");
		return diag_hint(d, "wavesim occupancy kernel.cl, or "
		                    "wavesim occupancy --vgprs 24 --lds 4096 --local 256");
	}
	MachineSpec machine;
	if (!specs_machine(o, NULL, NULL, &machine, d))
		return false;
	res->device = machine.device;
	res->use.wave = o->wave ? (u32)o->wave : res->device->wave;
	res->use.group_size = res->device->max_group < 256 ? res->device->max_group : 256;
	return read_local(o, &res->use.group_size, d);
}

/* *run is open for as long as res is needed. */
static bool from_kernel(Options *o, EngineRun **run, Arena *a, EngineResources *res, Diag *d)
{
	LaunchSpec launch = specs_launch(o);
	bool ok;
	o->no_reference = true;
	Progress progress = progress_new(!o->quiet, o->progress);
	*run = specs_build(o, &launch, NULL, progress_host(&progress), &ok, d);
	ok = ok && engine_bind(*run);
	progress_end(&progress);
	if (ok)
		engine_resources(*run, a, res);
	return ok;
}

/* The numbers that were given, and whether the device can run such a group at all. */
static bool apply_numbers(const OccWords *w, EngineResources *res, Diag *d)
{
	const Device *dev = res->device;
	OccInput *in = &res->use;
	if (w->vgprs != NO_NUMBER)
		in->vgprs = (u32)w->vgprs;
	if (w->agprs != NO_NUMBER)
		in->agprs = (u32)w->agprs;
	if (w->sgprs != NO_NUMBER)
		in->sgprs = (u32)w->sgprs;
	if (w->lds != NO_NUMBER)
		in->lds_bytes = w->lds;
	if (w->vgprs != NO_NUMBER || w->agprs != NO_NUMBER || w->sgprs != NO_NUMBER)
		res->source = NULL;
	const struct {
		const char *taker;
		u64 have, most;
		const char *unit;
	} limits[] = {
		{"--vgprs: a wavefront", in->vgprs, dev->vgpr_max, ""},
		{"--agprs: a wavefront", in->agprs, dev->agpr_max, ""},
		{"--sgprs: a wavefront", w->sgprs != NO_NUMBER && dev->sgpr_waves.n ? in->sgprs : 0, dev->sgpr_max, ""},
		{"--lds: a work-group", in->lds_bytes, dev->lds_per_group, " bytes"},
		{"--local: a work-group", in->group_size, dev->max_group, " work-items"},
	};
	for (u32 i = 0; i < COUNT(limits); i++)
		if (limits[i].have > limits[i].most)
			return diag_error(d, NO_LOC, "%s has %" PRIu64 "%s at most on %s", limits[i].taker,
			                  limits[i].most,
			                  limits[i].unit, dev->name);
	return true;
}

static bool show_page(const Options *o, const EngineResources *res, Arena *a, Diag *d)
{
	OccResult r;
	occ_result_build(&r, res->device, &res->use, a);
	r.file = o->input;
	r.kernel = res->kernel;
	r.source = res->source;
	r.r600 = res->r600;
	Buf json = {0}, text = {0};
	bool ok = true;
	if (o->json) {
		occ_json(&r, &json);
		ok = output_file(o->json, o->loc[OPTION_json], &json, d);
	}
	if (ok && !is_stdout(o->json)) {
		SinkStyle style = output_style(STDOUT_FILENO);
		occ_text(&r, &style, &text);
		ok = output_stdout(text.v, text.n, d);
	}
	array_free(&json);
	array_free(&text);
	return ok;
}

void occupancy_completes(CompletionCommand *c, Arena *a)
{
	completion_rows(c, rows, COUNT(rows), 0);
	completion_table(c, options_completes(&(OptionId){OPTION_json}, 1, a));
}

void occupancy_help(Buf *out)
{
	buf_printf(out,
	           "wavesim occupancy FILE [options]   how many wavefronts of a kernel fit, what limits them, and\n"
	           "                                   the curves over registers, local memory and group size\n"
	           "wavesim occupancy --device NAME --vgprs N [--local N]   the same for given numbers\n\n"
	           "What a wavefront takes, instead of what the kernel does:\n\n");
	opt_help(rows, COUNT(rows), 0, out);
	buf_printf(out, "\n--json FILE writes the same as JSON. Options of a launch (wavesim --help) hold, too.\n"
	                "Exit status: 0 fine, 2 bad input.\n");
}

int cmd_occupancy(int argc, char *const *argv, Diag *d)
{
	Options o;
	options_init(&o);
	Arena *a = arena_new();
	OccWords w = {0};
	EngineResources res;
	EngineRun *run = NULL;
	w.rest = ARENA_ARRAY(a, char *, argc + 1);
	bool ok = opt_take(rows, COUNT(rows), &w, 0, argc, argv, w.rest, &w.nrest, d) &&
	          options_parse(&o, w.nrest, w.rest, d) &&
	          show_not_of_one(&o, OPTION_json, "the occupancy", "write the occupancy with --json", d);
	if (ok) {
		ok = (o.input ? from_kernel(&o, &run, a, &res, d) : from_numbers(&o, &w, &res, d)) &&
		     apply_numbers(&w, &res, d) && show_page(&o, &res, a, d);
	}
	engine_close(run);
	arena_free(a);
	options_free(&o);
	return ok ? EXIT_FINE : EXIT_BAD_INPUT;
}
