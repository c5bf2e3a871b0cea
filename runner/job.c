/* One launch from its file to the store. */
#include "runner/runner.h"

#include "commit.h"
#include "isa/spirv.h"
#include "traces/capture/launch_recorded.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

typedef struct JobWork {
	Runner *r;
	const RunnerJob *job;
	Arena *arena;
	Launch launch;
	DeviceKernel kernel;
	const char *path;
	char *text, *read; /* read: to be freed */
	bool is_sim;
	SrcUnit unit; /* of what is one text */
	SrcProgram src;
} JobWork;

static bool read_text(JobWork *w, Diag *d)
{
	if (w->job->text) {
		w->text = arena_strdup(w->arena, w->job->text);
		return true;
	}
	size_t n;
	w->text = w->read = read_file(w->path, &n);
	if (!w->text)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", w->path, strerror(errno));
	if (strlen(w->text) == n && n)
		return true;
	return diag_error(d, (Loc){w->path, 0, 0}, n ? "this is not a text file" : "this file is empty");
}

/* The job's options: of the launch, and no others. */
static bool apply_options(JobWork *w, Diag *d)
{
	Loc at = {w->path, 0, 0};
	if (!launch_apply_text(&w->launch, w->job->options, at, d))
		return false;
	return !w->launch.extra.n || diag_error(d, at, "'%s' is no option of a launch", w->launch.extra.v[0].text);
}

static bool describe_recorded(JobWork *w, Diag *d)
{
	const CapLaunch *r = w->job->recorded;
	launch_init(&w->launch);
	if (cap_why_missing(r))
		return diag_error(d, NO_LOC, "its memory was not kept: %s", cap_why_missing(r));
	w->src = w->job->file->programs.v[r->program - 1];
	if (is_spirv(w->src.binary, w->src.nbinary))
		return diag_error(d, NO_LOC, "its program is SPIR-V, which is simulated but not measured");
	if (!w->src.nunits) {
		diag_error(d, NO_LOC, "its program has no source: %s", w->src.missing ? w->src.missing :
		           "it was made from a binary of the recorded device");
		return diag_hint(d, "only that device runs the binary");
	}
	w->text = arena_strdup(w->arena, w->src.units[0].source);
	w->launch.program = w->path;
	return launch_from_recording(&w->launch, w->job->file, r, d);
}

static bool describe_launch(JobWork *w, Diag *d)
{
	if (w->job->recorded)
		return describe_recorded(w, d);
	const RunnerOptions *o = w->r->o;
	launch_init(&w->launch);
	launch_source(&w->launch, "command line", o->command_line);
	bool ok = true;
	for (u32 i = 0; i < o->launch.n; i++)
		ok &= launch_option(&w->launch, o->launch.v[i].name, o->launch.v[i].value, o->launch.v[i].loc, d);
	if (w->job->options)
		ok &= apply_options(w, d);
	w->is_sim = path_ends(w->path, ".sim");
	if (w->is_sim) {
		if (!launch_read_sim(&w->launch, w->path, d))
			return false;
		w->path = w->launch.program;
	}
	if (!read_text(w, d))
		return false;
	w->launch.program = w->path;
	if (!w->is_sim && !w->job->options) /* else the job says all of it */
		ok &= launch_read_comments(&w->launch, w->path, w->text, d);
	return ok;
}

/* What a file and the options say, as a program of one text. */
static void one_text(JobWork *w)
{
	const char *slash = strrchr(w->path, '/');
	Buf options = {0};
	buf_printf(&options, "-I%.*s ", slash ? (int)(slash - w->path) : 1, slash ? w->path : ".");
	launch_build_options(&w->launch, &options);
	w->unit = (SrcUnit){.source = w->text, .options = buf_keep(&options, w->arena)};
	w->src = (SrcProgram){.units = &w->unit, .nunits = 1};
}

/* One that another launch needed before, or a new one for those to come. */
static bool kept_kernel(JobWork *w, Diag *d)
{
	KeptKernels *all = w->job->kept;
	u32 program = w->job->recorded->program;
	for (u32 i = 0; i < all->n; i++) {
		if (all->v[i].program == program && !strcmp(all->v[i].name, w->launch.kernel)) {
			w->kernel = all->v[i].kernel;
			return true;
		}
	}
	if (all->n == COUNT(all->v))
		kept_free(all);
	KeptKernel *k = &all->v[all->n];
	if (!all->arena)
		all->arena = arena_new();
	*k = (KeptKernel){.program = program, .name = arena_strdup(all->arena, w->launch.kernel)};
	if (!kernel_build(&k->kernel, w->r->dev, w->path, &w->src, k->name, all->arena, d)) {
		kernel_free(&k->kernel);
		return false;
	}
	all->n++;
	w->kernel = k->kernel;
	return true;
}

void kept_free(KeptKernels *all)
{
	for (u32 i = 0; i < all->n; i++)
		kernel_free(&all->v[i].kernel);
	all->n = 0;
	if (all->arena)
		arena_free(all->arena);
	all->arena = NULL;
}

static bool bind(JobWork *w, Diag *d)
{
	Launch *l = &w->launch;
	if (!w->job->recorded)
		one_text(w);
	bool ok = true;
	if (w->job->kept)
		ok = kept_kernel(w, d);
	else
		ok = kernel_build(&w->kernel, w->r->dev, w->path, &w->src, l->kernel, w->arena, d);
	if (!ok || (!l->kernel && !launch_set_kernel(l, kernel_name(&w->kernel, w->arena), d)))
		return false;
	if (!launch_bind(l, w->kernel.args, w->kernel.nargs, d))
		return false;
	launch_guess(l, &w->kernel.hints);
	LaunchLimits limits = LAUNCH_LIMITS_DEFAULT;
	limits.max_group = (u32)w->r->dev->max_group;
	limits.partial_groups = w->job->recorded || launch_wants_partial_groups(l);
	for (u32 i = 0; i < l->nargs; i++)
		l->args[i].dump = false; /* no part of what is measured */
	return launch_check(l, &limits, d);
}

static bool begin_run(JobWork *w, Measuring *m, Diag *d)
{
	Buf options = {0};
	if (w->job->recorded)
		recorded_options(w->r->o->db, w->job->file, w->job->recorded, &options);
	else
		launch_print_options(&w->launch, PRINT_ALL, &options);
	StoreLaunch launch = {.name = w->launch.kernel, .options = buf_keep(&options, w->arena),
	                      .family = w->job->family, .has_x = w->job->has_x, .x = w->job->x};
	char started[32];
	time_t now = time(NULL);
	struct tm tm;
	strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	StoreRun run = {.device = w->r->device_id, .started = started,
	                .program = "wavesim-runner " WAVESIM_VERSION " (" WAVESIM_COMMIT ")"};
	Store *s = w->r->store;
	bool ok = store_begin(s, d) &&
	          store_kernel(s, w->path, w->text, NULL, &launch.kernel, d) &&
	          store_launch(s, &launch, &run.launch, d) && store_run(s, &run, &m->run, d);
	m->launch_id = run.launch;
	return store_finish(s, ok, d);
}

static void show(const JobWork *w, const Measured *m)
{
	if (w->r->o->quiet)
		return;
	char where[64] = "";
	if (w->job->recorded)
		snprintf(where, sizeof where, "%llu %s", (unsigned long long)w->job->recorded->number,
		         w->launch.kernel);
	else if (w->job->family && w->job->has_x)
		snprintf(where, sizeof where, "%s %g", w->job->family, w->job->x);
	else
		snprintf(where, sizeof where, "%s", w->job->family ? w->job->family : w->launch.kernel);
	printf("%-28s %12.3f us  +-%4.1f %%  %4u samples", where, m->median_ns / 1000, m->spread * 50,
	       m->samples);
	if (m->clock_mhz > 0)
		printf("  %4.0f MHz", m->clock_mhz);
	if (m->check.done && !m->check.mismatches)
		printf("  outputs right%s", m->check.max_ulp > 0 ? " (within the limit)" : "");
	else if (m->check.done)
		printf("  OUTPUTS DIFFER: %llu of %llu", (unsigned long long)m->check.mismatches,
		       (unsigned long long)m->check.elements);
	printf("  %s\n", w->path);
	fflush(stdout);
}

static void progress(const Runner *r, const char *path)
{
	if (isatty(STDERR_FILENO) && r->all > 1)
		fprintf(stderr, "\r%u of %u: %s\033[K\r", r->done + 1, r->all, path);
}

bool job_run(Runner *r, const RunnerJob *job, Diag *d)
{
	JobWork w = {.r = r, .job = job, .arena = arena_new(), .path = job->path};
	progress(r, job->path);
	Measuring m = {.o = r->o, .dev = r->dev, .clock = r->clock, .store = r->store};
	Measured out;
	bool ok = describe_launch(&w, d) && bind(&w, d) && begin_run(&w, &m, d);
	if (ok) {
		m.launch = &w.launch;
		m.kernel = &w.kernel;
		ok = measure(&m, &out, d);
	}
	if (ok) {
		StoreEnd end = {.clock_mhz = out.clock_mhz, .mismatches = out.check.mismatches,
		                .max_ulp = out.check.max_ulp,
		                .checked = !out.check.done ? NULL : out.check.mismatches ? "different" : "equal"};
		ok = store_run_end(r->store, m.run, &end, d);
		r->different += out.check.mismatches > 0;
		show(&w, &out);
	}
	r->done++;
	if (!job->kept)
		kernel_free(&w.kernel);
	launch_free(&w.launch);
	free(w.read);
	arena_free(w.arena);
	return ok;
}
