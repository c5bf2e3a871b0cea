/* From the settings of a point to its launch and machine. */
#include "engine/sweep.h"

static const SweepFile *file_of(const SweepPlan *p, const char *path)
{
	u32 i = 0;
	while (strcmp(p->files.v[i].launch.path, path) != 0)
		i++;
	return &p->files.v[i];
}

static bool whole(SweepAxisKind kind, const char *text, u32 *out, Diag *d)
{
	const char *option = sweep_axis_option[kind];
	u64 v;
	if (!parse_u64(text, &v))
		return diag_error(d, NO_LOC, "%s: '%s' %s", option, text, parse_u64_fault(text));
	if (!v || v > UINT32_MAX)
		return diag_error(d, NO_LOC, "%s cannot be %s", option, text);
	*out = (u32)v;
	return true;
}

/* Words of the launch for what is swept; out has room for one for each option. */
static u32 point_words(const SweepPlan *p, const char *const *values, Arena *a, LaunchWord *out)
{
	u32 n = 0;
	for (u32 i = 0; i < p->options.n; i++) {
		const SweepOption *o = &p->options.v[i];
		bool named = o->own != o->name;
		if (!values[i] || o->kind == AXIS_FILE || o->machine)
			continue;
		/* A macro without a value has none of its own: -D X. */
		out[n++] = (LaunchWord){sweep_axis_option[o->kind],
		                        arena_printf(a, "%s%s%s", named ? o->own : "",
		                                     named && (*values[i] || o->tied) ? "=" : "", values[i]),
		                        {"command line", 0, 0},
		                        FROM_OPTION};
	}
	return n;
}

/* Sizes and the kernel that the environment names: the point's own are stronger. */
static bool is_replaced(const LaunchWord *w, const LaunchWord *own, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (!strcmp(w->name, own[i].name) && strcmp(w->name, "-D") && strcmp(w->name, "--arg"))
			return true;
	return false;
}

static bool set_machine(const SweepPlan *p, const char *const *values, Arena *a, MachineSpec *m, Diag *d)
{
	for (u32 i = 0; i < p->options.n; i++) {
		SweepAxisKind kind = p->options.v[i].kind;
		if (!values[i])
			continue;
		if (kind == AXIS_DEVICE) {
			Device *dev = ARENA_NEW(a, Device);
			if (!device_load(dev, values[i], NO_LOC, a, d))
				return false;
			m->device = dev;
		} else if ((kind == AXIS_WAVE && !whole(kind, values[i], &m->wave, d)) ||
		           (kind == AXIS_BANKS && !whole(kind, values[i], &m->banks, d))) {
			return false;
		}
	}
	return true;
}

EngineRun *sweep_open(const SweepPlan *p, BuildCache *build, const char *const *values, Diag *d)
{
	const SweepFile *f = file_of(p, values[0]);
	LaunchSpec launch = f->launch;
	MachineSpec machine = f->machine;
	RunSpec want = f->want;
	if (f->fault) {
		diag_error(d, NO_LOC, "%s", f->fault);
		return NULL;
	}
	Arena *a = arena_new();
	LaunchWord *own = ARENA_ARRAY(a, LaunchWord, p->options.n + 1);
	LaunchWord *words = ARENA_ARRAY(a, LaunchWord, f->launch.nwords + p->options.n + 1);
	u32 nown = point_words(p, values, a, own), n = 0;
	for (u32 i = 0; i < f->launch.nwords; i++)
		if (!is_replaced(&f->launch.words[i], own, nown))
			words[n++] = f->launch.words[i];
	for (u32 i = 0; i < nown; i++)
		words[n++] = own[i];
	launch.words = words;
	launch.nwords = n;
	want.threads = p->threads;
	EngineRun *run = NULL;
	if (set_machine(p, values, a, &machine, d)) {
		run = engine_open(&launch, d);
		engine_build(run, &machine, &want, build);
	}
	arena_free(a);
	return run;
}
