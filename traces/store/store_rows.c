/* Rows of the store: each is found by its key or added. */
#include "traces/store/store_impl.h"

#include <time.h>
#include <unistd.h>

/* ---- keys ---- */

void store_key(char out[STORE_KEY], const char *const *parts, u32 n)
{
	const u128 prime = ((u128)1 << 88) + 0x13b;
	u128 h = ((u128)0x6c62272e07bb0142ull << 64) + 0x62b821756295c58dull;
	for (u32 i = 0; i < n; i++) {
		/* The end counts too, so that "a","b" is not "ab",""; nothing is not "". */
		for (const char *p = parts[i] ? parts[i] : "\xff"; *p; p++)
			h = (h ^ (u8)*p) * prime;
		h *= prime;
	}
	snprintf(out, STORE_KEY, "%016llx%016llx", (unsigned long long)(h >> 64),
	         (unsigned long long)h);
}
#define KEY(out, ...) \
	store_key((out), (const char *const[]){__VA_ARGS__}, \
	          sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* The statement adds the row unless it is there; either way its number is wanted. */
static bool number_of(Store *s, const char *table, const char *key, i64 *id, Diag *d)
{
	char sql[64];
	snprintf(sql, sizeof sql, "SELECT id FROM %s WHERE key = ?", table);
	return store_do(s, d, id, sql, "t", key);
}

/* ---- devices and launches ---- */

bool store_device(Store *s, const StoreDevice *v, i64 *id, Diag *d)
{
	char key[STORE_KEY];
	KEY(key, v->name, v->vendor, v->driver, v->pci);
	if (!store_do(s, d, NULL,
	              "INSERT INTO device(key, name, vendor, driver, pci, model) VALUES(?,?,?,?,?,?) "
	              "ON CONFLICT(key) DO UPDATE SET model = coalesce(excluded.model, model)",
	              "tttttt", key, v->name, v->vendor, v->driver, v->pci, v->model) ||
	    !number_of(s, "device", key, id, d))
		return false;
	for (u32 i = 0; i < v->nattributes; i++) {
		if (!store_do(s, d, NULL, "INSERT OR REPLACE INTO attribute VALUES(?,?,?)", "itt", *id,
		              v->attributes[i].name, v->attributes[i].value))
			return false;
	}
	return true;
}

bool store_kernel(Store *s, const char *path, const char *source, const char *key, i64 *id, Diag *d)
{
	char own[STORE_KEY];
	if (source)
		KEY(own, source);
	else
		snprintf(own, sizeof own, "%s", key);
	return store_do(s, d, NULL,
	                "INSERT INTO kernel(key, path, source) VALUES(?,?,?) "
	                "ON CONFLICT(key) DO UPDATE SET source = coalesce(source, excluded.source)",
	                "ttt", own, path, source) &&
	       number_of(s, "kernel", own, id, d);
}

bool store_launch(Store *s, const StoreLaunch *v, i64 *id, Diag *d)
{
	char key[STORE_KEY], kernel[32];
	snprintf(kernel, sizeof kernel, "%lld", (long long)v->kernel);
	Arena *a = arena_new();
	sqlite3_stmt *q = store_prepare(s, d, "SELECT key FROM kernel WHERE id = ?", "i", v->kernel);
	bool ok = q && sqlite3_step(q) == SQLITE_ROW;
	if (ok)
		KEY(key, store_column(q, 0, a), v->name, v->options, v->family);
	sqlite3_finalize(q);
	arena_free(a);
	const char *sql = v->has_x
		? "INSERT INTO launch(key, kernel_id, name, options, family, x) VALUES(?,?,?,?,?,?) "
		  "ON CONFLICT DO NOTHING"
		: "INSERT INTO launch(key, kernel_id, name, options, family) VALUES(?,?,?,?,?) "
		  "ON CONFLICT DO NOTHING";
	return ok &&
	       store_do(s, d, NULL, sql, v->has_x ? "titttr" : "tittt", key, v->kernel, v->name,
	                v->options, v->family, v->x) &&
	       number_of(s, "launch", key, id, d);
}

/* ---- measuring ---- */

/* No two runs of the world have it. */
static void new_run_key(char key[STORE_KEY])
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	u64 random = 0;
	FILE *f = fopen("/dev/urandom", "rb");
	if (f) {
		if (fread(&random, sizeof random, 1, f) != 1)
			random = 0;
		fclose(f);
	}
	char text[96];
	snprintf(text, sizeof text, "%lld.%09ld %ld %llx", (long long)t.tv_sec, t.tv_nsec,
	         (long)getpid(), (unsigned long long)random);
	KEY(key, text);
}

bool store_run(Store *s, const StoreRun *v, i64 *id, Diag *d)
{
	char key[STORE_KEY];
	if (v->key)
		snprintf(key, sizeof key, "%s", v->key);
	else
		new_run_key(key);
	return store_do(s, d, NULL,
	                "INSERT INTO run(key, device_id, launch_id, started, program, import_id) "
	                "VALUES(?,?,?,?,?, nullif(?, 0)) ON CONFLICT DO NOTHING",
	                "tiitti", key, v->device, v->launch, v->started, v->program, v->import) &&
	       number_of(s, "run", key, id, d);
}

bool store_sample(Store *s, const StoreSample *v, Diag *d)
{
	return store_do(s, d, NULL,
	                "INSERT INTO sample VALUES(?1, ?2, iif(?3 < 0, NULL, ?3), iif(?4 < 0, NULL, ?4)) "
	                "ON CONFLICT DO NOTHING",
	                "iirr", v->run, (i64)v->n, v->device_ns, v->wall_ns);
}

bool store_run_end(Store *s, i64 run, const StoreEnd *v, Diag *d)
{
	return store_do(s, d, NULL,
	                "UPDATE run SET complete = 1, clock_mhz = nullif(?1, 0), checked = ?2, "
	                "mismatches = iif(?2 IS NULL, NULL, ?3), max_ulp = iif(?2 IS NULL, NULL, ?4) "
	                "WHERE id = ?5",
	                "rtiri", v->clock_mhz, v->checked, (i64)v->mismatches, v->max_ulp, run);
}

bool store_expect(Store *s, i64 launch, const char *arg, const void *bytes, u64 size, Diag *d)
{
	return store_do(s, d, NULL, "INSERT OR REPLACE INTO expected VALUES(?,?,?)", "itb", launch, arg,
	                bytes, size);
}

bool store_expected(Store *s, i64 launch, const char *arg, Arena *a, const u8 **bytes, u64 *size, Diag *d)
{
	bool ok = true;
	/* The same launch may be there as a point of another family. */
	sqlite3_stmt *q = store_prepare(s, d,
	        "SELECT bytes FROM launch AS l JOIN launch AS same USING(kernel_id, name, options) "
	        "JOIN expected ON expected.launch_id = same.id WHERE l.id = ? AND arg = ?", "it", launch, arg);
	*bytes = NULL;
	if (store_next(s, &q, &ok, d)) {
		*size = (u64)sqlite3_column_bytes(q, 0);
		u8 *copy = arena_alloc(a, *size + 1);
		if (*size)
			memcpy(copy, sqlite3_column_blob(q, 0), *size);
		*bytes = copy;
		sqlite3_finalize(q);
	}
	return ok;
}

bool store_estimate(Store *s, const StoreEstimate *v, Diag *d)
{
	if (v->problem)
		return store_do(s, d, NULL,
		                "INSERT OR REPLACE INTO estimate(launch_id, model, program, problem) "
		                "VALUES(?,?,?,?)", "ittt", v->launch, v->model, v->program, v->problem);
	return store_do(s, d, NULL,
	                "INSERT OR REPLACE INTO estimate VALUES(?,?,?,?,?,?,?,?,NULL)", "ittrrrrt",
	                v->launch, v->model, v->program, v->cycles, v->time_us, v->low_us, v->high_us,
	                v->bound_by);
}

bool store_import_row(Store *s, const StoreImport *v, i64 *id, bool *fresh, Diag *d)
{
	char key[STORE_KEY];
	Buf text = {0};
	buf_write(&text, v->text, v->size);
	buf_printf(&text, "%s", "");
	KEY(key, v->format, text.v);
	array_free(&text);
	i64 there = 0;
	if (!store_do(s, d, &there, "SELECT count(*) FROM import WHERE key = ?", "t", key))
		return false;
	*fresh = !there;
	return store_do(s, d, NULL,
	                "INSERT INTO import(key, path, format, source, licence, imported) "
	                "VALUES(?,?,?,?,?, strftime('%Y-%m-%dT%H:%M:%SZ')) ON CONFLICT DO NOTHING",
	                "ttttt", key, v->path, v->format, v->source, v->licence) &&
	       number_of(s, "import", key, id, d);
}
