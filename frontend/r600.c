/* Find clang and libclc, compile in a child process, say why when that does not work. */
#include "frontend/r600.h"

#include "frontend/child.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { CLANG_SECONDS = 60 };
#define CLANG_BYTES ((rlim_t)8 << 30)
#define CLANG_FILE_BYTES ((rlim_t)64 << 20)

struct R600Job {
	R600Options o;
	Arena *arena;
	R600Code *code;
	char **argv;
	int source, text, log; /* unnamed files */
	Child child;
	bool running;
};

/* ---- what is installed ---- */

/* A program of that name on PATH, or NULL. */
static const char *on_path(const char *name, Arena *a)
{
	const char *path = getenv("PATH");
	for (const char *p = path ? path : ""; *p;) {
		size_t n = strcspn(p, ":");
		const char *file = arena_printf(a, "%.*s/%s", (int)n, p, name);
		if (n && !access(file, X_OK))
			return file;
		p += n + (p[n] == ':');
	}
	return NULL;
}

static const char *find_clang(R600Job *j)
{
	static const char *const names[] = {"clang-15", "clang"};
	if (j->o.clang) {
		const char *file = strchr(j->o.clang, '/') ? j->o.clang : on_path(j->o.clang, j->arena);
		if (file && !access(file, X_OK))
			return file;
		j->code->missing = arena_printf(j->arena, "there is no program '%s' (--clang)", j->o.clang);
		return NULL;
	}
	for (u32 i = 0; i < COUNT(names); i++) {
		const char *file = on_path(names[i], j->arena);
		if (file)
			return file;
	}
	j->code->missing = "clang is not installed (Debian's package: clang-15)";
	return NULL;
}

static const char *find_libclc(R600Job *j)
{
	static const char *const folders[] = {"/usr/lib/clc", "/usr/share/clc", "/usr/local/lib/clc",
	                                      "/usr/local/share/clc"};
	const char *const *list = j->o.libclc ? &j->o.libclc : folders;
	for (u32 i = 0; i < (j->o.libclc ? 1 : COUNT(folders)); i++) {
		const char *file = arena_printf(j->arena, "%s/%s-r600--.bc", list[i], j->o.cpu);
		if (!access(file, R_OK))
			return file;
	}
	if (j->o.libclc)
		j->code->missing = arena_printf(j->arena, "there is no %s-r600--.bc in '%s' (--libclc)",
		                                j->o.cpu, j->o.libclc);
	else
		j->code->missing = arena_printf(j->arena, "libclc's %s-r600--.bc is not installed "
		                                          "(Debian's package: libclc-15)", j->o.cpu);
	return NULL;
}

/* ---- the command ---- */

typedef ARRAY(char *) Words;

static void add_words(Words *w, const char *text, Arena *a)
{
	for (const char *p = text ? text : ""; *p;) {
		size_t n = strcspn(p, " \t");
		if (n)
			array_push(w, arena_strndup(a, p, n));
		p += n + (p[n] != 0);
	}
}

static char **command(const R600Job *j, const char *clang, const char *libclc)
{
	Words w = {0};
	Arena *a = j->arena;
	const char *slash = strrchr(j->o.path, '/');
	array_push(&w, arena_strdup(a, clang));
	add_words(&w, "-target r600-- -x cl -cl-std=CL1.2 -O3 -w -fno-crash-diagnostics "
	              "-fno-color-diagnostics -Xclang -finclude-default-header "
	              "-Xclang -mlink-builtin-bitcode -Xclang", a);
	array_push(&w, arena_strdup(a, libclc));
	array_push(&w, arena_printf(a, "-mcpu=%s", j->o.cpu));
	array_push(&w, slash ? arena_printf(a, "-I%.*s", (int)(slash + 1 - j->o.path), j->o.path)
	                     : arena_strdup(a, "-I."));
	add_words(&w, j->o.build_options, a);
	add_words(&w, "-g0 -S -o - -", a);
	char **argv = ARENA_ARRAY(a, char *, w.n + 1);
	memcpy(argv, w.v, w.n * sizeof *argv);
	array_free(&w);
	return argv;
}

static int run_clang(void *arg)
{
	R600Job *j = arg;
	setrlimit(RLIMIT_AS, &(struct rlimit){CLANG_BYTES, CLANG_BYTES});
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){CLANG_FILE_BYTES, CLANG_FILE_BYTES});
	if (lseek(j->source, 0, SEEK_SET) || dup2(j->source, 0) < 0 || dup2(j->text, 1) < 0 ||
	    dup2(j->log, 2) < 0)
		return 127;
	execv(j->argv[0], j->argv);
	return 127;
}

/* ---- why not ---- */

const char *r600_reason(const char *p, Arena *a)
{
	static const char select[] = "Cannot select: ", library[] = "unsupported call to function ";
	size_t n = strcspn(p, "\n");
	if (!strncmp(p, select, sizeof select - 1)) {
		const char *op = strstr(p, " = ");
		if (op && op < p + n)
			return arena_printf(a, "its r600 back end has no instruction for %.*s",
			                    (int)strcspn(op + 3, "<[: \n"), op + 3);
		p += sizeof select - 1;
		return arena_printf(a, "its r600 back end has no instruction for %.*s", (int)strcspn(p, "<[(\n"), p);
	}
	if (n == sizeof library - 1 && !strncmp(p, library, n))
		return "its r600 back end has no instructions for an operation, as for those of double";
	const char *address = strstr(p, "0x");
	if (address && address < p + n)
		n = (size_t)(address - p);
	while (n && isspace((unsigned char)p[n - 1]))
		n--;
	return arena_strndup(a, p, n);
}

/* The first error of clang's, with its line. */
static const char *first_error(const char *log, Arena *a)
{
	static const char error[] = "error: ", backend[] = "error in backend: ";
	const char *p = strstr(log, error), *from = p;
	if (!p)
		return NULL;
	while (from > log && from[-1] != '\n')
		from--;
	u32 line = 0;
	sscanf(from, "<stdin>:%u:", &line);
	p += sizeof error - 1;
	if (!strncmp(p, backend, sizeof backend - 1))
		p += sizeof backend - 1;
	const char *reason = r600_reason(p, a);
	return line && strncmp(reason, "its ", 4) ? arena_printf(a, "line %u: %s", line, reason) : reason;
}

static const char *why_failed(const R600Job *j, ChildEnd end, const char *log)
{
	if (end.timed_out)
		return arena_printf(j->arena, "clang does not come to an end with this kernel for %s", j->o.cpu);
	static const char driver[] = "clang frontend command failed"; /* of a crash of its own part */
	const char *error = first_error(log, j->arena);
	bool crashed = end.signal || (error && !strncmp(error, driver, sizeof driver - 1));
	if (!error || crashed)
		error = end.signal == SIGXFSZ ? "it writes without end"
		        : crashed             ? "it crashed"
		        : end.code == 127     ? "it cannot be run"
		                              : "it gave no reason";
	return arena_printf(j->arena, "clang cannot compile this file for %s: %s", j->o.cpu, error);
}

/* ---- the job ---- */

static bool write_source(const R600Job *j)
{
	size_t n = strlen(j->o.source), done = 0;
	while (done < n) {
		ssize_t k = write(j->source, j->o.source + done, n - done);
		if (k <= 0)
			return false;
		done += (size_t)k;
	}
	return true;
}

static void close_files(const R600Job *j)
{
	const int files[] = {j->source, j->text, j->log};
	for (u32 i = 0; i < COUNT(files); i++)
		if (files[i] >= 0)
			close(files[i]);
}

R600Job *r600_start(const R600Options *o, Arena *a)
{
	enum { LANES = 64 };
	R600Job *j = ARENA_NEW(a, R600Job);
	j->o = *o;
	j->arena = a;
	j->code = ARENA_NEW(a, R600Code);
	j->code->cpu = arena_strdup(a, o->cpu);
	if (!o->source)
		j->code->missing = "bitcode has no OpenCL source to compile for it";
	else if (o->wave && o->wave != LANES)
		j->code->missing = arena_printf(a, "%s has no wavefronts of %u lanes", o->cpu, o->wave);
	const char *clang = j->code->missing ? NULL : find_clang(j);
	const char *libclc = clang ? find_libclc(j) : NULL;
	if (!libclc)
		return j;
	j->argv = command(j, clang, libclc);
	j->source = child_file("source");
	j->text = child_file("assembly");
	j->log = child_file("log");
	j->running = j->source >= 0 && j->text >= 0 && j->log >= 0 && write_source(j) &&
	             child_start(&j->child, run_clang, NULL, j);
	if (!j->running) {
		j->code->missing = "no process for clang could be started";
		close_files(j);
	}
	return j;
}

const R600Code *r600_finish(R600Job *j)
{
	if (!j->running)
		return j->code;
	j->running = false;
	ChildEnd end = child_wait(&j->child, j->o.seconds > 0 ? j->o.seconds : CLANG_SECONDS);
	size_t size;
	char *log = child_file_read(j->log, &size);
	char *text = child_file_read(j->text, &size);
	close(j->source);
	if (end.timed_out || end.signal || end.code)
		j->code->missing = why_failed(j, end, log);
	else
		r600_parse(j->code, j->o.kernel, text, j->arena);
	free(text);
	free(log);
	return j->code;
}
