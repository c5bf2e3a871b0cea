/* A store that is killed while writing, written by two at once, and filled with 100,000 samples. */
#include "tests/unit/store_kit.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KILLS = 100, WRITERS = 3, EACH = 200, MANY = 100000 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* the machine may be busy */
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Opens the store itself, as another program would; tells the pipe of each sample that is in. */
static void write_for_ever(const char *path, int tell)
{
	Diag d;
	diag_init(&d);
	Store *s = store_open(path, STORE_EXISTING, &d);
	i64 run = s ? kit_run(s, "--global 64", &d) : -1;
	for (u32 i = 0; run > 0; i++) {
		StoreSample v = {.run = run, .n = i, .device_ns = i + 1, .wall_ns = -1};
		if (!store_sample(s, &v, &d) || write(tell, ".", 1) != 1)
			break;
	}
	_exit(1);
}

/* Samples that a writer told of until it was killed after `us` microseconds, from its start or
 * from its first sample on. */
static i64 kill_one(const char *path, bool from_first, useconds_t us)
{
	int ends[2];
	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		close(ends[0]);
		write_for_ever(path, ends[1]);
	}
	close(ends[1]);
	char buf[4096];
	i64 told = from_first && read(ends[0], buf, 1) == 1;
	usleep(us);
	kill(child, SIGKILL);
	for (ssize_t n; (n = read(ends[0], buf, sizeof buf)) > 0;)
		told += n;
	close(ends[0]);
	waitpid(child, NULL, 0);
	return told;
}

static void kill_loses_one_at_most(void)
{
	Kit k;
	kit_open(&k);
	store_close(k.s);
	i64 told = 0, written;
	u32 state = 12345;
	for (u32 i = 0; i < KILLS; i++) {
		state = state * 1664525 + 1013904223;
		told += kill_one(k.path, i % 2, 1000 + (state >> 16) % 12000);
		k.s = store_open(k.path, STORE_EXISTING, &k.d);
		CU_ASSERT_PTR_NOT_NULL_FATAL(k.s);
		CU_ASSERT_TRUE(store_check(k.s, &k.d));
		store_close(k.s);
		written = kit_count(k.path, "SELECT count(*) FROM sample");
		CU_ASSERT_TRUE(written >= told && written <= told + i + 1);
		told = written;
	}
	CU_ASSERT_TRUE(told >= KILLS / 2);
	CU_ASSERT_EQUAL(k.d.errors, 0);
	k.s = NULL;
	kit_close(&k);
}

static void writers_wait(void)
{
	Kit k;
	kit_open(&k);
	store_close(k.s);
	unlink(k.path); /* they also race for making it */
	pid_t child[WRITERS];
	fflush(stdout);
	for (u32 w = 0; w < WRITERS; w++) {
		if ((child[w] = fork()))
			continue;
		Store *s = store_open(k.path, STORE_CREATE, &k.d);
		i64 run = s ? kit_run(s, "--global 64", &k.d) : -1;
		for (u32 i = 0; run > 0 && i < EACH; i++) {
			StoreSample v = {.run = run, .n = i, .device_ns = i + 1, .wall_ns = -1};
			if (!store_sample(s, &v, &k.d))
				run = -1;
		}
		store_close(s);
		_exit(run > 0 ? 0 : 1);
	}
	for (u32 w = 0; w < WRITERS; w++) {
		int status;
		CU_ASSERT_TRUE(waitpid(child[w], &status, 0) == child[w] && WIFEXITED(status) &&
		               !WEXITSTATUS(status));
	}
	CU_ASSERT_EQUAL(kit_count(k.path, "SELECT count(*) FROM sample"), WRITERS * EACH);
	CU_ASSERT_EQUAL(kit_count(k.path, "SELECT count(*) FROM device"), 1);
	k.s = NULL;
	kit_close(&k);
}

/* Import, query and export of 100,000 samples, each within seconds. */
static void many_samples_are_quick(void)
{
	Kit k, copy;
	kit_open(&k);
	kit_open(&copy);
	double start = now();
	CU_ASSERT_TRUE(store_begin(k.s, &k.d));
	for (u32 r = 0; r < MANY / 100; r++) {
		char options[32];
		snprintf(options, sizeof options, "--global %u", r + 1);
		i64 run = kit_run(k.s, options, &k.d);
		for (u32 i = 0; i < 100; i++) {
			StoreSample v = {.run = run, .n = i, .device_ns = 1000 + (i * 37 + r) % 100, .wall_ns = 9999};
			store_sample(k.s, &v, &k.d);
		}
	}
	CU_ASSERT_TRUE(store_commit(k.s, &k.d));
	double written = now();
	Buf json = {0}, csv = {0};
	CU_ASSERT_TRUE(store_export_json(k.s, &json, &k.d));
	double exported = now();
	CU_ASSERT_TRUE(store_import_json(copy.s, "x", json.v, &k.d));
	double imported = now();
	CU_ASSERT_TRUE(store_export_csv(copy.s, &csv, &k.d));
	double listed = now();
	Arena *a = arena_new();
	StorePoints points;
	CU_ASSERT_TRUE(store_points(copy.s, NULL, NULL, a, &points, &k.d));
	double asked = now();
	CU_ASSERT_EQUAL(points.n, MANY / 100);
	CU_ASSERT_EQUAL(points.v[0].samples, 100);
	CU_ASSERT_EQUAL(points.v[0].median_ns, 1049.5);
	arena_free(a);
	store_close(copy.s);
	copy.s = NULL;
	struct stat st = {0};
	stat(copy.path, &st);
	printf("100,000 samples: written in %.2f s, JSON out %.2f s, in %.2f s, CSV out %.2f s, "
	       "points %.2f s; %lld KiB\n", written - start, exported - written, imported - exported,
	       listed - imported, asked - listed, (long long)st.st_size / 1024);
	CU_ASSERT_TRUE(written - start < 20 && exported - written < 20 && imported - exported < 20 &&
	               listed - imported < 20 && asked - listed < 20); /* seconds of the processor; machines differ */
	array_free(&json);
	array_free(&csv);
	kit_close(&copy);
	kit_close(&k);
}

void suite_store_kill(void)
{
	CU_pSuite s = CU_add_suite("store under pressure", NULL, NULL);
	CU_add_test(s, "kill -9 loses one sample at most", kill_loses_one_at_most);
	CU_add_test(s, "writers wait for one another", writers_wait);
	CU_add_test(s, "100,000 samples are quick", many_samples_are_quick);
}
