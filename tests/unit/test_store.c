/* The store: rows, versions, errors, exports. Killing and crowding it is test_store_kill.c. */
#include "tests/unit/store_kit.h"

#include "traces/store/store_impl.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static const char source[] = "kernel void k(global int *a) { a[0] = 1; }\n";

void kit_open(Kit *k)
{
	CU_ASSERT_FATAL(temp_make(k->dir));
	snprintf(k->path, sizeof k->path, "%s/t.db", k->dir);
	diag_init(&k->d);
	k->s = store_open(k->path, STORE_CREATE, &k->d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(k->s);
}

void kit_close(Kit *k)
{
	store_close(k->s);
	diag_free(&k->d);
	temp_remove(k->dir);
}

i64 kit_run(Store *s, const char *options, Diag *d)
{
	StoreAttribute attributes[] = {{"wavefront_width", "64"}, {"board", "Test \"board\", one"}};
	StoreDevice device = {.name = "gfx906", .vendor = "AMD", .driver = "1", .model = "mi50",
	                      .attributes = attributes, .nattributes = COUNT(attributes)};
	StoreLaunch launch = {.name = "k", .options = options, .family = "lds, read", .has_x = true,
	                      .x = 8};
	StoreRun run = {.started = "2026-01-02T03:04:05Z", .program = "test 1"};
	i64 id = 0;
	bool ok = store_device(s, &device, &run.device, d) &&
	          store_kernel(s, "k.cl", source, NULL, &launch.kernel, d) &&
	          store_launch(s, &launch, &run.launch, d) && store_run(s, &run, &id, d);
	return ok ? id : -1;
}

i64 kit_count(const char *path, const char *sql)
{
	Diag d;
	diag_init(&d);
	Store *s = store_open(path, STORE_EXISTING, &d);
	i64 n = -1;
	if (!s || !store_do(s, &d, &n, sql, ""))
		n = -1;
	store_close(s);
	diag_free(&d);
	return n;
}

bool kit_said(Diag *d, const char *text)
{
	Buf out = {0};
	buf_printf(&out, "%s", "");
	diag_print(d, &out);
	bool found = strstr(out.v, text) != NULL;
	if (!found)
		printf("\nwanted '%s' in: %s\n", text, out.v);
	array_free(&out);
	diag_free(d);
	return found;
}

static void add_samples(Store *s, i64 run, u32 n, Diag *d)
{
	for (u32 i = 0; i < n; i++) {
		StoreSample v = {.run = run, .n = i, .device_ns = 1000 + i, .wall_ns = i ? 2000.0 + i : -1};
		CU_ASSERT_TRUE_FATAL(store_sample(s, &v, d));
	}
}

static void rows_are_found_again(void)
{
	Kit k;
	kit_open(&k);
	i64 run = kit_run(k.s, "--global 64", &k.d);
	i64 other = kit_run(k.s, "--global 64", &k.d);
	CU_ASSERT_TRUE(run > 0 && other > 0 && run != other);
	CU_ASSERT_TRUE(kit_run(k.s, "--global 128", &k.d) > 0);
	add_samples(k.s, run, 5, &k.d);
	add_samples(k.s, other, 2, &k.d);
	StoreEnd end = {.clock_mhz = 1725, .checked = "equal"};
	CU_ASSERT_TRUE(store_run_end(k.s, run, &end, &k.d));
	CU_ASSERT_EQUAL(kit_count(k.path, "SELECT count(*) FROM device"), 1);
	CU_ASSERT_EQUAL(kit_count(k.path, "SELECT count(*) FROM kernel"), 1);
	CU_ASSERT_EQUAL(kit_count(k.path, "SELECT count(*) FROM launch"), 2);
	CU_ASSERT_EQUAL(kit_count(k.path, "SELECT count(*) FROM run WHERE complete"), 1);
	Arena *a = arena_new();
	StorePoints points;
	CU_ASSERT_TRUE(store_points(k.s, "mi50", NULL, a, &points, &k.d));
	CU_ASSERT_EQUAL_FATAL(points.n, 1);
	const StorePoint *p = points.v; /* 1000 1000 1001 1001 1002 1003 1004 */
	CU_ASSERT_EQUAL(p->samples, 7);
	CU_ASSERT_EQUAL(p->min_ns, 1000);
	CU_ASSERT_EQUAL(p->median_ns, 1001);
	CU_ASSERT_EQUAL(p->low_ns, 1000);
	CU_ASSERT_EQUAL(p->high_ns, 1004);
	CU_ASSERT_EQUAL(p->clock_mhz, 1725);
	CU_ASSERT_STRING_EQUAL(p->family, "lds, read");
	CU_ASSERT_STRING_EQUAL(p->source, source);
	CU_ASSERT_TRUE(store_points(k.s, "mi100", NULL, a, &points, &k.d) && points.n == 0);
	arena_free(a);
	CU_ASSERT_EQUAL(k.d.errors, 0);
	kit_close(&k);
}

static void expected_outputs_come_back(void)
{
	Kit k;
	kit_open(&k);
	CU_ASSERT_TRUE_FATAL(kit_run(k.s, "--global 64", &k.d) > 0);
	Arena *a = arena_new();
	const u8 *bytes;
	u64 size;
	CU_ASSERT_TRUE(store_expected(k.s, 1, "a", a, &bytes, &size, &k.d) && !bytes);
	CU_ASSERT_TRUE(store_expect(k.s, 1, "a", "\0\1\2\377", 4, &k.d));
	CU_ASSERT_TRUE(store_expected(k.s, 1, "a", a, &bytes, &size, &k.d));
	CU_ASSERT_TRUE(bytes && size == 4 && !memcmp(bytes, "\0\1\2\377", 4));
	/* A store that cannot be read is no store without them. */
	CU_ASSERT_TRUE(k.d.errors == 0 && store_do(k.s, &k.d, NULL, "DROP TABLE expected", ""));
	CU_ASSERT_TRUE(!store_expected(k.s, 1, "a", a, &bytes, &size, &k.d) && k.d.errors == 1);
	arena_free(a);
	kit_close(&k);
}

/* A file of version 1, as the first release wrote it, with a run in it. */
static void old_versions_are_converted(void)
{
	Kit k;
	kit_open(&k);
	store_close(k.s);
	unlink(k.path);
	sqlite3 *db;
	CU_ASSERT_EQUAL_FATAL(sqlite3_open(k.path, &db), SQLITE_OK);
	sqlite3_exec(db, store_steps[0], NULL, NULL, NULL);
	char sql[96];
	snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = 1", STORE_APPLICATION);
	sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_exec(db, "INSERT INTO device(key, name) VALUES('a', 'old');"
	             "INSERT INTO kernel(key, path) VALUES('b', 'k.cl');"
	             "INSERT INTO launch(key, kernel_id, name, options) VALUES('c', 1, 'k', '');"
	             "INSERT INTO run(key, device_id, launch_id) VALUES('d', 1, 1);"
	             "INSERT INTO sample VALUES(1, 0, 5, NULL)", NULL, NULL, NULL);
	sqlite3_close(db);
	k.s = store_open(k.path, STORE_EXISTING, &k.d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(k.s);
	CU_ASSERT_TRUE(store_check(k.s, &k.d));
	CU_ASSERT_EQUAL(kit_count(k.path, "PRAGMA user_version"), (i64)store_version);
	CU_ASSERT_EQUAL(kit_count(k.path, "SELECT count(*) FROM run WHERE import_id IS NULL"), 1);
	StoreEstimate e = {.launch = 1, .model = "mi50", .program = "x", .time_us = 2, .bound_by = "lds"};
	CU_ASSERT_TRUE(store_estimate(k.s, &e, &k.d));
	kit_close(&k);
}

/* Of a sweep: a point that is done, one that is skipped. */
static void check_swept(Kit *k)
{
	Arena *a = arena_new();
	StoreSweeps sweeps;
	StoreSweptPoints p;
	CU_ASSERT_TRUE_FATAL(store_sweeps(k->s, a, &sweeps, &k->d) && sweeps.n == 1);
	CU_ASSERT_TRUE_FATAL(store_swept(k->s, sweeps.v[0].id, a, &p, &k->d) && p.n == 2);
	CU_ASSERT_STRING_EQUAL(p.v[0].note, "");
	CU_ASSERT_STRING_EQUAL(p.v[0].results, "0123456789abcdef");
	CU_ASSERT_STRING_EQUAL(p.v[0].report, "{}");
	CU_ASSERT_STRING_EQUAL(p.v[1].note, "results are not its business");
	CU_ASSERT_STRING_EQUAL(p.v[1].results, "");
	arena_free(a);
}

/* Up to version 3 the note of a point held the checksum of its results. */
static void old_sweeps_are_converted(void)
{
	Kit k, copy;
	kit_open(&k);
	kit_open(&copy);
	store_close(k.s);
	unlink(k.path);
	sqlite3 *db;
	CU_ASSERT_EQUAL_FATAL(sqlite3_open(k.path, &db), SQLITE_OK);
	for (u32 i = 0; i < 3; i++)
		sqlite3_exec(db, store_steps[i], NULL, NULL, NULL);
	char sql[96];
	snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = 3", STORE_APPLICATION);
	sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_exec(db, "INSERT INTO sweep(key, spec) VALUES('a', '{}');"
	             "INSERT INTO sweep_point VALUES(1, 0, '{}', 'done', 'results 0123456789abcdef', '{}'),"
	             " (1, 1, '{}', 'skipped', 'results are not its business', NULL)", NULL, NULL, NULL);
	sqlite3_close(db);
	k.s = store_open(k.path, STORE_EXISTING, &k.d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(k.s);
	CU_ASSERT_EQUAL(kit_count(k.path, "PRAGMA user_version"), (i64)store_version);
	check_swept(&k);
	CU_ASSERT_TRUE(store_import_json(copy.s, "x.json", "{\"format\": \"wavesim-store\", \"version\": 3,"
	               "\"sweep\": [{\"key\": \"a\", \"spec\": \"{}\"}], \"sweep_point\": ["
	               "{\"sweep\": \"a\", \"n\": 0, \"settings\": \"{}\", \"status\": \"done\","
	               " \"note\": \"results 0123456789abcdef\", \"report\": \"{}\"},"
	               "{\"sweep\": \"a\", \"n\": 1, \"settings\": \"{}\", \"status\": \"skipped\","
	               " \"note\": \"results are not its business\", \"report\": null}]}", &copy.d));
	check_swept(&copy);
	kit_close(&copy);
	kit_close(&k);
}

static void strange_files_are_refused(void)
{
	Kit k;
	kit_open(&k);
	char other[KIT_PATH];
	snprintf(other, sizeof other, "%s/other", k.dir);
	CU_ASSERT_PTR_NULL(store_open(other, STORE_EXISTING, &k.d));
	CU_ASSERT_TRUE(kit_said(&k.d, "unable to open database file"));
	FILE *f = fopen(other, "w");
	fprintf(f, "%0200d this is no database", 0);
	fclose(f);
	CU_ASSERT_PTR_NULL(store_open(other, STORE_CREATE, &k.d));
	CU_ASSERT_TRUE(kit_said(&k.d, "file is not a database"));
	unlink(other);
	sqlite3 *db;
	sqlite3_open(other, &db);
	sqlite3_exec(db, "CREATE TABLE t(x)", NULL, NULL, NULL);
	sqlite3_close(db);
	CU_ASSERT_PTR_NULL(store_open(other, STORE_CREATE, &k.d));
	CU_ASSERT_TRUE(kit_said(&k.d, "not one of wavesim's"));
	CU_ASSERT_TRUE(store_do(k.s, &k.d, NULL, "PRAGMA user_version = 99", ""));
	CU_ASSERT_PTR_NULL(store_open(k.path, STORE_EXISTING, &k.d));
	CU_ASSERT_TRUE(kit_said(&k.d, "version 99"));
	CU_ASSERT_TRUE(store_do(k.s, &k.d, NULL, "PRAGMA user_version = -1", ""));
	CU_ASSERT_PTR_NULL(store_open(k.path, STORE_EXISTING, &k.d));
	CU_ASSERT_TRUE(kit_said(&k.d, "damaged: its version is -1"));
	snprintf(other, sizeof other, "%s/no/such/folder.db", k.dir);
	CU_ASSERT_PTR_NULL(store_open(other, STORE_CREATE, &k.d));
	CU_ASSERT_TRUE(kit_said(&k.d, "folder"));
	kit_close(&k);
}

/* In a child: files may grow to `bytes`, or the user is nobody. True when it exits with 0. */
static bool in_child(bool (*work)(Kit *), Kit *k, u64 bytes)
{
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		struct rlimit limit = {bytes, bytes};
		signal(SIGXFSZ, SIG_IGN);
		bool ready = bytes ? !setrlimit(RLIMIT_FSIZE, &limit) : geteuid() || !setuid(65534);
		_exit(ready && work(k) ? 0 : 1);
	}
	int status;
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Writes until it fails; the message must name the file, and the rest must be as it was. */
static bool fill_up(Kit *k)
{
	diag_init(&k->d);
	Store *s = store_open(k->path, STORE_EXISTING, &k->d);
	i64 run = s ? kit_run(s, "--global 1", &k->d) : -1;
	for (u32 i = 0; run > 0; i++) {
		StoreSample v = {.run = run, .n = i, .device_ns = i + 1, .wall_ns = -1};
		if (!store_sample(s, &v, &k->d))
			break;
	}
	bool good = run > 0 && k->d.errors == 1 && strstr(k->d.msgs.v[0].loc.file, "t.db") &&
	            strstr(k->d.msgs.v[0].hint, "what was stored before is kept");
	store_close(s);
	diag_free(&k->d);
	return good;
}

static void a_full_disk_loses_nothing(void)
{
	Kit k;
	kit_open(&k);
	i64 run = kit_run(k.s, "--global 64", &k.d);
	add_samples(k.s, run, 100, &k.d);
	store_close(k.s);
	CU_ASSERT_TRUE(in_child(fill_up, &k, 256 << 10));
	k.s = store_open(k.path, STORE_EXISTING, &k.d);
	CU_ASSERT_PTR_NOT_NULL_FATAL(k.s);
	CU_ASSERT_TRUE(store_check(k.s, &k.d));
	CU_ASSERT_EQUAL(kit_count(k.path, "SELECT count(*) FROM sample WHERE run_id = 1"), 100);
	CU_ASSERT_TRUE(kit_count(k.path, "SELECT count(*) FROM sample WHERE run_id = 2") > 10);
	kit_close(&k);
}

static bool read_only_store(Kit *k)
{
	diag_init(&k->d);
	Store *s = store_open(k->path, STORE_EXISTING, &k->d);
	Arena *a = arena_new();
	StorePoints points;
	bool reads = s && store_points(s, NULL, NULL, a, &points, &k->d) && points.n == 1;
	bool writes = s && kit_run(s, "--global 1", &k->d) >= 0;
	bool good = reads && !writes && k->d.errors == 1 && strstr(k->d.msgs.v[0].text, "readonly") &&
	            strstr(k->d.msgs.v[0].hint, "permissions");
	arena_free(a);
	store_close(s);
	diag_free(&k->d);
	return good;
}

static void a_read_only_file_is_readable(void)
{
	Kit k;
	kit_open(&k);
	add_samples(k.s, kit_run(k.s, "--global 64", &k.d), 3, &k.d);
	store_close(k.s);
	k.s = NULL;
	chmod(k.path, 0444);
	chmod(k.dir, 0555);
	CU_ASSERT_TRUE(in_child(read_only_store, &k, 0));
	chmod(k.dir, 0755);
	kit_close(&k);
}

static void exports_come_back(void)
{
	Kit k, copy;
	kit_open(&k);
	kit_open(&copy);
	i64 run = kit_run(k.s, "--global 64 --arg 'a=[1,2]'", &k.d);
	add_samples(k.s, run, 3, &k.d);
	StoreEnd end = {.clock_mhz = 1725.5, .checked = "different", .mismatches = 3, .max_ulp = 1.5};
	CU_ASSERT_TRUE(store_run_end(k.s, run, &end, &k.d));
	CU_ASSERT_TRUE(store_expect(k.s, 1, "a", "\0\1\377", 3, &k.d));
	StoreEstimate e = {.launch = 1, .model = "mi50", .program = "\xA9 2015", .time_us = 2, .bound_by = "lds"};
	CU_ASSERT_TRUE(store_estimate(k.s, &e, &k.d));
	Buf json = {0}, again = {0}, csv = {0}, csv2 = {0};
	CU_ASSERT_TRUE(store_export_json(k.s, &json, &k.d));
	CU_ASSERT_TRUE(utf8_is_valid(json.v, json.n));
	CU_ASSERT_PTR_NOT_NULL(strstr(json.v, "{\"hex\":\"A92032303135\"}"));
	for (u32 i = 0; i < 2; i++) /* the second time changes nothing */
		CU_ASSERT_TRUE(store_import_json(copy.s, "x.json", json.v, &copy.d));
	CU_ASSERT_TRUE(store_export_json(copy.s, &again, &copy.d));
	CU_ASSERT_STRING_EQUAL(json.v, again.v);
	CU_ASSERT_TRUE(store_export_csv(k.s, &csv, &k.d));
	CU_ASSERT_PTR_NOT_NULL(strstr(csv.v, "\"lds, read\",8.0,2026-01-02T03:04:05Z"));
	CU_ASSERT_PTR_NOT_NULL(strstr(csv.v, ",1000.0 1001.0 1002.0,- 2001.0 2002.0\n"));
	CU_ASSERT_TRUE(store_import_csv(copy.s, "x.csv", csv.v, &copy.d));
	CU_ASSERT_TRUE(store_export_csv(copy.s, &csv2, &copy.d));
	CU_ASSERT_STRING_EQUAL(csv.v, csv2.v);
	CU_ASSERT_EQUAL(copy.d.errors, 0);
	array_free(&json);
	array_free(&again);
	array_free(&csv);
	array_free(&csv2);
	kit_close(&copy);
	kit_close(&k);
}

/* CSV alone, into an empty store: all but the source. */
static void csv_alone_comes_back(void)
{
	Kit k, copy;
	kit_open(&k);
	kit_open(&copy);
	add_samples(k.s, kit_run(k.s, "--global 64", &k.d), 3, &k.d);
	Buf csv = {0}, again = {0};
	CU_ASSERT_TRUE(store_export_csv(k.s, &csv, &k.d));
	CU_ASSERT_TRUE(store_import_csv(copy.s, "x.csv", csv.v, &copy.d));
	CU_ASSERT_TRUE(store_export_csv(copy.s, &again, &copy.d));
	CU_ASSERT_STRING_EQUAL(csv.v, again.v);
	CU_ASSERT_EQUAL(kit_count(copy.path, "SELECT count(*) FROM kernel WHERE source IS NULL"), 1);
	array_free(&csv);
	array_free(&again);
	kit_close(&copy);
	kit_close(&k);
}

static void bad_imports_change_nothing(void)
{
	static const struct {
		bool csv;
		const char *text, *said;
	} cases[] = {
		{false, "{\"format\": ", "not JSON"},
		{false, "{\"format\": \"other\"}", "no export of a store"},
		{false, "[1]", "no export of a store"},
		{false, "{\"format\": \"wavesim-store\", \"version\": 7000}", "version 7000"},
		{false, "{\"format\": \"wavesim-store\", \"version\": 1, \"device\": [{\"key\":\"a\","
		        "\"name\":\"n\"}], \"run\": [{\"key\": \"x\", \"device\": \"a\"}]}",
		 "a row of \"run\" is not complete"},
		{true, "", "empty"},
		{true, "device,path\nonly one\n", "x:2: error: 1 fields, but the header has 2"},
		{true, "device,path\n\"open\n", "does not end"},
		{true, "device,path\na,b\n", "'source' is missing"},
		{true, "device,path,source,kernel,options,run,device_ns\n"
		       "a,b,0123456789abcdef0123456789abcdef,k,-,r,1 2\n"
		       "a,b,0123456789abcdef0123456789abcdef,k,-,r2,1 x\n", "x:3: error: device_ns"},
	};
	Kit k;
	kit_open(&k);
	for (u32 i = 0; i < COUNT(cases); i++) {
		CU_ASSERT_FALSE(cases[i].csv ? store_import_csv(k.s, "x", cases[i].text, &k.d)
		                             : store_import_json(k.s, "x", cases[i].text, &k.d));
		CU_ASSERT_TRUE(kit_said(&k.d, cases[i].said));
		CU_ASSERT_EQUAL(kit_count(k.path, "SELECT count(*) FROM device"), 0);
	}
	kit_close(&k);
}

void suite_store(void)
{
	CU_pSuite s = CU_add_suite("store", NULL, NULL);
	CU_add_test(s, "rows are found again, points are medians", rows_are_found_again);
	CU_add_test(s, "expected outputs come back", expected_outputs_come_back);
	CU_add_test(s, "old versions are converted", old_versions_are_converted);
	CU_add_test(s, "old sweeps are converted", old_sweeps_are_converted);
	CU_add_test(s, "strange files are refused", strange_files_are_refused);
	CU_add_test(s, "a full disk loses nothing", a_full_disk_loses_nothing);
	CU_add_test(s, "a read-only file is readable", a_read_only_file_is_readable);
	CU_add_test(s, "exports come back", exports_come_back);
	CU_add_test(s, "CSV alone comes back", csv_alone_comes_back);
	CU_add_test(s, "bad imports change nothing", bad_imports_change_nothing);
}
