/* wavesim crosscheck: every measured launch of a store is simulated, and the estimate put beside
 * the measured time; estimates go into a store, not into exports. Where a store has no sources or a launch does not
 * fit, the point says so: none is left out
 * silently. */
#include "cli/commands.h"
#include "cli/show.h"

#include "report/crosscheck.h"
#include "traces/capture/launch_recorded.h"
#include "traces/store/import.h"

#include <dirent.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_DISAGREES = 1 };

/* Limits that are not given are NAN. */
typedef struct CrossOptions {
	const char *family, *html, *svg;
	double spearman, median, p90;
	bool summary, outputs;
} CrossOptions;
static const OptRow rows[] = {
	OPT_ROW_TEXT(CrossOptions, family, "--family", "NAME", "only the points of this family")
	OPT_ROW_TEXT(CrossOptions, html, "--html", "FILE", "write a page with the scatter plot and every point")
	OPT_ROW_TEXT(CrossOptions, svg, "--svg", "FILE", "write the scatter plot")
	OPT_ROW_NUMBER(CrossOptions, spearman, "--min-spearman", "R", -INFINITY, INFINITY, NAN,
	               "exit with status 1 if the rank correlation of a device's points is lower")
	OPT_ROW_NUMBER(CrossOptions, median, "--max-median", "PERCENT", -INFINITY, INFINITY, NAN,
	               "exit with status 1 if the median error of a device's points is larger")
	OPT_ROW_NUMBER(CrossOptions, p90, "--max-p90", "PERCENT", -INFINITY, INFINITY, NAN,
	               "exit with status 1 if the 90th percentile of their errors is larger")
	OPT_ROW_FLAG(CrossOptions, summary, "--summary", "show families only, not every point")
	OPT_ROW_FLAG(CrossOptions, outputs, "--keep-outputs",
	             "also store the outputs of each simulated launch; wavesim-runner compares the "
	             "outputs of the device with them")
};

typedef struct CrossCommand {
	CrossOptions own;
	char **rest;
	int nrest;
	Options o;
	Arena *arena;
	Store *store;
	StorePoints points;
	CrossPoint *checked;
	BuildCache build;
	CapFile *file; /* the launch file of the last recorded launch, or NULL */
	ARRAY(const char *) beside; /* files beside the store and in the folders there; of the arena */
	bool looked, late; /* late: --timeout ended a point */
	ARRAY(u64) absent; /* hashes of launch files that are nowhere */
} CrossCommand;

static bool split_words(CrossCommand *c, int argc, char *const *argv, Diag *d)
{
	c->rest = ARENA_ARRAY(c->arena, char *, argc + 1);
	return opt_take(rows, COUNT(rows), &c->own, 0, argc, argv, c->rest, &c->nrest, d);
}

/* ---- what was measured ---- */

/* Everything in a folder that is known; what is not is said and left out. */
static bool import_folder(CrossCommand *c, const char *path, Diag *d)
{
	ARRAY(char *) names = {0};
	DIR *dir = opendir(path);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		if (e->d_name[0] != '.')
			array_push(&names, arena_printf(c->arena, "%s/%s", path, e->d_name));
	}
	if (dir)
		closedir(dir);
	if (names.n)
		qsort(names.v, names.n, sizeof *names.v, by_text);
	for (u32 i = 0; i < names.n; i++) {
		struct stat st;
		Diag own;
		diag_init(&own);
		ImportOptions in = {0};
		if (!stat(names.v[i], &st) && S_ISREG(st.st_mode) && !store_import(c->store, names.v[i], &in, &own))
			diag_note(d, (Loc){names.v[i], 0, 0}, "left out: %s", own.msgs.v[0].text);
		diag_free(&own);
	}
	array_free(&names);
	return true;
}

static bool open_store(CrossCommand *c, Diag *d)
{
	const char *path = c->o.input;
	struct stat st;
	static const char database[] = "SQLite format 3";
	if (file_begins(path, database, sizeof database))
		return (c->store = store_open(path, STORE_EXISTING, d)) != NULL;
	if (stat(path, &st))
		return diag_error(d, NO_LOC, "cannot read '%s': there is no such file", path);
	c->store = store_open(":memory:", STORE_CREATE, d);
	ImportOptions in = {0};
	return c->store && (S_ISDIR(st.st_mode) ? import_folder(c, path, d)
	                                        : store_import(c->store, path, &in, d));
}

/* ---- one point ---- */

static void list_files(CrossCommand *c, const char *folder, u32 depth)
{
	struct stat st;
	DIR *dir = opendir(folder);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		const char *path = arena_printf(c->arena, "%s/%s", folder, e->d_name);
		if (e->d_name[0] == '.' || stat(path, &st))
			continue;
		if (S_ISDIR(st.st_mode) && depth)
			list_files(c, path, depth - 1);
		else if (S_ISREG(st.st_mode))
			array_push(&c->beside, path);
	}
	if (dir)
		closedir(dir);
}

static bool has_hash(CrossCommand *c, const char *path, u64 hash)
{
	struct stat st;
	Diag none;
	diag_init(&none);
	CapFile *f = !stat(path, &st) && S_ISREG(st.st_mode) && cap_is_file(path) ? cap_open(path, &none) : NULL;
	bool ok = f && cap_hash(f) == hash;
	if (ok) {
		cap_close(c->file);
		c->file = f;
	} else {
		cap_close(f);
	}
	diag_free(&none);
	return ok;
}

/* The launch file where it was when it was measured, as seen from the store or from here; else one beside the store,
 * or in a folder there, with that name; else with any. The hash decides. */
static bool find_file(CrossCommand *c, const RecordedRef *ref)
{
	const char *slash = strrchr(c->o.input, '/'), *name = path_name(ref->path);
	const char *folder = slash ? arena_printf(c->arena, "%.*s", (int)(slash - c->o.input), c->o.input) : ".";
	if (has_hash(c, ref->path, ref->hash) ||
	    (*ref->path != '/' && has_hash(c, arena_printf(c->arena, "%s/%s", folder, ref->path), ref->hash)))
		return true;
	if (!c->looked) {
		list_files(c, *folder ? folder : "/", 1);
		if (c->beside.n)
			qsort(c->beside.v, c->beside.n, sizeof *c->beside.v, by_text);
		c->looked = true;
	}
	for (u32 named = 2; named-- > 0;)
		for (u32 i = 0; i < c->beside.n; i++)
			if (!strcmp(path_name(c->beside.v[i]), name) == (named == 1) &&
			    has_hash(c, c->beside.v[i], ref->hash))
				return true;
	return false;
}

/* NULL, or why c->file is not the launch file. */
static const char *open_file(CrossCommand *c, const RecordedRef *ref, Diag *d)
{
	if (c->file && cap_hash(c->file) == ref->hash)
		return NULL;
	bool absent = false;
	for (u32 i = 0; i < c->absent.n; i++)
		absent |= c->absent.v[i] == ref->hash;
	if (!absent && find_file(c, ref)) {
		if (cap_check(c->file, d))
			return NULL;
		cap_close(c->file);
		c->file = NULL;
		return arena_printf(c->arena, "%s: %s", ref->path, d->msgs.n ? d->msgs.v[0].text : "it cannot be read");
	}
	if (!absent)
		array_push(&c->absent, ref->hash);
	return arena_printf(c->arena, "no launch file with the hash %016llx: neither %s nor one beside the store is it",
	                    (unsigned long long)ref->hash, ref->path);
}

/* What the point is a measurement of; NULL, or why it is not there. */
static const char *point_input(CrossCommand *c, const StorePoint *p, LaunchSpec *in, Diag *d)
{
	RecordedRef ref;
	*in = (LaunchSpec){.text = p->source, .complete = true};
	if (!recorded_ref(p->options, &ref, c->arena))
		return *p->source ? NULL
		                  : arena_printf(c->arena, "its source is not in the store, and %s is not its source",
		                                 p->path);
	*in = (LaunchSpec){0};
	const char *why = open_file(c, &ref, d);
	if (why)
		return why;
	if (!(in->recorded = recorded_find(&ref, c->file, d)))
		return arena_printf(c->arena, "%s: %s", ref.path, d->msgs.v[0].text);
	in->file = c->file;
	why = cap_why_missing(in->recorded);
	return why ? arena_printf(c->arena, "its memory was not kept: %s", why) : NULL;
}

/* The stored options, for that program and device. A store may come from a stranger: they describe a launch only. */
static bool point_options(const CrossCommand *c, const StorePoint *p, const LaunchSpec *in, const char *model,
                          Options *o, Diag *d)
{
	LaunchTokens t = {0};
	bool ok = launch_words(p->options, (Loc){.file = c->o.input}, NULL, c->arena, &t, d);
	char *argv[] = {"wavesim", arena_strdup(c->arena, in->file ? in->file->path : p->path), "--no-config",
	                "--device", arena_strdup(c->arena, model)};
	ok = ok && options_parse(o, COUNT(argv), argv, d) &&
	     (in->recorded || options_parse_page(o, t.v, t.n, NULL, d));
	array_free(&t);
	o->threads = c->o.threads;
	o->amd_library = c->o.amd_library; /* where this machine has it, and what it allows */
	o->sandbox = c->o.sandbox;
	o->no_cache = c->o.no_cache;
	o->cache_size = c->o.cache_size;
	o->max_instructions = c->o.max_instructions;
	o->max_launch_instructions = c->o.max_launch_instructions;
	o->timeout = c->o.timeout;
	o->sample = c->o.sample;
	o->time_cus = c->o.time_cus;
	o->start_ns = (u32)fmin(fmax(p->floor_ns, 0), 1e9); /* host and driver of the measurement have their own */
	o->no_reference = o->no_what_if = o->no_advice = true;
	o->warm = true; /* all of them are measured again and again, but not all from the same contents */
	o->not_copied = strncmp(p->program, "wavesim-runner", strlen("wavesim-runner")) != 0;
	return ok;
}

static bool estimate(CrossCommand *c, const StorePoint *p, const LaunchSpec *in, Options *o, StoreEstimate *out,
                     CrossPoint *point, Diag *d)
{
	LaunchSpec launch = specs_launch(o);
	launch.text = in->text;
	launch.complete = in->complete;
	launch.file = in->file;
	launch.recorded = in->recorded;
	bool ok;
	EngineRun *run = specs_execute(o, &launch, &c->build, (SpecsHost){0}, &ok, d);
	if (ok) {
		Result *r = engine_result(run);
		ok = r != NULL;
		if (ok) {
			engine_keep_estimate(r, c->arena, out, &point->bound_doc);
			point->vgpr_spills = r->machine.vgpr_spills;
		}
		result_free(r);
	}
	if (ok && c->own.outputs)
		ok = engine_keep_outputs(run, c->store, p->launch_id, d);
	c->late |= engine_late(run);
	engine_close(run);
	return ok;
}

/* False: --timeout ended it, which says nothing of the point. */
static bool check_point(CrossCommand *c, const StorePoint *p, CrossPoint *out, Diag *d)
{
	/* A configuration is for launches of one's own. */
	OptionId device = options_device_id(&c->o);
	const char *model = c->o.given[device] > GIVEN_CONFIG ? options_device(&c->o) : p->model;
	*out = (CrossPoint){
		.device = p->device, .model = model, .family = p->family, .kernel = p->kernel, .file = p->path,
		.options = p->options, .has_x = p->has_x, .x = p->x, .measured_us = p->median_ns / 1000,
		.fast_us = p->low_ns / 1000, .slow_us = p->high_ns / 1000, .samples = p->samples,
	};
	StoreEstimate e = {0};
	Diag own;
	diag_init(&own);
	Options o;
	options_init(&o);
	LaunchSpec in;
	if (!*model)
		e.problem = "wavesim has no device of this name: choose one with --device";
	else if ((e.problem = point_input(c, p, &in, &own)))
		; /* said */
	else if (!point_options(c, p, &in, model, &o, &own) || !estimate(c, p, &in, &o, &e, out, &own))
		e.problem = own.msgs.n ? arena_strndup(c->arena, own.msgs.v[0].text,
		                                       strcspn(own.msgs.v[0].text, "\n")) : "it does not run";
	if (c->late)
		diag_error(d, (Loc){.file = p->path}, "%s", e.problem);
	e.launch = p->launch_id;
	e.model = model;
	e.program = "wavesim " WAVESIM_VERSION;
	if (*model && !c->late && !store_estimate(c->store, &e, &own) && !e.problem)
		e.problem = "the store cannot be written";
	out->problem = e.problem;
	out->estimate_us = e.time_us;
	out->low_us = e.low_us;
	out->high_us = e.high_us;
	out->bound_by = e.bound_by;
	options_free(&o);
	diag_free(&own);
	return !c->late;
}

static bool check_all(CrossCommand *c, Diag *d)
{
	c->checked = ARENA_ARRAY(c->arena, CrossPoint, c->points.n + 1);
	bool terminal = isatty(STDERR_FILENO);
	bool ok = true;
	Buf family = {0};
	for (u32 i = 0; i < c->points.n && ok; i++) {
		const StorePoint *p = &c->points.v[i];
		family.n = 0;
		buf_write(&family, "", 0);
		buf_masked(&family, p->family, strlen(p->family), false);
		if (terminal)
			fprintf(stderr, "\r%u of %u: %s %g\033[K", i + 1, c->points.n, family.v, p->x);
		ok = check_point(c, p, &c->checked[i], d);
	}
	array_free(&family);
	if (terminal)
		fprintf(stderr, "\r\033[K");
	return ok;
}

/* ---- the result ---- */

/* Does every device keep the limits? What cannot be worked out, from too few points, does not. */
static bool good_enough(const CrossOptions *limit, const Crosscheck *r)
{
	for (u32 i = 0; i < r->nfamilies; i++) {
		const CrossFamily *f = &r->families[i];
		if (f->of != CROSS_ALL)
			continue;
		bool any = f->a.n > 0;
		if ((!isnan(limit->spearman) && !(f->a.spearman >= limit->spearman)) ||
		    (!isnan(limit->median) && !(any && agree_percent(f->a.median_log) <= limit->median)) ||
		    (!isnan(limit->p90) && !(any && agree_percent(f->a.p90_log) <= limit->p90)))
			return false;
	}
	return true;
}

static bool write_one(const char *path, void (*format)(const Crosscheck *, Buf *), const Crosscheck *r, Diag *d)
{
	Buf out = {0};
	if (!path)
		return true;
	format(r, &out);
	bool ok = output_file(path, NO_LOC, &out, d);
	array_free(&out);
	return ok;
}

static bool show(const CrossCommand *c, const Crosscheck *r, Diag *d)
{
	bool ok = write_one(c->own.svg, crosscheck_svg, r, d) &&
	          write_one(c->own.html, crosscheck_html, r, d) &&
	          write_one(c->o.json, crosscheck_json, r, d);
	if (!ok || c->o.quiet || is_stdout(c->o.json))
		return ok;
	Buf out = {0};
	crosscheck_text(r, !c->own.summary, &out);
	ok = output_text(&out, d);
	return ok;
}

void crosscheck_completes(CompletionCommand *c, Arena *a)
{
	completion_rows(c, rows, COUNT(rows), 0);
	completion_table(c, options_completes(&(OptionId){OPTION_json}, 1, a));
}

void crosscheck_help(Buf *out)
{
	buf_printf(out, "wavesim crosscheck FILE: estimates against measured times\n\n"
	           "FILE is a store or an export of wavesim-runner, timings of others, or a folder of these.\n"
	           "--device NAME (what to estimate for), --json FILE, --threads N, --quiet, and:\n\n");
	opt_help(rows, COUNT(rows), 0, out);
	buf_printf(out, "\nExit status: 0 fine, 1 a limit is exceeded, 2 bad input.\n");
}

static int run(CrossCommand *c, Diag *d)
{
	if (!c->o.input) {
		diag_error(d, NO_LOC, "which measurements?");
		diag_hint(d, "wavesim crosscheck timings.db, as wavesim-runner wrote it");
		return EXIT_BAD_INPUT;
	}
	if (!open_store(c, d) ||
	    !store_points(c->store, NULL, c->own.family, c->arena, &c->points, d))
		return EXIT_BAD_INPUT;
	if (!c->points.n) {
		diag_error(d, (Loc){c->o.input, 0, 0}, "there are no measured launches%s%s",
		           c->own.family ? " of family " : "",
		           c->own.family ? c->own.family : "");
		return EXIT_BAD_INPUT;
	}
	if (!check_all(c, d))
		return EXIT_BAD_INPUT;
	Crosscheck *r = crosscheck_build(c->o.input, "wavesim " WAVESIM_VERSION, c->checked, c->points.n,
	                                 c->arena);
	if (!show(c, r, d))
		return EXIT_BAD_INPUT;
	return good_enough(&c->own, r) ? EXIT_FINE : EXIT_DISAGREES;
}

int cmd_crosscheck(int argc, char *const *argv, Diag *d)
{
	CrossCommand c = {.arena = arena_new()};
	options_init(&c.o);
	int status = EXIT_BAD_INPUT;
	if (split_words(&c, argc, argv, d) && options_parse(&c.o, c.nrest, c.rest, d) &&
	    show_not_of_one(&c.o, OPTION_json, "a crosscheck", "write the result with --json, --html or --svg", d))
		status = run(&c, d);
	build_cache_free(&c.build);
	cap_close(c.file);
	array_free(&c.beside);
	array_free(&c.absent);
	store_close(c.store);
	options_free(&c.o);
	arena_free(c.arena);
	return status;
}
