/* Runs as lines of CSV, and back. One line a run: device, launch, time, the summary, and every
 * sample (in nanoseconds, with blanks between), so that nothing is lost but the kernels'
 * sources, which are found again by their paths and checked by their keys. */
#include "base/csv.h"
#include "traces/store/store_impl.h"

/* Columns of the file in order; those with a source are SQL of the export. */
static const struct {
	const char *name, *sql;
} columns[] = {
	{"device", "device.name"},
	{"vendor", "device.vendor"},
	{"driver", "device.driver"},
	{"pci", "device.pci"},
	{"model", "device.model"},
	{"path", "kernel.path"},
	{"source", "kernel.key"},
	{"kernel", "launch.name"},
	{"options", "launch.options"},
	{"family", "launch.family"},
	{"x", "launch.x"},
	{"started", "run.started"},
	{"program", "run.program"},
	{"clock_mhz", "run.clock_mhz"},
	{"checked", "run.checked"},
	{"mismatches", "run.mismatches"},
	{"max_ulp", "run.max_ulp"},
	{"run", "run.key"},
	{"samples", "count(sample.n)"},
	{"min_ns", "min(sample.device_ns)"},
	{"device_ns", "group_concat(coalesce(sample.device_ns, '-'), ' ')"},
	{"wall_ns", "group_concat(coalesce(sample.wall_ns, '-'), ' ')"},
};

bool store_export_csv(Store *s, Buf *out, Diag *d)
{
	Buf sql = {0};
	for (u32 i = 0; i < COUNT(columns); i++) {
		buf_printf(out, "%s%s", i ? "," : "", columns[i].name);
		buf_printf(&sql, "%s%s", i ? ", " : "SELECT ", columns[i].sql);
	}
	buf_printf(out, "\n");
	/* group_concat takes the rows as they come: the inner query has them in order. */
	buf_printf(&sql, " FROM run JOIN device ON device.id = run.device_id"
	                 " JOIN launch ON launch.id = run.launch_id"
	                 " JOIN kernel ON kernel.id = launch.kernel_id"
	                 " JOIN (SELECT * FROM sample ORDER BY run_id, n) AS sample"
	                 " ON sample.run_id = run.id GROUP BY run.id"
	                 " ORDER BY device.name, launch.family, launch.x, kernel.path, launch.name,"
	                 " launch.options, run.started, run.key");
	sqlite3_stmt *q = store_prepare(s, d, sql.v, "");
	array_free(&sql);
	bool ok;
	while (store_next(s, &q, &ok, d)) {
		for (u32 i = 0; i < COUNT(columns); i++) {
			buf_printf(out, i ? "," : "");
			csv_text((const char *)sqlite3_column_text(q, (int)i), out);
		}
		buf_printf(out, "\n");
	}
	return ok;
}

/* ---- in ---- */

/* The source at path (as it is, or beside the CSV file) when it is the text that was measured. */
static char *find_source(const char *csv, const char *path, const char *key)
{
	const char *slash = strrchr(csv, '/');
	for (u32 i = 0; i < 2; i++) {
		Buf name = {0};
		buf_printf(&name, "%.*s%s", i && slash ? (int)(slash - csv + 1) : 0, csv, path);
		size_t n;
		char *text = read_file(name.v, &n);
		array_free(&name);
		char own[STORE_KEY];
		if (text && strlen(text) == n) {
			store_key(own, (const char *const[]){text}, 1);
			if (!strcmp(own, key))
				return text;
		}
		free(text);
	}
	return NULL;
}

static const char *filled(const Csv *c, u32 row, const char *column)
{
	const char *text = csv_field(c, row, column);
	return text && *text ? text : NULL;
}

/* The next number of a list, '-' for none. False at the end. */
static bool next_time(const char **list, double *out, bool *bad)
{
	const char *p = *list + strspn(*list, " ");
	if (!*p)
		return false;
	char *end;
	*out = *p == '-' ? -1 : strtod(p, &end);
	if (*p == '-')
		end = (char *)p + 1;
	*bad = end == p || (*end && *end != ' ') || (*p != '-' && *out <= 0);
	*list = end;
	return !*bad;
}

static bool add_samples(Store *s, const Csv *c, u32 row, i64 run, Diag *d)
{
	const char *device = csv_field(c, row, "device_ns"), *wall = csv_field(c, row, "wall_ns");
	Loc at = {c->path, c->lines[row], 0};
	if (!device)
		return diag_error(d, at, "there is no column 'device_ns'");
	StoreSample v = {.run = run};
	bool bad = false;
	while (next_time(&device, &v.device_ns, &bad)) {
		v.wall_ns = -1;
		if (wall && !next_time(&wall, &v.wall_ns, &bad) && bad)
			break;
		if (!store_sample(s, &v, d))
			return false;
		v.n++;
	}
	if (!bad && v.n)
		return true;
	return diag_error(d, at, "device_ns, wall_ns: '%.20s' is no list of times in nanoseconds",
	                  bad ? device : "");
}

static bool add_end(Store *s, const Csv *c, u32 row, i64 run, Diag *d)
{
	double clock = 0, mismatches = 0, ulp = 0;
	if ((filled(c, row, "clock_mhz") && !csv_number(c, row, "clock_mhz", &clock, d)) ||
	    (filled(c, row, "mismatches") && !csv_number(c, row, "mismatches", &mismatches, d)) ||
	    (filled(c, row, "max_ulp") && !csv_number(c, row, "max_ulp", &ulp, d)))
		return false;
	StoreEnd end = {.clock_mhz = clock, .checked = filled(c, row, "checked"), .max_ulp = ulp,
	                .mismatches = mismatches > 0 ? (u64)mismatches : 0};
	return store_run_end(s, run, &end, d);
}

static bool add_row(Store *s, const Csv *c, u32 row, Diag *d)
{
	static const char *const needed[] = {"device", "path", "source", "kernel", "options", "run"};
	for (u32 i = 0; i < COUNT(needed); i++) {
		if (!filled(c, row, needed[i]))
			return diag_error(d, (Loc){c->path, c->lines[row], 0}, "'%s' is missing", needed[i]);
	}
	StoreDevice device = {.name = filled(c, row, "device"), .vendor = filled(c, row, "vendor"),
	                      .driver = filled(c, row, "driver"), .pci = filled(c, row, "pci"),
	                      .model = filled(c, row, "model")};
	const char *path = filled(c, row, "path"), *key = filled(c, row, "source");
	StoreLaunch launch = {.name = filled(c, row, "kernel"), .options = filled(c, row, "options"),
	                      .family = filled(c, row, "family"), .has_x = filled(c, row, "x")};
	StoreRun run = {.started = filled(c, row, "started"), .program = filled(c, row, "program"),
	                .key = filled(c, row, "run")};
	if (strlen(key) != STORE_KEY - 1)
		return diag_error(d, (Loc){c->path, c->lines[row], 0}, "source: '%s' is no key", key);
	if (launch.has_x && !csv_number(c, row, "x", &launch.x, d))
		return false;
	char *source = find_source(c->path, path, key);
	i64 id;
	bool ok = store_device(s, &device, &run.device, d) &&
	          store_kernel(s, path, source, key, &launch.kernel, d) &&
	          store_launch(s, &launch, &run.launch, d) && store_run(s, &run, &id, d) &&
	          add_samples(s, c, row, id, d) && add_end(s, c, row, id, d);
	free(source);
	return ok;
}

bool store_import_csv(Store *s, const char *path, const char *text, Diag *d)
{
	Arena *a = arena_new();
	Csv c;
	bool ok = csv_parse(&c, path, text, a, d) && store_begin(s, d);
	for (u32 i = 0; ok && i < c.nrows; i++)
		ok = add_row(s, &c, i, d);
	ok = store_finish(s, ok, d);
	arena_free(a);
	return ok;
}
