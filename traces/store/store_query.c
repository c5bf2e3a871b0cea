/* Questions to the store. */
#include "traces/store/store_impl.h"

#include <sys/stat.h>

/* All samples of a launch on a device, in order of time; an even count has two middle ones.
 * Where a device gives no time of its own, the wall clock is used. */
static const char points_sql[] =
	"WITH ranked AS (SELECT run.launch_id, run.device_id,"
	"	coalesce(sample.device_ns, sample.wall_ns) AS ns,"
	"	row_number() OVER w AS r, count(*) OVER (PARTITION BY run.launch_id, run.device_id) AS n"
	"	FROM sample JOIN run ON run.id = sample.run_id"
	"	WHERE coalesce(sample.device_ns, sample.wall_ns) > 0"
	"	WINDOW w AS (PARTITION BY run.launch_id, run.device_id"
	"	             ORDER BY coalesce(sample.device_ns, sample.wall_ns))),"
	" times AS (SELECT launch_id, device_id, max(n) AS n, min(ns) AS least,"
	"	avg(iif(r IN ((n + 1) / 2, (n + 2) / 2), ns, NULL)) AS median,"
	"	max(iif(r = 1 + (n - 1) / 10, ns, NULL)) AS low,"
	"	max(iif(r = n - (n - 1) / 10, ns, NULL)) AS high"
	"	FROM ranked GROUP BY launch_id, device_id)"
	" SELECT launch.id, device.name, device.driver, device.model, launch.name, kernel.path,"
	"	kernel.source, launch.options, launch.family, max(run.started), run.program,"
	"	import.source, run.checked, launch.x, max(run.clock_mhz), times.n, times.least,"
	"	times.median, times.low, times.high, coalesce(import.floor_ns, 0)"
	" FROM times JOIN launch ON launch.id = times.launch_id"
	"	JOIN kernel ON kernel.id = launch.kernel_id JOIN device ON device.id = times.device_id"
	"	JOIN run ON run.launch_id = times.launch_id AND run.device_id = times.device_id"
	"	LEFT JOIN import ON import.id = run.import_id"
	" WHERE (?1 IS NULL OR device.name = ?1 OR device.model = ?1)"
	"	AND (?2 IS NULL OR launch.family = ?2)"
	" GROUP BY times.launch_id, times.device_id"
	" ORDER BY device.name, device.driver, launch.family IS NULL, launch.family, launch.x,"
	"	kernel.path, launch.name, launch.options, launch.key";

static void read_point(sqlite3_stmt *q, Arena *a, StorePoint *p)
{
	*p = (StorePoint){
		.launch_id = sqlite3_column_int64(q, 0),
		.device = store_column(q, 1, a),
		.driver = store_column(q, 2, a),
		.model = store_column(q, 3, a),
		.kernel = store_column(q, 4, a),
		.path = store_column(q, 5, a),
		.source = store_column(q, 6, a),
		.options = store_column(q, 7, a),
		.family = store_column(q, 8, a),
		.started = store_column(q, 9, a),
		.program = store_column(q, 10, a),
		.origin = store_column(q, 11, a),
		.checked = store_column(q, 12, a),
		.has_x = sqlite3_column_type(q, 13) != SQLITE_NULL,
		.x = sqlite3_column_double(q, 13),
		.clock_mhz = sqlite3_column_double(q, 14),
		.samples = (u32)sqlite3_column_int64(q, 15),
		.min_ns = sqlite3_column_double(q, 16),
		.median_ns = sqlite3_column_double(q, 17),
		.low_ns = sqlite3_column_double(q, 18),
		.high_ns = sqlite3_column_double(q, 19),
		.floor_ns = sqlite3_column_double(q, 20),
	};
}

bool store_points(Store *s, const char *device, const char *family, Arena *a, StorePoints *out,
                  Diag *d)
{
	ARRAY(StorePoint) list = {0};
	sqlite3_stmt *q = store_prepare(s, d, points_sql, "tt", device, family);
	bool ok;
	while (store_next(s, &q, &ok, d)) {
		StorePoint p;
		read_point(q, a, &p);
		array_push(&list, p);
	}
	out->n = list.n;
	out->v = array_keep(&list, a);
	return ok;
}

bool store_summary(Store *s, Buf *out, Diag *d)
{
	static const struct {
		const char *one, *many, *sql;
	} tables[] = {
		{"device", "devices", "SELECT count(*) FROM device"},
		{"kernel file", "kernel files", "SELECT count(*) FROM kernel"},
		{"launch", "launches", "SELECT count(*) FROM launch"},
		{"run", "runs", "SELECT count(*) FROM run"},
		{"sample", "samples", "SELECT count(*) FROM sample"},
		{"estimate", "estimates", "SELECT count(*) FROM estimate"},
		{"import", "imports", "SELECT count(*) FROM import"},
	};
	for (u32 i = 0; i < COUNT(tables); i++) {
		i64 n = 0;
		if (!store_do(s, d, &n, tables[i].sql, ""))
			return false;
		buf_printf(out, "%s%lld %s", i ? ", " : "", (long long)n,
		           n == 1 ? tables[i].one : tables[i].many);
	}
	struct stat st;
	if (!stat(s->path, &st))
		buf_printf(out, "; %lld KiB", (long long)(st.st_size + 1023) / 1024);
	buf_printf(out, "\n");
	return true;
}
