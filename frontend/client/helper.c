/* Starting the helper, asking it, and noticing its end: see helper.h. */
#include "frontend/client/helper.h"

#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "wavesim-helper"

enum {
	NOT_LOOKED_FOR = -2,
	LIBRARIAN_S = 2, /* it takes a tenth of that on a usual machine; nobody has asked for it */
};

struct Helper {
	char *given;
	Sandbox sandbox;
	const Stop *stop; /* or NULL */
	bool silent;
	int socket; /* -1: none is running */
	int said;   /* unnamed file for its standard error; -1: it has ours */
	pid_t pid, owner;
	u32 number;
	Cache *cache; /* or NULL */
	int excerpts; /* unnamed file of them; -1: none; NOT_LOOKED_FOR */
	u32 told;     /* the number of the helper that got it */
	Helper *librarian; /* makes new ones; NULL: nothing is wanted */
	bool greeted;      /* it has started */
	CacheQuestion wanted; /* its question */
};

/* In a process one helper at a time makes excerpts, and none where it was forked off: of a sweep's threads and a
 * class's submissions there may be a hundred, and what they make is one file. No answer depends on it. */
static atomic_flag makes_excerpts = ATOMIC_FLAG_INIT;
static atomic_int makes_for; /* the first process that has a helper */

Helper *helper_new(const char *path, Sandbox sandbox)
{
	Helper *h = xcalloc(1, sizeof *h);
	h->given = xstrdup(path);
	h->sandbox = sandbox;
	h->socket = h->said = -1;
	h->excerpts = NOT_LOOKED_FOR;
	int none = 0;
	atomic_compare_exchange_strong(&makes_for, &none, getpid());
	return h;
}

void helper_cache(Helper *h, const char *folder, u64 most)
{
	cache_free(h->cache);
	h->cache = cache_new(folder, most);
}

void helper_stop(Helper *h, const Stop *stop) { h->stop = stop; }

void helper_silent(Helper *h, bool silent) { h->silent = silent; }

/* Does it end by itself, now that its socket is closed? */
static bool ends(const Helper *h)
{
	enum { GRACE_MS = 2000, GRACE_STOPPED_MS = 100 };
	int fd = pidfd_open(h->pid, 0);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	bool ends = fd >= 0 && poll(&p, 1, stop_asked(h->stop) ? GRACE_STOPPED_MS : GRACE_MS) > 0;
	if (fd >= 0)
		close(fd);
	return ends;
}

/* What it said on standard error goes to ours, unless said takes it: free(). Its status, as waitpid gives it; -1: not
 * known. */
static int let_go(Helper *h, char **said)
{
	int status = -1;
	if (h->socket < 0)
		return status;
	close(h->socket);
	h->socket = -1;
	if (h->owner != getpid()) {
		if (h->said >= 0)
			close(h->said);
		h->said = -1;
		return status;
	}
	if (!ends(h))
		kill(h->pid, SIGKILL);
	pid_t ended;
	do
		ended = waitpid(h->pid, &status, 0);
	while (ended < 0 && errno == EINTR);
	if (ended < 0) /* where SIGCHLD is ignored */
		status = -1;
	size_t n = 0;
	int from = h->said;
	h->said = -1;
	if (!said && (h->silent || from < 0)) { /* without memory, which may have run out */
		if (from >= 0)
			close(from);
		return status;
	}
	char *text = from >= 0 ? child_file_read(from, &n) : xcalloc(1, 1);
	if (said) {
		*said = text;
	} else {
		write_bytes(STDERR_FILENO, text, n);
		free(text);
	}
	return status;
}

static bool has_answer(Helper *h);
static void end_librarian(Helper *h);

void helper_free(Helper *h)
{
	if (!h)
		return;
	let_go(h, NULL);
	if (h->librarian)
		end_librarian(h);
	if (h->excerpts >= 0)
		close(h->excerpts);
	cache_free(h->cache);
	free(h->given);
	free(h);
}

u32 helper_number(const Helper *h) { return h->number; }

char *helper_folder(void) { return getcwd(NULL, 0); }

/* ---- starting ---- */

static bool find(const Helper *h, char *out, Diag *d)
{
	const char *given = h->given ? h->given : getenv("WAVESIM_HELPER");
	if (given && *given) {
		if (realpath(given, out))
			return true;
		return diag_error(d, NO_LOC, "WAVESIM_HELPER: cannot read '%s': %s", given, strerror(errno));
	}
	if (near_program(PROGRAM, out))
		return true;
	diag_error(d, NO_LOC, PROGRAM ", which runs the compilers, is not beside wavesim, nor in ../lib/wavesim");
	diag_hint(d, "build it with `make`, or set WAVESIM_HELPER to its path");
	return false;
}

/* In a process group of its own, so that Ctrl-C reaches it through us; with our environment, the socket,
 * a file for standard error, and nothing else of ours. Why it did not start, or 0. */
static int spawn(const char *path, Sandbox sandbox, int socket, int said, pid_t *pid)
{
	char how_far[] = {(char)('0' + sandbox), 0};
	char *const words[] = {(char[]){PROGRAM}, (char[]){"--serve"}, how_far, NULL};
	sigset_t none, all;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&how);
	if (said >= 0)
		posix_spawn_file_actions_adddup2(&files, said, STDERR_FILENO);
	posix_spawn_file_actions_adddup2(&files, socket, WIRE_FD);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclosefrom_np(&files, WIRE_FD + 1);
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setsigdefault(&how, &all);
	posix_spawnattr_setpgroup(&how, 0);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	int why = posix_spawn(pid, path, &files, &how, words, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&how);
	return why;
}

static bool start(Helper *h, const char *path, Diag *d)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return diag_error(d, NO_LOC, "cannot start '%s': %s", path, strerror(errno));
	h->said = child_file("said");
	int why = spawn(path, h->sandbox, ends[1], h->said, &h->pid);
	close(ends[1]);
	if (why) {
		close(ends[0]);
		if (h->said >= 0)
			close(h->said);
		h->said = -1;
		return diag_error(d, NO_LOC, "cannot start '%s': %s", path, strerror(why));
	}
	h->socket = ends[0];
	h->owner = getpid();
	h->number++;
	return true;
}

/* ---- its end ---- */

static bool ended(Helper *h, WireEnd end, Diag *d)
{
	char *said = NULL;
	int status = let_go(h, &said);
	ChildLimits l = child_limits(COMPILE_LIMITS);
	bool early = end == WIRE_ENDED, signalled = early && status >= 0 && WIFSIGNALED(status);
	bool slow = signalled && WTERMSIG(status) == SIGXCPU;
	char *fault = early && !slow ? child_fault(false) : NULL;
	bool large = early && !fault && said && (strstr(said, "out of memory") || strstr(said, "bad_alloc"));
	if (end == WIRE_STOPPED)
		diag_error(d, NO_LOC, STOP_SAID);
	else if (end == WIRE_LATE)
		diag_error(d, NO_LOC, PROGRAM ", which runs the compilers, does not answer");
	else if (end == WIRE_DAMAGED)
		diag_error(d, NO_LOC, PROGRAM ", which runs the compilers, gave an invalid answer");
	else if (fault)
		diag_error(d, NO_LOC, PROGRAM ", which runs the compilers, cannot work on this machine: %s", fault);
	else if (slow)
		diag_error(d, NO_LOC, "the compiler needs more than %u seconds of processor time for this program",
		           l.seconds);
	else if (large)
		diag_error(d, NO_LOC, "the compiler needs more than %.3g GiB of memory for this program",
		           (double)l.memory / (1 << 30));
	else if (signalled)
		diag_error(d, NO_LOC, PROGRAM ", which runs the compilers, was ended by signal %d (%s)",
		           WTERMSIG(status),
		           strsignal(WTERMSIG(status)));
	else if (status >= 0)
		diag_error(d, NO_LOC, PROGRAM ", which runs the compilers, ended early, with status %d",
		           WEXITSTATUS(status));
	else
		diag_error(d, NO_LOC, PROGRAM ", which runs the compilers, ended early");
	if (slow || large)
		diag_hint(d, "simplify the source");
	else if (said && *said && h->silent)
		diag_hint(d, "it said: %s", said);
	else if (said && !fault)
		write_bytes(STDERR_FILENO, said, strlen(said));
	free(said);
	free(fault);
	return false;
}

static bool receive(Helper *h, WireKind want, double seconds, HelperAnswer *out, Diag *d)
{
	u64 n;
	WireKind kind;
	WireEnd end = wire_receive(h->socket, h->stop, &kind, seconds, &out->bytes, &n, NULL);
	if (end == WIRE_GOOD && kind != want)
		end = WIRE_DAMAGED;
	helper_kept(out->bytes, n, out);
	if (end == WIRE_GOOD)
		return true;
	helper_answer_free(out);
	return ended(h, end, d);
}

/* seconds: receive()'s. */
static bool greet(Helper *h, const char *path, double seconds, Diag *d)
{
	HelperAnswer a;
	const char *version = NULL;
	if (!receive(h, WIRE_HELLO, seconds, &a, d))
		return false;
	wire_hello(&a.codec, &version);
	bool ok = helper_good(h, &a, d);
	char *ours = wire_version();
	if (ok && strcmp(version, ours)) {
		let_go(h, NULL);
		ok = diag_error(d, NO_LOC, "'%s' is of another version (%s) than this program (%s)", path, version,
		                ours);
		diag_hint(d, "build or install both together");
	}
	free(ours);
	helper_answer_free(&a);
	return ok;
}

/* ---- asking ---- */

bool helper_ask(Helper *h, WireKind kind, const Buf *request, int pass, double seconds, HelperAnswer *out, Diag *d)
{
	char path[PATH_MAX];
	if (h->socket >= 0 && h->owner != getpid())
		let_go(h, NULL); /* this process was forked off: the helper is the other one's */
	if (h->socket < 0 && !(find(h, path, d) && start(h, path, d) && greet(h, path, 0, d)))
		return false;
	if (pass >= 0 && pass == h->excerpts)
		h->told = h->number;
	if (!wire_send(h->socket, kind, request, pass))
		return ended(h, WIRE_ENDED, d);
	return receive(h, WIRE_ANSWER, seconds, out, d);
}

bool helper_whole(const HelperAnswer *a) { return !a->codec.bad && a->codec.p == a->codec.end; }

bool helper_good(Helper *h, const HelperAnswer *a, Diag *d)
{
	return helper_whole(a) || ended(h, WIRE_DAMAGED, d);
}

void helper_kept(u8 *bytes, u64 n, HelperAnswer *out)
{
	out->bytes = bytes;
	out->arena = arena_new();
	out->codec = wire_reader(bytes, n, out->arena, &out->room);
}

Cache *helper_question(const Helper *h, WireKind kind, const Buf *request, const CacheText *text, CacheQuestion *q)
{
	char path[PATH_MAX];
	Diag lost;
	*q = (CacheQuestion){0};
	diag_init(&lost);
	bool found = h->cache && find(h, path, &lost);
	diag_free(&lost);
	if (!found)
		return NULL;
	cache_question(q, cache_runs_on(h->cache), kind, request, text, path, h->sandbox);
	return h->cache;
}

void helper_answer_free(HelperAnswer *a)
{
	codec_free(&a->codec);
	arena_free(a->arena);
	free(a->bytes);
	*a = (HelperAnswer){0};
}

/* ---- what programs call of libraries ---- */

/* One question for all kernels of this user. */
static bool excerpts_question(const Helper *h, CacheQuestion *q)
{
	Buf none = {0};
	return helper_question(h, WIRE_EXCERPTS, &none, NULL, q) != NULL;
}

/* A file that nobody can write any more: it goes where compilers run, and from there comes what later kernels get. -1:
 * it cannot be made. */
static int sealed_file(const u8 *bytes, u64 n)
{
	struct rlimit most; /* beyond which the system ends a process */
	int fd = memfd_create("excerpts", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	bool good = fd >= 0 && !getrlimit(RLIMIT_FSIZE, &most) && n <= most.rlim_cur && write_bytes(fd, bytes, n) &&
	            !fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	if (good || fd < 0)
		return fd;
	close(fd);
	return -1;
}

static void find_excerpts(Helper *h)
{
	u8 *bytes;
	u64 n;
	CacheQuestion q;
	h->excerpts = -1;
	if (excerpts_question(h, &q) && cache_find(h->cache, &q, &bytes, &n)) {
		h->excerpts = sealed_file(bytes, n);
		free(bytes);
	}
	cache_question_free(&q);
}

int helper_excerpts(Helper *h)
{
	if (h->librarian && has_answer(h))
		end_librarian(h);
	if (h->cache && h->excerpts == NOT_LOOKED_FOR)
		find_excerpts(h);
	return h->socket >= 0 && h->owner == getpid() && h->told == h->number ? -1 : h->excerpts < 0 ? -1 : h->excerpts;
}

/* An excerpt serves every program, so it must not be of a file that one of them may have brought or written: those that
 * packages put down remain, by the names that no link leads away from. */
static ExcerptWants installed_of(const ExcerptWants *w, Arena *a)
{
	ExcerptWants all = {.v = ARENA_ARRAY(a, ExcerptWant, w->n)};
	for (u32 i = 0; i < w->n; i++) {
		struct stat st;
		char real[PATH_MAX];
		bool good = realpath(w->v[i].path, real) && cache_is_installed(real) && !stat(real, &st) &&
		            S_ISREG(st.st_mode) && !st.st_uid && !(st.st_mode & (S_IWGRP | S_IWOTH));
		if (!good)
			continue;
		all.v[all.n] = w->v[i];
		all.v[all.n++].file = arena_strdup(a, real);
	}
	return all;
}

static Helper *start_librarian(Helper *h, const Buf *request)
{
	char path[PATH_MAX];
	Diag lost;
	diag_init(&lost);
	Helper *l = helper_new(h->given, h->sandbox);
	helper_silent(l, true);
	helper_stop(l, h->stop);
	bool asked = excerpts_question(h, &h->wanted) && find(l, path, &lost) && start(l, path, &lost) &&
	             wire_send(l->socket, WIRE_EXCERPTS, request, h->excerpts < 0 ? -1 : h->excerpts);
	diag_free(&lost);
	if (asked)
		return l;
	cache_question_free(&h->wanted);
	helper_free(l);
	return NULL;
}

/* The librarian has compiled nothing, so that no program decides what is in an excerpt. What it says is not for the
 * user: without it a later run takes longer. */
void helper_wants(Helper *h, const ExcerptWants *w)
{
	const u64 enough = 4 << 20; /* for so many functions as an excerpt has at most; in less it would not be kept */
	if (!w->n || !h->cache || cache_share(h->cache) < enough || h->librarian ||
	    atomic_load(&makes_for) != getpid() || atomic_flag_test_and_set(&makes_excerpts))
		return;
	Buf request = {0};
	Arena *a = arena_new();
	ExcerptWants installed = installed_of(w, a);
	wire_wants(&(Codec){.writing = true, .out = &request}, &installed);
	h->librarian = installed.n ? start_librarian(h, &request) : NULL;
	if (!h->librarian)
		atomic_flag_clear(&makes_excerpts);
	array_free(&request);
	arena_free(a);
}

/* Of its first word, which says that it has started; h->greeted then. */
static bool meet_librarian(Helper *h, double seconds, Diag *d)
{
	char path[PATH_MAX];
	h->greeted = h->greeted || (find(h->librarian, path, d) && greet(h->librarian, path, seconds, d));
	return h->greeted;
}

static void keep_excerpts(Helper *h, double seconds)
{
	Diag lost;
	HelperAnswer a = {0};
	diag_init(&lost);
	if (meet_librarian(h, seconds, &lost) && receive(h->librarian, WIRE_ANSWER, seconds, &a, &lost)) {
		WireExcerpts w = {0};
		u64 n = (u64)(a.codec.end - a.codec.p);
		wire_excerpts(&a.codec, &w);
		if (helper_whole(&a) && w.excerpts.n)
			cache_keep(h->cache, &h->wanted, w.made_of, a.bytes, n);
	}
	helper_answer_free(&a);
	diag_free(&lost);
}

/* Has it anything to say now? */
static bool librarian_says(const Helper *h)
{
	struct pollfd p = {.fd = h->librarian->socket, .events = POLLIN};
	return poll(&p, 1, 0) > 0;
}

/* Its answer may be read without waiting. */
static bool has_answer(Helper *h)
{
	Diag lost;
	diag_init(&lost);
	bool has = librarian_says(h) && (!meet_librarian(h, LIBRARIAN_S, &lost) || librarian_says(h));
	diag_free(&lost);
	return has;
}

/* From then on h has what it made. */
static void end_librarian(Helper *h)
{
	if (h->librarian->owner == getpid() && !stop_asked(h->stop))
		keep_excerpts(h, LIBRARIAN_S);
	helper_free(h->librarian);
	h->librarian = NULL;
	h->greeted = false;
	cache_question_free(&h->wanted);
	atomic_flag_clear(&makes_excerpts);
	if (h->excerpts >= 0)
		close(h->excerpts);
	h->excerpts = NOT_LOOKED_FOR;
	h->told = 0;
}
