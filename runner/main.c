/* wavesim-runner: which command, and the exit status. */
#include "runner/runner.h"

#include "commit.h"

#include <errno.h>

static int print_text(Buf *out)
{
	fputs(out->v, stdout);
	array_free(out);
	return EXIT_FINE;
}

/* ---- measuring ---- */

/* Open the device and the store, and let work measure. */
static int with_device(RunnerOptions *o, bool (*work)(Runner *r, Diag *d), Diag *d)
{
	ClDevList list;
	if (!cldev_list(&list, o->arena, d))
		return EXIT_BAD_INPUT;
	ClDev *dev = cldev_choose(&list, o->device, d);
	if (!dev)
		return EXIT_BAD_INPUT;
	if (o->model)
		dev->model = o->model;
	Runner r = {.o = o, .dev = dev};
	r.store = store_open(o->db, STORE_CREATE, d);
	StoreDevice row = {.name = dev->board ? dev->board : dev->name, .vendor = dev->vendor,
	                   .driver = dev->driver, .pci = dev->pci, .model = dev->model,
	                   .attributes = dev->attributes, .nattributes = dev->nattributes};
	bool ok = r.store && store_device(r.store, &row, &r.device_id, d) && cldev_open(dev, d);
	if (ok) {
		r.clock = clock_open(dev);
		if (!o->quiet)
			printf("%s, driver %s%s%s, into %s\n", row.name, dev->driver ? dev->driver : "unknown",
			       dev->model ? ", wavesim's " : "", dev->model ? dev->model : "", o->db);
		ok = work(&r, d);
		clock_close(r.clock);
	}
	cldev_close(dev);
	store_close(r.store);
	return !ok ? EXIT_BAD_INPUT : r.different ? EXIT_WRONG : EXIT_FINE;
}

static bool measure_files(Runner *r, Diag *d)
{
	bool ok = true;
	r->all = r->o->files.n;
	for (u32 i = 0; i < r->o->files.n; i++) {
		if (cap_is_file(r->o->files.v[i])) {
			ok &= recorded_run(r, r->o->files.v[i], d);
			continue;
		}
		RunnerJob job = {.path = r->o->files.v[i], .family = r->o->family, .has_x = r->o->family != NULL,
		           .x = r->o->x};
		ok &= job_run(r, &job, d);
	}
	return ok;
}

static int cmd_measure(RunnerOptions *o, Diag *d)
{
	if (o->files.n)
		return with_device(o, measure_files, d);
	diag_error(d, NO_LOC, "which kernel file?");
	diag_hint(d, "wavesim-runner kernel.cl measures one; wavesim-runner --help lists the rest");
	return EXIT_BAD_INPUT;
}

static int cmd_probe(RunnerOptions *o, Diag *d)
{
	if (o->files.n == 2 && !strcmp(o->files.v[1], "list")) {
		Buf out = {0};
		probe_list(&out);
		return print_text(&out);
	}
	if (o->files.n == 1)
		return with_device(o, probe_run, d);
	diag_error(d, NO_LOC, "probe: what is '%s'?", o->files.v[1]);
	diag_hint(d, "probe runs all, probe --family NAME one family, probe list names them");
	return EXIT_BAD_INPUT;
}

static int cmd_devices(RunnerOptions *o, Diag *d)
{
	ClDevList list;
	if (!cldev_list(&list, o->arena, d))
		return EXIT_BAD_INPUT;
	const char *which = o->files.n > 1 ? o->files.v[1] : o->device;
	const ClDev *only = which ? cldev_choose(&list, which, d) : NULL;
	if (which && !only)
		return EXIT_BAD_INPUT;
	Buf out = {0};
	buf_printf(&out, "%s", "");
	for (u32 i = 0; i < list.n; i++) {
		if (!only || only == &list.v[i])
			cldev_print(&list.v[i], i, only != NULL, &out);
	}
	return print_text(&out);
}

/* ---- the store ---- */

static bool write_text(const char *path, const Buf *text, Diag *d)
{
	bool to_stdout = !strcmp(path, "-");
	FILE *f = to_stdout ? stdout : fopen(path, "wb");
	bool ok = f && fwrite(text->v, 1, text->n, f) == text->n && fflush(f) == 0;
	int e = errno;
	if (f && !to_stdout && fclose(f))
		ok = false;
	return ok || diag_error(d, NO_LOC, "cannot write '%s': %s", path, strerror(e));
}

static int cmd_export(RunnerOptions *o, Diag *d)
{
	if (o->files.n != 2) {
		diag_error(d, NO_LOC, "export: to which file?");
		diag_hint(d, "wavesim-runner export timings.json, or timings.csv, or -");
		return EXIT_BAD_INPUT;
	}
	Store *s = store_open(o->db, STORE_EXISTING, d);
	if (!s)
		return EXIT_BAD_INPUT;
	Buf out = {0};
	const char *path = o->files.v[1];
	bool ok = (path_ends(path, ".csv") ? store_export_csv(s, &out, d) : store_export_json(s, &out, d)) &&
	          write_text(path, &out, d);
	array_free(&out);
	store_close(s);
	return ok ? EXIT_FINE : EXIT_BAD_INPUT;
}

static int cmd_import(RunnerOptions *o, Diag *d)
{
	if (o->files.n < 2) {
		diag_error(d, NO_LOC, "import: which file?");
		return EXIT_BAD_INPUT;
	}
	ImportOptions in = {.kernel_path = o->kernel_file, .problem = o->problem,
	                    .divisor = {o->div_x, o->div_y, o->div_z}, .args = o->launch_args,
	                    .device = o->device_name, .model = o->model, .family = o->family,
	                    .source = o->origin, .licence = o->licence, .floor = o->floor};
	for (u32 i = 0; i < o->launch.n; i++) {
		if (!strcmp(o->launch.v[i].name, "--kernel"))
			in.kernel = o->launch.v[i].value;
	}
	Store *s = store_open(o->db, STORE_CREATE, d);
	bool ok = s != NULL;
	for (u32 i = 1; ok && i < o->files.n; i++)
		ok = store_import(s, o->files.v[i], &in, d);
	store_close(s);
	return ok ? EXIT_FINE : EXIT_BAD_INPUT;
}

static int cmd_info(RunnerOptions *o, Diag *d)
{
	Store *s = store_open(o->db, STORE_EXISTING, d);
	Buf out = {0};
	bool ok = s && store_check(s, d) && store_summary(s, &out, d);
	if (ok)
		printf("%s: %s", o->db, out.v);
	array_free(&out);
	store_close(s);
	return ok ? EXIT_FINE : EXIT_BAD_INPUT;
}

/* ---- commands ---- */

static int cmd_completion(RunnerOptions *o, Diag *d);

static const struct {
	const char *name, *what;
	int (*run)(RunnerOptions *o, Diag *d);
} commands[] = {
	{"devices", "the OpenCL devices; all properties of one", cmd_devices},
	{"probe", "measure what wavesim's models assume", cmd_probe},
	{"export", "write what the store holds", cmd_export},
	{"import", "add measurements of others", cmd_import},
	{"info", "list what the store holds, and check it for damage", cmd_info},
	{"completion", "a script for bash, zsh or fish that completes commands and options", cmd_completion},
};

static int cmd_completion(RunnerOptions *o, Diag *d)
{
	CompletionCommand all[COUNT(commands) + 1] = {0};
	Buf out = {0};
	for (u32 i = 0; i < COUNT(all); i++) {
		completion_table(&all[i], runner_options_completes());
		if (i < COUNT(commands))
			all[i].name = commands[i].name, all[i].help = commands[i].what;
		if (i < COUNT(commands) && commands[i].run == cmd_completion)
			all[i].words = COMPLETION_SHELLS;
	}
	const Completion c = {.program = "wavesim-runner", .commands = all, .ncommands = COUNT(all)};
	if (!completion_write(&c, o->files.n == 2 ? o->files.v[1] : NULL, &out, d)) {
		array_free(&out);
		return EXIT_BAD_INPUT;
	}
	return print_text(&out);
}

static int run(RunnerOptions *o, int argc, char *const *argv, Diag *d)
{
	if (!runner_options_parse(o, argc, argv, d))
		return EXIT_BAD_INPUT;
	if (o->help) {
		Buf out = {0};
		runner_options_help(&out);
		return print_text(&out);
	}
	if (o->version) {
		printf("wavesim-runner %s (%s)\n  SQLite  %s\n", WAVESIM_VERSION, WAVESIM_COMMIT, store_sqlite());
		return EXIT_FINE;
	}
	for (u32 i = 0; o->files.n && i < COUNT(commands); i++) {
		if (!strcmp(o->files.v[0], commands[i].name))
			return commands[i].run(o, d);
	}
	return cmd_measure(o, d);
}

int main(int argc, char **argv)
{
	Diag d;
	diag_init(&d);
	RunnerOptions o;
	runner_options_init(&o);
	int status = run(&o, argc, argv, &d);
	diag_flush(&d);
	runner_options_free(&o);
	return status;
}
