/* Kernel Tuner's files: its cache (one object "cache" of configurations) and its results, schema T4
 * (a list "results"). Neither holds the kernel: --kernel-file names it. Each parameter becomes a
 * macro, as in the tuner; sizes follow its rule: groups = ceil(problem / divisor), of block_size. */
#include "traces/store/import_impl.h"
#include "traces/store/store_impl.h"

#include <errno.h>
#include <math.h>

/* One configuration a row: parameters as JSON, times as a JSON list in ms, why it did not run. The whole
 * file is parsed for each json_each(?1 …), and so once only. */
static const char cache_sql[] =
	"WITH k AS MATERIALIZED (SELECT value FROM json_each(?1, '$.tune_params_keys'))"
	"SELECT (SELECT json_group_object(k.value, c.value ->> ('$.' || k.value)) FROM k),"
	" coalesce(json_extract(c.value, '$.times'), json_array(json_extract(c.value, '$.time'))),"
	" iif(typeof(json_extract(c.value, '$.time')) = 'text', json_extract(c.value, '$.time'), NULL)"
	" FROM json_each(?1, '$.cache') AS c";
static const char results_sql[] =
	"SELECT json_extract(r.value, '$.configuration'),"
	" coalesce(json_extract(r.value, '$.times.runtimes'), (SELECT json_array(m.value ->> '$.value')"
	"	FROM json_each(r.value, '$.measurements') AS m WHERE m.value ->> '$.name' = 'time')),"
	" nullif(json_extract(r.value, '$.invalidity'), 'correct')"
	" FROM json_each(?1, '$.results') AS r";

static const char *text_of(Import *in, const char *where)
{
	sqlite3_stmt *q = store_prepare(in->s, in->d, "SELECT json_extract(?1, ?2)", "tt", in->text, where);
	const char *text = q && sqlite3_step(q) == SQLITE_ROW ? store_column(q, 0, in->arena) : "";
	sqlite3_finalize(q);
	return *text ? text : NULL;
}

/* "[4096,4096]" as the file has it, or a plain text. */
static bool problem_of(Import *in, u64 out[3])
{
	const char *text = in->o->problem ? in->o->problem : text_of(in, "$.problem_size");
	if (!text)
		text = text_of(in, "$.metadata.problem_size");
	if (!text) {
		diag_error(in->d, (Loc){in->path, 0, 0}, "this file does not say the problem size");
		return diag_hint(in->d, "say it with --problem X,Y");
	}
	char *plain = arena_strdup(in->arena, *text == '[' ? text + 1 : text);
	plain[strcspn(plain, "]")] = 0;
	return import_problem(in, plain, out);
}

/* The numbers of a JSON list. False: some is none. */
static bool times_of(Import *in, const char *list, double *ms, u32 max, u32 *n)
{
	sqlite3_stmt *q = store_prepare(in->s, in->d, "SELECT value, type FROM json_each(?)", "t", list);
	bool ok = q != NULL;
	*n = 0;
	while (ok && *n < max && sqlite3_step(q) == SQLITE_ROW) {
		const char *type = (const char *)sqlite3_column_text(q, 1);
		ms[*n] = sqlite3_column_double(q, 0);
		ok = (!strcmp(type, "real") || !strcmp(type, "integer")) && ms[*n] > 0 && isfinite(ms[*n]);
		(*n)++;
	}
	sqlite3_finalize(q);
	return ok && *n;
}

static bool configuration(Import *in, const char *config, const char *list, const u64 problem[3])
{
	enum { PARAMS = 64, TIMES = 1000 };
	TuneParam params[PARAMS];
	double *ms = ARENA_ARRAY(in->arena, double, TIMES);
	u32 n = 0, ntimes;
	sqlite3_stmt *q = store_prepare(in->s, in->d, "SELECT key, value FROM json_each(?)", "t", config);
	while (q && n < PARAMS && sqlite3_step(q) == SQLITE_ROW) {
		params[n++] = (TuneParam){store_column(q, 0, in->arena), store_column(q, 1, in->arena)};
		if (strpbrk(params[n - 1].name, "' \\") || strpbrk(params[n - 1].value, "'\\")) {
			sqlite3_finalize(q);
			return diag_error(in->d, (Loc){in->path, 0, 0}, "'%s' is no name of a parameter, or '%s' no "
			                  "value", params[n - 1].name, params[n - 1].value);
		}
	}
	sqlite3_finalize(q);
	if (!times_of(in, list, ms, TIMES, &ntimes)) {
		in->invalid++;
		return true;
	}
	const char *options = import_tuned_options(in, params, n, problem, in->o->args);
	return options && import_point(in, options, in->name, ms, ntimes);
}

static bool all_configurations(Import *in, bool cache, const u64 problem[3])
{
	sqlite3_stmt *q = store_prepare(in->s, in->d, cache ? cache_sql : results_sql, "t", in->text);
	if (!q)
		return false;
	bool ok = true;
	int code = SQLITE_DONE;
	while (ok && (code = sqlite3_step(q)) == SQLITE_ROW) {
		const char *config = store_column(q, 0, in->arena), *times = store_column(q, 1, in->arena);
		if (*config && *times && sqlite3_column_type(q, 2) == SQLITE_NULL)
			ok = configuration(in, config, times, problem);
		else
			in->invalid++;
	}
	if (ok && code != SQLITE_DONE)
		ok = store_fail(in->s, "read this file", in->d);
	sqlite3_finalize(q);
	return ok;
}

bool import_tuner(Import *in)
{
	i64 kind = 0;
	Loc at = {in->path, 0, 0};
	if (!store_do(in->s, in->d, &kind, "SELECT iif(NOT json_valid(?1), -1,"
	              " iif(json_type(?1, '$.cache') = 'object', 1, iif(json_type(?1, '$.results') = 'array', 2, 0)))",
	              "t", in->text))
		return false;
	if (kind < 0)
		return diag_error(in->d, at, "this is not JSON; was it cut off?");
	if (kind != 1 && kind != 2)
		return diag_error(in->d, at, "this JSON is neither an export of a store nor a file of Kernel Tuner");
	const char *device = text_of(in, "$.device_name"), *source = NULL, *path = in->o->kernel_path;
	in->name = in->o->kernel ? in->o->kernel : text_of(in, "$.kernel_name");
	if (!in->name) {
		diag_error(in->d, at, "this file does not name its kernel");
		return diag_hint(in->d, "say it with --kernel");
	}
	if (path && !(source = read_file(path, NULL)))
		return diag_error(in->d, NO_LOC, "cannot read '%s': %s", path, strerror(errno));
	u64 problem[3];
	bool ok = problem_of(in, problem) &&
	          import_begin(in, kind == 1 ? "Kernel Tuner cache" : "Kernel Tuner T4", NULL, NULL, device,
	                       NULL, path ? path : "unknown", source) &&
	          all_configurations(in, kind == 1, problem);
	free((char *)source);
	return ok;
}
