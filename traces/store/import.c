/* Whose file is it? Known by what it begins with, not by its name. And what importers share. */
#include "traces/capture/capture.h"
#include "traces/store/import_impl.h"
#include "traces/store/store_impl.h"

#include <errno.h>

bool import_begin(Import *in, const char *format, const char *origin, const char *licence,
                  const char *device, const char *model, const char *kernel_path, const char *source)
{
	const ImportOptions *o = in->o;
	StoreImport row = {.path = in->path, .format = format, .source = o->source ? o->source : origin,
	                   .licence = o->licence ? o->licence : licence, .text = in->text,
	                   .size = strlen(in->text)};
	StoreDevice dev = {.name = o->device ? o->device : device, .model = o->model ? o->model : model};
	bool fresh;
	if (!dev.name) {
		diag_error(in->d, (Loc){in->path, 0, 0}, "this file does not say which device was measured");
		return diag_hint(in->d, "say it with --device-name");
	}
	if (!store_import_row(in->s, &row, &in->import, &fresh, in->d))
		return false;
	if (!fresh) {
		diag_note(in->d, (Loc){in->path, 0, 0}, "this file was imported before");
		return false;
	}
	return store_device(in->s, &dev, &in->device, in->d) &&
	       store_kernel(in->s, kernel_path, source, "00000000000000000000000000000000", &in->kernel,
	                    in->d);
}

bool import_point(Import *in, const char *options, const char *family, const double *ms, u32 n)
{
	StoreLaunch launch = {.kernel = in->kernel, .name = in->name, .options = options,
	                      .family = in->o->family ? in->o->family : family};
	StoreRun run = {.device = in->device, .import = in->import, .program = "import"};
	StoreEnd end = {0};
	i64 id;
	bool ok = store_launch(in->s, &launch, &run.launch, in->d) && store_run(in->s, &run, &id, in->d);
	for (u32 i = 0; ok && i < n; i++) {
		StoreSample s = {id, i, ms[i] * 1e6, -1};
		if (ms[i] > 0 && (in->smallest <= 0 || ms[i] < in->smallest))
			in->smallest = ms[i];
		ok = store_sample(in->s, &s, in->d);
	}
	in->added++;
	return ok && store_run_end(in->s, id, &end, in->d);
}

bool import_floor(Import *in)
{
	const char *given = in->o->floor;
	double us = in->smallest * 1e3, own;
	if (given && strcmp(given, "smallest")) {
		if (!parse_f64(given, &own) || own < 0 || own > us)
			return diag_error(in->d, (Loc){in->path, 0, 0},
			                  "--floor %s: it is \"smallest\", or microseconds up to the "
			                  "smallest time, %g",
			                  given, us);
		us = own;
	} else if (!given && !in->floors) {
		return true;
	}
	return store_do(in->s, in->d, NULL, "UPDATE import SET floor_ns = ? WHERE id = ?", "ri", us * 1e3, in->import);
}

/* ---- tuned kernels ---- */

bool import_problem(Import *in, const char *text, u64 out[3])
{
	out[0] = out[1] = out[2] = 1;
	for (u32 i = 0; i < 3 && *text; i++) {
		char word[32] = "";
		size_t n = strcspn(text, ",-x ");
		if (n < sizeof word)
			memcpy(word, text, n);
		if (!parse_u64(word, &out[i]) || !out[i])
			return diag_error(in->d, (Loc){in->path, 0, 0}, "problem size: '%s' is no size", text);
		text += n + (text[n] != 0);
	}
	return true;
}

static u64 value_of(const TuneParam *p, u32 n, const char *name, size_t len)
{
	u64 v = 0;
	for (u32 i = 0; i < n; i++) {
		if (strlen(p[i].name) == len && !memcmp(p[i].name, name, len) && parse_u64(p[i].value, &v))
			return v;
	}
	return 0;
}

/* The product of named parameters; 0: one is missing. */
static u64 product(const TuneParam *p, u32 n, const char *names)
{
	u64 v = 1;
	for (;;) {
		size_t len = strcspn(names, ",");
		v *= value_of(p, n, names, len);
		if (!names[len])
			return v;
		names += len + 1;
	}
}

const char *import_tuned_options(Import *in, const TuneParam *p, u32 n, const u64 problem[3],
                                 const char *rest)
{
	static const char *const block[] = {"block_size_x", "block_size_y", "block_size_z"};
	u64 local[3], global[3];
	for (u32 i = 0; i < 3; i++) {
		local[i] = value_of(p, n, block[i], strlen(block[i]));
		if (!local[i])
			local[i] = 1;
		u64 by = in->o->divisor[i] ? product(p, n, in->o->divisor[i]) : local[i];
		if (!by) {
			diag_error(in->d, (Loc){in->path, 0, 0}, "'%s' does not name parameters of this file",
			           in->o->divisor[i]);
			return NULL;
		}
		global[i] = (problem[i] + by - 1) / by * local[i];
	}
	Buf out = {0};
	buf_printf(&out, "--kernel %s --global %llu,%llu,%llu --local %llu,%llu,%llu", in->name,
	           (unsigned long long)global[0], (unsigned long long)global[1],
	           (unsigned long long)global[2], (unsigned long long)local[0],
	           (unsigned long long)local[1], (unsigned long long)local[2]);
	for (u32 i = 0; i < n; i++)
		buf_printf(&out, " -D '%s=%s'", p[i].name, p[i].value);
	if (rest && *rest)
		buf_printf(&out, " %s", rest);
	return buf_keep(&out, in->arena);
}

/* ---- whose file ---- */

static bool is_own_json(Store *s, const char *text, Diag *d)
{
	i64 own = 0;
	return store_do(s, d, &own, "SELECT iif(json_valid(?1), json_extract(?1, '$.format') IS NOT NULL, 0)",
	                "t", text) && own;
}

static bool others(Import *in)
{
	bool ok = store_begin(in->s, in->d);
	u32 before = in->d->errors;
	ok = ok && (*in->text == '{' ? import_tuner(in) : import_set(in)) && import_floor(in);
	if (store_finish(in->s, ok, in->d)) {
		diag_note(in->d, (Loc){in->path, 0, 0}, "%u launches, %u configurations that did not run",
		          in->added, in->invalid);
		return true;
	}
	return in->d->errors == before; /* imported before: nothing to do */
}

bool store_import(Store *s, const char *path, const ImportOptions *o, Diag *d)
{
	size_t n;
	if (cap_is_file(path)) {
		Import recorded = {.s = s, .path = path, .o = o, .d = d, .arena = arena_new()};
		bool good = import_recorded(&recorded);
		arena_free(recorded.arena);
		return good;
	}
	char *text = read_file(path, &n);
	if (!text)
		return diag_error(d, NO_LOC, "cannot read '%s': %s", path, strerror(errno));
	Import in = {.s = s, .path = path, .text = text, .o = o, .d = d, .arena = arena_new()};
	bool json = *text == '{', ok;
	bool export = (json && is_own_json(s, text, d)) || !strncmp(text, "device,", 7);
	if (strlen(text) != n)
		ok = diag_error(d, (Loc){path, 0, 0}, "this is not a text file");
	else if (export && o->floor)
		ok = diag_error(d, (Loc){path, 0, 0},
		                "--floor is for timings of others: this is an export of wavesim-runner, "
		                "which has its own");
	else if (export)
		ok = json ? store_import_json(s, path, text, d) : store_import_csv(s, path, text, d);
	else if (json || import_is_set(text))
		ok = others(&in);
	else {
		ok = diag_error(d, (Loc){path, 0, 0}, "this is none of the files that can be imported");
		diag_hint(d,
		          "these are: an export of wavesim-runner, a launch file, a cache or T4 file of Kernel Tuner, "
		          "a measured set");
	}
	arena_free(in.arena);
	free(text);
	return ok;
}
