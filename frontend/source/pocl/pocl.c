/* OpenCL C -> bitcode: PoCL builds in a child with a cache of its own, and leaves
 * program.bc there before it makes work-group functions. */
#include "frontend/source/pocl/pocl.h"

#include "base/opencl_host.h"

#include "base/child.h"
#include "frontend/module/llvm.h"
#include "frontend/packages.h"
#include "frontend/sandbox.h"
#include "frontend/source/log.h"
#include "frontend/source/pocl/pocl_cl.h"
#include "frontend/source/pocl/pocl_header.h"
#include "frontend/source/pocl/pocl_parts.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUILD_OK, BUILD_FAILED, BUILD_NO_POCL };

typedef struct PoclBuild {
	const FeOptions *o;
	const char *text;
	char *options; /* all of them */
	char cache[TEMP_PATH];
	int bitcode, log, builtins_path, made_of; /* unnamed files */
} PoclBuild;

static void empty(int fd)
{
	if (ftruncate(fd, 0) == 0)
		lseek(fd, 0, SEEK_SET);
}

/* NULL, or one that may have failed, for its log. only: it is compiled, not linked with PoCL's library. */
static cl_program build_program(const PoclBuild *b, const PoclCl *cl, const char *options, bool only, cl_int *e)
{
	if (b->o->src) {
		cl_program failed, p = pocl_parts_build(cl, b->o->src, b->o->path, b->cache, options, only, &failed, e);
		return p ? p : failed;
	}
	const char *texts[] = {pocl_head(b->options, NULL), b->text};
	cl_program p = clCreateProgramWithSource(cl->context, COUNT(texts), texts, NULL, e);
	if (*e == CL_SUCCESS && only)
		*e = clCompileProgram(p, 1, &cl->device, options, 0, NULL, NULL, NULL, NULL);
	else if (*e == CL_SUCCESS)
		*e = clBuildProgram(p, 1, &cl->device, options, NULL, NULL);
	return p;
}

/* In the worker. The log's file gets the compiler's log, or why there is none. */
static int build_work(void *arg)
{
	PoclBuild *b = arg;
	PoclCl cl;
	char why[512];
	setenv("POCL_CACHE_DIR", b->cache, 1);
	sandbox_folder(b->cache);
	child_limit(COMPILE_LIMITS, false);
	/* What a driver says on stderr is of interest when it ends the process. */
	if (!freopen("/dev/null", "w", stdout) || dup2(b->log, STDERR_FILENO) < 0)
		return BUILD_FAILED;
	if (!pocl_cl_open(&cl, why, sizeof why)) {
		empty(b->log);
		write_bytes(b->log, why, strlen(why));
		return BUILD_NO_POCL;
	}
	cl_int e;
	char library[PATH_MAX];
	bool linked = b->o->src && b->o->src->linked, found = !linked && pocl_library_find(library, sizeof library);
	Buf options = {0};
	buf_printf(&options, "%s", b->options);
	pocl_declare(&cl, b->options, &options);
	pocl_cache_rule(b->cache, &options);
	if (found)
		write_bytes(b->builtins_path, library, strlen(library));
	u32 whole = options.n;
	bool shorter = pocl_header_replace(b->cache, b->o->src ? NULL : b->text, b->o->src, &options);
	cl_program p = build_program(b, &cl, options.v, found, &e);
	if (shorter && e != CL_SUCCESS) {
		options.v[whole] = 0;
		p = build_program(b, &cl, options.v, found, &e);
	}
	array_free(&options);
	pocl_made_of(b->made_of);
	char *log = p ? pocl_cl_log(&cl, p) : xstrdup("");
	empty(b->log);
	if (e != CL_SUCCESS && !*log)
		write_bytes(b->log, opencl_error(e), strlen(opencl_error(e)));
	write_bytes(b->log, log, strlen(log));
	free(log);
	return e == CL_SUCCESS ? BUILD_OK : BUILD_FAILED;
}

/* Of several (of what was linked) the last one is the whole. */
static const char *newest(const glob_t *found)
{
	const char *best = NULL;
	struct timespec at = {0};
	for (size_t i = 0; i < found->gl_pathc; i++) {
		struct stat st;
		if (stat(found->gl_pathv[i], &st))
			continue;
		bool newer = st.st_mtim.tv_sec > at.tv_sec ||
		             (st.st_mtim.tv_sec == at.tv_sec && st.st_mtim.tv_nsec >= at.tv_nsec);
		if (!best || newer) {
			best = found->gl_pathv[i];
			at = st.st_mtim;
		}
	}
	return best;
}

/* In the supervisor. */
static void keep_made_of(const PoclBuild *b)
{
	MadeOf m = {0};
	pocl_cache_made_of(b->cache, b->o->src, &m);
	made_of_give(&m, b->made_of);
	made_of_free(&m);
}

/* In the supervisor: keep program.bc, drop the rest. */
static void build_after(void *arg)
{
	PoclBuild *b = arg;
	char pattern[TEMP_PATH + 32];
	glob_t found = {0};
	snprintf(pattern, sizeof pattern, "%s/*/*/program.bc", b->cache);
	if (!glob(pattern, 0, NULL, &found) && newest(&found)) {
		size_t n;
		char *bitcode = read_file(newest(&found), &n);
		if (bitcode)
			write_bytes(b->bitcode, bitcode, n);
		free(bitcode);
	}
	globfree(&found);
	keep_made_of(b);
	temp_remove(b->cache);
}

/* ---- the compiler's log ---- */

/* Give the user's files back their names: the source, and what was included through
 * the link that pocl_cache_options made. */
static char *rename_files(const char *log, const char *cache, const char *path)
{
	Buf out = {0};
	size_t n = strlen(cache);
	const char *slash = strrchr(path, '/');
	buf_printf(&out, "%s", "");
	while (*log) {
		const char *at = strstr(log, cache);
		const char *end = at ? strstr(at + n, ".cl") : NULL;
		bool temp = at && !strncmp(at + n, "/tempfile_", 10) && end;
		size_t keep = at ? (size_t)(at - log) : strlen(log);
		buf_write(&out, log, keep);
		log += keep;
		if (temp) {
			buf_printf(&out, "%s", path);
			log = end + 3;
		} else if (at && !strncmp(at + n, "/include/", 9)) {
			buf_printf(&out, "%.*s", slash ? (int)(slash + 1 - path) : 0, path);
			log += n + 9;
		} else if (at) {
			buf_write(&out, log, n);
			log += n;
		}
	}
	return out.v;
}

#define VERSION_OPTION "-cl-std"

#define INVALID_OPTION "Invalid build option: "

/* What to do in place of an option of clang that PoCL refuses, around what stands behind it. The last is for all. */
static const struct {
	const char *option, *before, *after;
} instead[] = {
    {"-include", "write #include \"", "\" at the top of the kernel file, and add -I DIR if it is in another folder"},
    {"-imacros", "write #include \"", "\" at the top of the kernel file, and add -I DIR if it is in another folder"},
    {"-isystem", "say -I ", " instead"},
    {"-iquote", "say -I ", " instead"},
    {"-U", "write #undef ", " at the top of the kernel file"},
    {"", "PoCL's compiler takes -D NAME, -I DIR, -w, -Werror and the options of OpenCL (-cl-...)", ""},
};

/* log: behind INVALID_OPTION. */
static void refused_option(const char *log, const char *options, Diag *d)
{
	u32 i = 0;
	while (strncmp(log, instead[i].option, strlen(instead[i].option)))
		i++;
	const char *value = "";
	if (*instead[i].option) {
		const char *at = options;
		while (at && (at = strstr(at, instead[i].option)) && at > options && !isspace((u8)at[-1])) /* -DY=-U */
			at++;
		value = at ? at + strlen(instead[i].option) : "";
		value += strspn(value, " \t");
		if (!*value || strchr("\"'", *value)) /* nothing, or words that quotes join */
			value = "...";
	}
	diag_hint(d, "%s%.*s%s", instead[i].before, (int)strcspn(value, " \t\n\"'"), value, instead[i].after);
}

/* An error without a place. */
static void unplaced_error(const char *log, const char *path, const char *options, Diag *d)
{
	static const char missing[] = "Cannot find symbol ";
	const char *at = strstr(log, missing);
	Loc loc = {.file = path};
	if (at) {
		at += sizeof missing - 1;
		diag_error(d, loc, "function '%.*s' has no body", (int)strcspn(at, " \n"), at);
		diag_hint(d, "define it in the kernel file, or include the file that does");
	} else {
		size_t n = strlen(log);
		while (n && log[n - 1] == '\n')
			n--;
		bool option = !strncmp(log, INVALID_OPTION, strlen(INVALID_OPTION));
		if (option)
			loc = NO_LOC;
		diag_error(d, loc, "the kernel does not compile: %.*s", (int)n, n ? log : "no reason given");
		if (strstr(log, VERSION_OPTION) && access(LLVM_CLANG, X_OK))
			diag_hint(d, "choose a version of OpenCL C that PoCL knows (-cl-std), or install " CLANG_PACKAGE
			             ", which knows all");
		else if (option)
			refused_option(log + strlen(INVALID_OPTION), options, d);
	}
}

/* The version of PoCL's LLVM, 0: unknown. */
static u32 pocl_llvm(void)
{
	Arena *a = arena_new();
	const char *at = strstr(pocl_about(a), "LLVM ");
	u32 version = at ? (u32)strtoul(at + strlen("LLVM "), NULL, 10) : 0;
	arena_free(a);
	return version;
}

static bool judge(const FeOptions *o, ChildEnd end, const char *log, const Source *s, Diag *d)
{
	Loc loc = {.file = o->path};
	u32 before = d->errors;
	ChildLimits l = child_limits(COMPILE_LIMITS);
	if (end.timed_out) {
		diag_error(d, loc, "compiling this file takes more than %u seconds of processor time", l.seconds);
		return diag_hint(d, "simplify the source"), false;
	}
	/* A header that could not be read for want of memory is no fault of the source. */
	bool starved = end.code != BUILD_OK && l.memory < COMPILE_LIMITS.memory && strstr(log, strerror(ENOMEM));
	log_to_diag(end.signal || starved || end.code == BUILD_NO_POCL ? "" : log, o->path, s->text, o->build_options,
	            pocl_declares, d);
	bool good = end.code == BUILD_OK && s->size && !end.signal, said = d->errors > before;
	char *fault = good || said ? NULL : child_fault(false);
	if (fault) {
		diag_error(d, NO_LOC, "the OpenCL compiler cannot work on this machine: %s", fault);
		free(fault);
		return false;
	}
	if (end.signal && (strstr(log, "out of memory") || strstr(log, "bad_alloc"))) {
		diag_error(d, loc, "compiling this file takes more than %.3g GiB of memory",
		           (double)l.memory / (1 << 30));
		return diag_hint(d, "simplify the source"), false;
	}
	if (end.signal) {
		size_t n = strlen(log);
		while (n && log[n - 1] == '\n')
			n--;
		const char *last = n ? memrchr(log, '\n', n) : NULL;
		last = last ? last + 1 : log;
		diag_error(d, loc, "the OpenCL compiler crashed on this file (signal %d, %s)%s%.*s", end.signal,
		           strsignal(end.signal), n ? ": " : "", (int)(log + n - last), last);
		u32 theirs = pocl_llvm();
		if (theirs && theirs != llvm_version())
			diag_hint(d, "PoCL works with LLVM %u, wavesim with LLVM %u, and not every two go together; "
			             "if each file crashes it, build wavesim with `make "
			             "LLVM=%u`", theirs, llvm_version(), theirs);
		else
			diag_hint(d, "this is a fault of clang or PoCL; simplify the source until it compiles");
		return false;
	}
	if (end.code == BUILD_NO_POCL)
		return diag_error(d, NO_LOC, "%s", log);
	if (end.code != BUILD_OK && !said)
		unplaced_error(log, o->path, o->build_options, d);
	else if (end.code == BUILD_OK && !s->size)
		diag_error(d, loc, "PoCL left no program.bc in its cache");
	return good && !said;
}

/* When the child has ended. */
static bool take_results(PoclBuild *b, ChildEnd end, Source *s, Diag *d)
{
	size_t n;
	char *raw = child_file_read(b->log, &n), *log = rename_files(raw, b->cache, b->o->path);
	s->bitcode = child_file_read(b->bitcode, &s->size);
	s->library = child_file_read(b->builtins_path, &n);
	if (!n) {
		free(s->library);
		s->library = NULL;
	}
	char *names = made_of_take(b->made_of);
	made_of_text(&s->made_of, names);
	bool ok = judge(b->o, end, log, s, d);
	free(names);
	free(raw);
	free(log);
	return ok;
}

bool pocl_build(const FeOptions *o, Source *s, Diag *d)
{
	static const char first[] = POCL_UNOPTIMISED " -g -Dnoinline=noinline," POCL_NOINLINE_MARK;
	PoclBuild b = {.o = o, .text = s->text};
	if (!temp_make(b.cache))
		return temp_error(b.cache, d);
	b.bitcode = child_file("bitcode");
	b.log = child_file("log");
	b.builtins_path = child_file("builtins");
	b.made_of = child_file("made_of");
	b.options = o->src ? xstrdup(first) : pocl_cache_options(b.cache, o->path, first, o->build_options);
	Child c;
	bool ok = child_start(&c, build_work, build_after, &b);
	if (ok) {
		ok = take_results(&b, child_wait(&c, COMPILE_LIMITS.seconds * CHILD_PATIENCE), s, d);
	} else {
		child_error("the OpenCL compiler", d);
		temp_remove(b.cache);
		for (u32 i = 0; i < 4; i++)
			close((int[]){b.bitcode, b.log, b.builtins_path, b.made_of}[i]);
	}
	free(b.options);
	return ok;
}

/* The error that says that PoCL's compiler refuses the source; not one of the machine. */
static const DiagMsg *refusal(const Diag *d)
{
	for (u32 i = 0; i < d->msgs.n; i++) {
		const DiagMsg *m = &d->msgs.v[i];
		if (m->level == DIAG_ERROR && (m->loc.line || strstr(m->text, VERSION_OPTION)))
			return m;
	}
	return NULL;
}

/* Of two compilers that refuse a source, the one that knows more of it says less; but one that does not know the
 * version of OpenCL C has not read it. */
static bool build_or_clang(const FeOptions *o, Source *s, Diag *d)
{
	Diag theirs, clangs;
	diag_init(&theirs);
	diag_init(&clangs);
	bool ok = pocl_build(o, s, &theirs);
	const DiagMsg *refused = ok ? NULL : refusal(&theirs);
	const char *why = refused && refused->loc.line ? refused->text : "it does not know that version of OpenCL C";
	bool clang = refused && pocl_clang(o, why, s, &clangs);
	bool less = clangs.errors && refused && (!refused->loc.line || clangs.errors < theirs.errors);
	diag_join(d, clang || less ? &clangs : &theirs);
	diag_free(&theirs);
	diag_free(&clangs);
	return ok || clang;
}

bool input_pocl(const FeOptions *o, const FeBitcode *built, Source *s, Diag *d)
{
	bool there = built && built->bytes;
	if (!there || (built->target && !pocl_clang_has(o, built, s)))
		return build_or_clang(o, s, d);
	s->bitcode = memcpy(xmalloc(built->n + 1), built->bytes, built->n);
	s->size = built->n;
	s->library = xstrdup(built->library);
	return true;
}

typedef struct {
	int file;
	char cache[TEMP_PATH];
} About;

/* PoCL has no device without a folder for its cache, which the sandbox lets nobody make at home. */
static int about_work(void *arg)
{
	const About *about = arg;
	PoclCl cl;
	cl_platform_id platform;
	char text[512] = "";
	setenv("POCL_CACHE_DIR", about->cache, 1);
	sandbox_folder(about->cache);
	if (pocl_cl_open(&cl, text, sizeof text) &&
	    !clGetDeviceInfo(cl.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL))
		clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof text, text, NULL);
	return !write_bytes(about->file, text, strlen(text));
}

const char *pocl_about(Arena *a)
{
	Child c;
	size_t n = 0;
	About about;
	if (!temp_make(about.cache))
		return "there is no temporary folder for its cache";
	about.file = child_file("about");
	bool started = child_start(&c, about_work, NULL, &about);
	if (started)
		child_wait(&c, 0);
	temp_remove(about.cache);
	char *text = child_file_read(about.file, &n);
	const char *said = n ? arena_strdup(a, text) : "it does not start";
	free(text);
	return said;
}
