/* A program that uses libwavesim as others would:  host SCENE [ARGUMENTS]
 *
 * It sees include/wavesim.h alone. A scene prints what tests/lib.sh compares with the program's output, or "good"; what
 * is not as it should be goes to standard error, and the exit status is 1. */
#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wavesim.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int faults;
static void must(int good, const char *what)
{
	if (!good) {
		__atomic_fetch_add(&faults, 1, __ATOMIC_RELAXED);
		fprintf(stderr, "not so: %s\n", what);
	}
}
#define MUST(condition) must((condition) != 0, #condition)

static const char twice[] =
	"// wavesim: --local 64\n"
	"kernel void twice(global float *a, float by) { if (get_local_id(0) & 1) a[get_global_id(0)] *= by; }\n";
static const char endless[] = "kernel void endless(global volatile int *a) { while (!a[1]) a[0]++; }\n";
static const char wrong[] = "kernel void wrong(global int *a)\n{\n\ta[0] = b;\n}\n";

/* ---- the report of a file, with options; twice, and both are the same ---- */
static int scene_report(int argc, char **argv)
{
	char *first = NULL;
	wavesim_t *w = wavesim_new();
	wavesim_file(w, argv[1]);
	for (int i = 2; i + 1 < argc; i += 2)
		wavesim_option(w, argv[i], argv[i + 1]);
	for (int k = 0; k < 2; k++) {
		wavesim_result_t *r;
		size_t n;
		if (wavesim_run(w, &r) != WAVESIM_OK) {
			fputs(wavesim_error(w), stderr);
			faults++;
			break;
		}
		const char *text = wavesim_report(r, argv[0], &n);
		MUST(text && strlen(text) == n);
		if (text && !first)
			first = strdup(text);
		else if (text)
			MUST(!strcmp(text, first));
		wavesim_result_free(r);
	}
	if (first)
		fputs(first, stdout);
	free(first);
	wavesim_free(w);
	return 0;
}

/* ---- buffers as memory, values by path ---- */
static int scene_memory(int argc, char **argv)
{
	float a[256], value = -1;
	double number = -1;
	wavesim_t *w = wavesim_new();
	wavesim_result_t *r;
	wavesim_argument_t arg;
	size_t size;
	(void)argc, (void)argv;
	for (int i = 0; i < 256; i++)
		a[i] = (float)i + 0.25f;
	wavesim_source(w, "twice.cl", twice);
	wavesim_memory(w, "in.bin", a, sizeof a);
	wavesim_option(w, "--arg", "a=@nothing.bin");
	wavesim_option(w, "--arg", "a=@in.bin"); /* in its place */
	wavesim_option(w, "--arg", "by=3");
	MUST(wavesim_run(w, &r) == WAVESIM_OK);
	fputs(wavesim_error(w), stderr);
	wavesim_reset(w);
	wavesim_free(w); /* the result is on its own */
	const float *out = wavesim_buffer(r, "a", &size);
	MUST(out && size == sizeof a);
	for (int i = 0; out && i < 256; i++)
		MUST(out[i] == (i & 1 ? 3 * a[i] : a[i]));
	MUST(!wavesim_buffer(r, "by", &size) && !size);
	MUST(wavesim_argument_count(r) == 2);
	MUST(wavesim_argument(r, 0, &arg) == WAVESIM_OK && !strcmp(arg.name, "a") && !strcmp(arg.type, "float*") &&
	     !strcmp(arg.kind, "buffer") && !strcmp(arg.format, "<f4") && arg.lanes == 1 && arg.count == 256);
	MUST(wavesim_argument(r, 1, &arg) == WAVESIM_OK && !strcmp(arg.kind, "value"));
	MUST(wavesim_argument(r, 2, &arg) == WAVESIM_NONE && !arg.name);
	MUST(wavesim_number(r, "divergence.divergent_branches", &number) == WAVESIM_OK && number == 4);
	MUST(wavesim_number(r, "launch.global.0", &number) == WAVESIM_OK && number == 256);
	MUST(wavesim_number(r, "launch.global.3", &number) == WAVESIM_NONE && number == 256);
	MUST(wavesim_number(r, "lines.0.line", &number) == WAVESIM_OK && number == 2);
	MUST(wavesim_number(r, "lines[2].executions", &number) == WAVESIM_OK && number > 0);
	MUST(wavesim_number(r, "stopped", &number) == WAVESIM_OK && number == 0);
	MUST(wavesim_number(r, "kernel", &number) == WAVESIM_NONE && !wavesim_text(r, "wave"));
	MUST(!strcmp(wavesim_text(r, "kernel"), "twice") && !strcmp(wavesim_text(r, "reference.status"), "equal"));
	MUST(wavesim_length(r, "lines") == 1 && wavesim_length(r, "nothing") == 0 && wavesim_length(r, "launch") > 3);
	MUST(!wavesim_report(r, "docx", NULL));
	(void)value;
	wavesim_result_free(r);
	return 1;
}

/* ---- what is wrong ---- */
static int scene_errors(int argc, char **argv)
{
	wavesim_t *w = wavesim_new();
	wavesim_result_t *r = (wavesim_result_t *)w;
	wavesim_message_t m;
	(void)argc, (void)argv;
	MUST(wavesim_run(w, &r) == WAVESIM_INPUT && !r && strstr(wavesim_error(w), "which kernel file?"));
	wavesim_source(w, "wrong.cl", wrong);
	MUST(wavesim_run(w, &r) == WAVESIM_INPUT && !r);
	MUST(wavesim_message_count(w) == 1 && wavesim_message(w, 0, &m) == WAVESIM_OK && !strcmp(m.level, "error") &&
	     !strcmp(m.file, "wrong.cl") && m.line == 3 && m.column == 9 && strstr(m.text, "'b'"));
	MUST(wavesim_message(w, 1, &m) == WAVESIM_NONE && !m.text);
	wavesim_source(w, "twice.cl", twice);
	wavesim_option(w, "--local", "0");
	MUST(wavesim_run(w, &r) == WAVESIM_INPUT && wavesim_message(w, 0, &m) == WAVESIM_OK);
	MUST(m.column > 1 && m.source && !strcmp(m.file, "command line") && strstr(m.text, "--local"));
	static const char *const outputs[][2] = {
		{"--json", "/tmp/x"}, {"--json=/tmp/x", NULL}, {"--dump", "a=/tmp/x"}, {"--store", "/tmp/x"},
		{"--help", NULL}};
	for (size_t i = 0; i < COUNT(outputs); i++) {
		wavesim_reset(w);
		wavesim_source(w, "twice.cl", twice);
		wavesim_option(w, outputs[i][0], outputs[i][1]);
		MUST(wavesim_run(w, &r) == WAVESIM_INPUT && strstr(wavesim_error(w), "is for the program wavesim"));
		MUST(wavesim_sweep(w, &r) == WAVESIM_INPUT && !r);
	}
	wavesim_reset(w);
	wavesim_file(w, "--no-such-file.cl");
	MUST(wavesim_run(w, &r) == WAVESIM_INPUT && strstr(wavesim_error(w), "cannot read '--no-such-file.cl'"));
	wavesim_result_free(NULL);
	wavesim_free(w);
	wavesim_free(NULL);
	return 1;
}

/* ---- the helper is not there ---- */
static int scene_helper(int argc, char **argv)
{
	wavesim_t *w = wavesim_new();
	wavesim_result_t *r;
	(void)argc, (void)argv;
	wavesim_source(w, "twice.cl", twice);
	wavesim_option(w, "--no-cache", NULL);
	MUST(wavesim_run(w, &r) == WAVESIM_INPUT);
	fputs(wavesim_error(w), stdout);
	wavesim_free(w);
	return 0;
}

/* ---- stopped by another thread, in the machine and in the native run; the handle is good afterwards ---- */
static void *stop_soon(void *w)
{
	usleep(300000);
	wavesim_stop(w);
	return NULL;
}

static int scene_stop(int argc, char **argv)
{
	wavesim_t *w = wavesim_new();
	wavesim_result_t *r;
	pthread_t other;
	(void)argc, (void)argv;
	wavesim_source(w, "endless.cl", endless);
	wavesim_option(w, "--max-instructions", "0");
	wavesim_option(w, "--arg", "a=zero:64");
	wavesim_option(w, "--global", "64");
	MUST(!pthread_create(&other, NULL, stop_soon, w));
	MUST(wavesim_run(w, &r) == WAVESIM_STOPPED && !r && strstr(wavesim_error(w), "stopped"));
	pthread_join(other, NULL);
	wavesim_stop(w); /* before it begins */
	MUST(wavesim_run(w, &r) == WAVESIM_STOPPED && !r);
	wavesim_reset(w);
	wavesim_source(w, "twice.cl", twice);
	MUST(wavesim_run(w, &r) == WAVESIM_OK && r);
	fputs(wavesim_error(w), stderr);
	wavesim_result_free(r);
	wavesim_free(w);
	return 1;
}

/* ---- eight threads, each with its handle; one of them has a mistake in its text, another in its launch ---- */
static char *seen[8];
static void *work(void *number)
{
	size_t k = (size_t)number;
	wavesim_t *w = wavesim_new();
	for (int i = 0; i < 2; i++) {
		wavesim_result_t *r;
		wavesim_source(w, k == 3 ? "wrong.cl" : "twice.cl", k == 3 ? wrong : twice);
		wavesim_option(w, "--local", k == 5 && i ? "65" : "128");
		wavesim_option(w, "--global", "1024");
		wavesim_option(w, "--threads", "2");
		wavesim_status_t status = wavesim_run(w, &r);
		MUST(status == (k == 3 || (k == 5 && i) ? WAVESIM_INPUT : WAVESIM_OK));
		if (status == WAVESIM_OK && !i)
			seen[k] = strdup(wavesim_report(r, "json", NULL));
		else if (status == WAVESIM_OK)
			MUST(!strcmp(seen[k], wavesim_report(r, "json", NULL)) && wavesim_report(r, "html", NULL));
		else
			MUST(*wavesim_error(w));
		wavesim_result_free(r);
	}
	wavesim_free(w);
	return NULL;
}

static int scene_threads(int argc, char **argv)
{
	pthread_t threads[8];
	(void)argc, (void)argv;
	for (size_t i = 0; i < COUNT(threads); i++)
		MUST(!pthread_create(&threads[i], NULL, work, (void *)i));
	for (size_t i = 0; i < COUNT(threads); i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < COUNT(threads); i++) {
		MUST(i == 3 ? !seen[i] : seen[i] && !strcmp(seen[i], seen[0]));
		if (i)
			free(seen[i]);
	}
	free(seen[0]);
	return 1;
}

/* ---- the caller's locale, signals and folder are his ---- */
static int scene_caller(int argc, char **argv)
{
	char before[4096], after[4096], number[16];
	struct sigaction was[32], is;
	wavesim_t *w = wavesim_new();
	wavesim_result_t *r;
	double d = 0;
	MUST(setlocale(LC_ALL, argc > 0 ? argv[0] : "C"));
	snprintf(number, sizeof number, "%.1f", 1.5);
	MUST(argc == 0 || !strcmp(number, "1,5"));
	signal(SIGINT, SIG_IGN);
	MUST(getcwd(before, sizeof before));
	for (int i = 1; i < 32; i++)
		sigaction(i, NULL, &was[i]);
	wavesim_source(w, "twice.cl", twice);
	wavesim_option(w, "--arg", "by=1.5");
	MUST(wavesim_run(w, &r) == WAVESIM_OK);
	fputs(wavesim_error(w), stderr);
	MUST(wavesim_number(r, "estimate.time_us", &d) == WAVESIM_OK && d > 0);
	fputs(wavesim_report(r, "json", NULL), stdout);
	snprintf(number, sizeof number, "%.1f", 1.5);
	MUST(argc == 0 || !strcmp(number, "1,5"));
	MUST(getcwd(after, sizeof after) && !strcmp(before, after));
	for (int i = 1; i < 32; i++) {
		sigaction(i, NULL, &is);
		MUST(is.sa_handler == was[i].sa_handler);
	}
	wavesim_result_free(r);
	wavesim_free(w);
	return 0;
}

/* ---- a sweep; progress ---- */
static void count(void *calls, const char *what, uint64_t done, uint64_t all)
{
	MUST(what && *what && done <= (all ? all : done));
	++*(unsigned *)calls;
}

static int scene_sweep(int argc, char **argv)
{
	unsigned calls = 0;
	double number = 0;
	wavesim_t *w = wavesim_new();
	wavesim_result_t *r;
	wavesim_source(w, "twice.cl", twice);
	wavesim_progress(w, count, &calls);
	for (int i = 0; i + 1 < argc; i += 2)
		wavesim_option(w, argv[i], argv[i + 1]);
	MUST(wavesim_sweep(w, &r) == WAVESIM_OK);
	fputs(wavesim_error(w), stderr);
	if (r) {
		fputs(wavesim_report(r, "csv", NULL), stdout);
		MUST(wavesim_length(r, "points") == 3);
		MUST(wavesim_number(r, "points.0.rank", &number) == WAVESIM_OK && number == 1);
		MUST(wavesim_report(r, "html", NULL) && wavesim_report(r, "text", NULL));
		MUST(!wavesim_report(r, "sarif", NULL));
		MUST(wavesim_argument_count(r) == 0 && !wavesim_buffer(r, "a", NULL));
	}
	MUST(calls);
	calls = 0;
	wavesim_result_free(r);
	wavesim_option(w, "--local", "64");
	wavesim_option(w, "--no-cache", NULL);
	MUST(wavesim_run(w, &r) == WAVESIM_OK && calls);
	wavesim_result_free(r);
	wavesim_free(w);
	return 0;
}

/* ---- memory runs out: at one allocation of a run, or from there on (tests/standin/scarce.c) ---- */
static uint64_t (*scarce)(int64_t after, int for_ever);
static int64_t (*scarce_live)(void);
static const char spread[] =
	"// wavesim: --global 2048 --local 64 --check\n"
	"kernel void spread(global float *a, local float *t) {\n"
	"\tuint l = get_local_id(0), i = get_global_id(0);\n"
	"\tt[l * 2 & 63] = a[i];\n\tif (l & 1) a[i] = t[l] * 2;\n}\n";

/* A run, and its report. */
static wavesim_status_t attempt(wavesim_t *w, int sweep, char **json)
{
	wavesim_result_t *r;
	wavesim_status_t status = sweep ? wavesim_sweep(w, &r) : wavesim_run(w, &r);
	const char *text = status == WAVESIM_OK ? wavesim_report(r, "json", NULL) : NULL;
	double wave;
	MUST((status == WAVESIM_OK) == (r != NULL));
	wavesim_status_t found = text && !sweep ? wavesim_number(r, "wave", &wave) : WAVESIM_OK;
	const char *page = text && !sweep ? wavesim_report(r, "html", NULL) : text;
	if (found != WAVESIM_OK || !page)
		text = NULL;
	else if (text && !sweep)
		MUST(wave == 64);
	if (status == WAVESIM_OK && !text)
		status = WAVESIM_MEMORY;
	*json = status == WAVESIM_OK ? strdup(text) : NULL;
	wavesim_result_free(r);
	return status;
}

/* run|sweep once|ever TIMES [OPTION VALUE] … */
static int scene_short(int argc, char **argv)
{
	int sweep = argc > 2 && !strcmp(argv[0], "sweep"), ever = argc > 2 && !strcmp(argv[1], "ever"), failed = 0;
	int times = argc > 2 ? atoi(argv[2]) : 0;
	char *want, *got;
	*(void **)&scarce = dlsym(RTLD_DEFAULT, "scarce");
	*(void **)&scarce_live = dlsym(RTLD_DEFAULT, "scarce_live");
	MUST(scarce && scarce_live && times);
	if (faults)
		return 0;
	wavesim_t *w = wavesim_new();
	wavesim_source(w, "spread.cl", spread);
	wavesim_option(w, "--threads", "2");
	for (int i = 3; i < argc; i += 2)
		wavesim_option(w, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
	MUST(attempt(w, sweep, &want) == WAVESIM_OK);
	fputs(wavesim_error(w), stderr);
	scarce(-1, 0);
	MUST(attempt(w, sweep, &got) == WAVESIM_OK && !strcmp(want, got));
	free(got);
	int64_t all = (int64_t)scarce(-1, 0), live = scarce_live();
	for (int i = 0; i < times; i++) {
		scarce(all * i / times, ever);
		wavesim_status_t status = attempt(w, sweep, &got);
		scarce(-1, 0);
		/* A large request may be refused with words, and what it was for goes missing with these words. */
		MUST(status == WAVESIM_MEMORY ||
		     (status == WAVESIM_OK && (!strcmp(want, got) || strstr(got, "no memory for"))) ||
		     (status == WAVESIM_INPUT && strstr(wavesim_error(w), "memory")));
		failed += status == WAVESIM_MEMORY;
		free(got);
		MUST(attempt(w, sweep, &got) == WAVESIM_OK && !strcmp(want, got));
		free(got);
	}
	MUST(failed > times / 4); /* an array makes do with less */
	MUST(ever || scarce_live() - live < 4096); /* who left his work has lost what he had */
	free(want);
	wavesim_free(w);
	scarce(0, 1);
	MUST(!wavesim_new());
	scarce(-1, 0);
	return 1;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv); /* 0: it prints itself */
	} scenes[] = {{"report", scene_report}, {"memory", scene_memory},   {"errors", scene_errors},
	              {"helper", scene_helper}, {"stop", scene_stop},       {"threads", scene_threads},
	              {"caller", scene_caller}, {"sweep", scene_sweep},     {"short", scene_short}};
	MUST(wavesim_abi() == WAVESIM_ABI && *wavesim_version() && wavesim_device(0) && !wavesim_device(1000));
	for (size_t i = 0; i < COUNT(scenes) && argc > 1; i++)
		if (!strcmp(argv[1], scenes[i].name) && scenes[i].run(argc - 2, argv + 2) && !faults)
			puts("good");
	return faults != 0;
}
