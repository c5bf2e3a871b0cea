/* Sweeps: what was asked for, and the results of points as they came. A point's result follows from
 * the sweep alone, so that two stores may be joined in any order. */
#include "traces/store/store_impl.h"

#include <unistd.h>

bool store_sweep(Store *s, const char *key, const char *spec, i64 *id, Diag *d)
{
	return store_do(s, d, NULL, "INSERT INTO sweep(key, spec) VALUES(?,?) ON CONFLICT DO NOTHING", "tt", key,
	                spec) &&
	       store_do(s, d, id, "SELECT id FROM sweep WHERE key = ?", "t", key);
}

bool store_sweeps(Store *s, Arena *a, StoreSweeps *out, Diag *d)
{
	ARRAY(StoreSweep) list = {0};
	sqlite3_stmt *q = store_prepare(s, d, "SELECT id, key, spec FROM sweep ORDER BY key", "");
	bool ok;
	while (store_next(s, &q, &ok, d))
		array_push(&list,
		           ((StoreSweep){sqlite3_column_int64(q, 0), store_column(q, 1, a), store_column(q, 2, a)}));
	*out = (StoreSweeps){array_keep(&list, a), list.n};
	return ok;
}

bool store_swept(Store *s, i64 sweep, Arena *a, StoreSweptPoints *out, Diag *d)
{
	ARRAY(StoreSwept) list = {0};
	sqlite3_stmt *q = store_prepare(
	    s, d, "SELECT n, settings, status, note, report, results FROM sweep_point WHERE sweep_id = ? ORDER BY n",
	    "i", sweep);
	bool ok;
	while (store_next(s, &q, &ok, d)) {
		StoreSwept p = {(u32)sqlite3_column_int64(q, 0), store_column(q, 1, a), store_column(q, 2, a),
		                store_column(q, 3, a), store_column(q, 4, a), store_column(q, 5, a)};
		array_push(&list, p);
	}
	*out = (StoreSweptPoints){array_keep(&list, a), list.n};
	return ok;
}

bool store_swept_add(Store *s, i64 sweep, const StoreSwept *v, Diag *d)
{
	i64 other = 0;
	if (!store_do(s, d, NULL,
	              "INSERT INTO sweep_point(sweep_id, n, settings, status, note, report, results) "
	              "VALUES(?, ?, ?, ?, nullif(?, ''), nullif(?, ''), nullif(?, '')) ON CONFLICT DO NOTHING",
	              "iittttt", sweep, (i64)v->n, v->settings, v->status, v->note, v->report, v->results) ||
	    !store_do(s, d, &other,
	              "SELECT count(*) FROM sweep_point WHERE sweep_id = ? AND n = ? AND "
	              "(settings, status, note, report, results) IS NOT "
	              "(?, ?, nullif(?, ''), nullif(?, ''), nullif(?, ''))",
	              "iittttt", sweep, (i64)v->n, v->settings, v->status, v->note, v->report, v->results))
		return false;
	if (!other)
		return true;
	return diag_error(d, (Loc){s->path, 0, 0}, "point %u of the sweep is here with another result: %s", v->n,
	                  v->settings);
}

bool store_write_copy(Store *s, const char *path, Diag *d)
{
	unlink(path);
	return store_do(s, d, NULL, "VACUUM INTO ?", "t", path);
}
