/* Supervised child processes: see child.h. */
#include "base/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int wait_for(pid_t pid)
{
	int status = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static _Noreturn void worker(int (*work)(void *), void *arg)
{
	setpgid(0, 0);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	int code = work(arg);
	fflush(NULL);
	_exit(code);
}

/* What the supervisor tells the parent. */
typedef struct Told {
	int status; /* of waitpid */
	bool stalled;
} Told;

static bool all_sleep(pid_t pid)
{
	char name[64], line[256];
	snprintf(name, sizeof name, "/proc/%d/task", (int)pid);
	DIR *threads = opendir(name);
	bool sleep = threads != NULL;
	for (struct dirent *e; sleep && (e = readdir(threads));) {
		if (*e->d_name == '.')
			continue;
		snprintf(name, sizeof name, "/proc/%d/task/%.20s/stat", (int)pid, e->d_name);
		FILE *f = fopen(name, "r");
		const char *state = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
		sleep = !state || !strncmp(state, ") S", 3); /* or it has ended */
		if (f)
			fclose(f);
	}
	if (threads)
		closedir(threads);
	return sleep;
}

/* Looks in a row, a second apart, at which the worker had used no more of the processor, and slept. */
typedef struct Stall {
	struct timespec used;
	u32 looks;
} Stall;

static bool stands_still(pid_t pid, Stall *s)
{
	clockid_t clock;
	struct timespec used;
	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used))
		return false;
	bool same = used.tv_sec == s->used.tv_sec && used.tv_nsec == s->used.tv_nsec;
	s->used = used;
	s->looks = same && all_sleep(pid) ? s->looks + 1 : 0;
	return s->looks >= CHILD_STALL;
}

/* Until the worker ends or its result is not needed any more. A pipe that the worker holds would not show it:
 * a program that it executes may close it, and go on. runs: as in child_start_busy. */
static Told watch(pid_t pid, int alive, int ended, const bool *runs)
{
	Told t = {0};
	Stall stall = {0};
	struct signalfd_siginfo info;
	struct pollfd p[] = {{.fd = alive, .events = POLLIN}, {.fd = ended, .events = POLLIN}};
	while (waitpid(pid, &t.status, WNOHANG) != pid) {
		int n = poll(p, 2, runs ? 1000 : -1);
		if (n < 0)
			continue;
		if (p[1].revents)
			(void)!read(ended, &info, sizeof info);
		t.stalled = !n && *runs && stands_still(pid, &stall);
		if (!p[0].revents && !t.stalled)
			continue;
		kill(-pid, SIGKILL);
		kill(pid, SIGKILL);
		t.status = wait_for(pid);
		return t;
	}
	kill(-pid, SIGKILL); /* what it left behind */
	return t;
}

static _Noreturn void supervisor(int (*work)(void *), void (*after)(void *), void *arg, const bool *runs,
                                 const bool *again, int alive, int done)
{
	setpgid(0, 0);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	sigset_t child, before;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	Told told = {.status = 1 << 8};
	int ended = signalfd(-1, &child, SFD_CLOEXEC);
	for (u32 i = 0; ended >= 0 && i < (again && *again ? 2 : 1); i++) {
		pid_t pid = fork();
		if (!pid) {
			close(alive);
			close(done);
			close(ended);
			sigprocmask(SIG_SETMASK, &before, NULL);
			worker(work, arg);
		}
		if (pid > 0)
			told = watch(pid, alive, ended, runs);
	}
	if (after)
		after(arg);
	ssize_t n = write(done, &told, sizeof told);
	_exit(n != sizeof told);
}

static void close_all(const Child *c)
{
	close(c->alive[0]);
	close(c->alive[1]);
	close(c->done);
}

bool child_start_busy(Child *c, int (*work)(void *), void (*after)(void *), void *arg, const bool *runs,
                      const bool *again)
{
	int alive[2], done[2];
	if (pipe2(alive, O_CLOEXEC))
		return false;
	if (pipe2(done, O_CLOEXEC)) {
		close(alive[0]);
		close(alive[1]);
		return false;
	}
	fflush(NULL); /* or the child would print it again */
	c->supervisor = fork();
	if (!c->supervisor) {
		close(alive[1]);
		close(done[0]);
		supervisor(work, after, arg, runs, again, alive[0], done[1]);
	}
	close(done[1]);
	memcpy(c->alive, alive, sizeof alive);
	c->done = done[0];
	if (c->supervisor > 0)
		return true;
	int why = errno; /* for child_error */
	close_all(c);
	errno = why;
	return false;
}

bool child_start(Child *c, int (*work)(void *), void (*after)(void *), void *arg)
{
	return child_start_busy(c, work, after, arg, NULL, NULL);
}

ChildEnd child_wait(Child *c, double seconds)
{
	ChildEnd e = {0};
	Told told = {0};
	e.timed_out = !wait_readable(c->done, seconds > 0 ? seconds_now() + seconds : 0);
	if (e.timed_out) /* closing the pipe may not end it: supervisors that were started later have it, too */
		(void)!write(c->alive[1], "", 1);
	ssize_t n;
	while ((n = read(c->done, &told, sizeof told)) < 0 && errno == EINTR)
		;
	if (n != sizeof told)
		told = (Told){.status = 1 << 8};
	wait_for(c->supervisor);
	close_all(c);
	e.signal = WIFSIGNALED(told.status) ? WTERMSIG(told.status) : 0;
	e.stalled = told.stalled;
	e.timed_out |= e.stalled || e.signal == SIGXCPU;
	e.code = WIFEXITED(told.status) ? WEXITSTATUS(told.status) : 0;
	return e;
}

int child_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

char *child_file_read(int fd, size_t *size)
{
	off_t n = lseek(fd, 0, SEEK_END);
	size_t want = n > 0 ? (size_t)n : 0, got = 0;
	char *text = xmalloc(want + 1);
	while (got < want) {
		ssize_t k = pread(fd, text + got, want - got, (off_t)got);
		if (k <= 0)
			break;
		got += (size_t)k;
	}
	text[got] = 0;
	*size = got;
	close(fd);
	return text;
}

/* The user's, before the first of ours. */
static struct rlimit given_limit(enum __rlimit_resource what)
{
	static struct rlimit given[RLIMIT_NLIMITS];
	static bool known[RLIMIT_NLIMITS];
	if (!known[what] && getrlimit(what, &given[what]))
		given[what] = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
	else if (!known[what] && what == RLIMIT_CPU && given[what].rlim_cur == given[what].rlim_max &&
	         given[what].rlim_cur < RLIM_INFINITY && given[what].rlim_cur > 2)
		given[what].rlim_cur -= 2; /* or SIGKILL came: SIGXCPU comes each second, and LLVM spends the first */
	known[what] = true;
	return given[what];
}

/* limit: of what is used altogether. */
static void limit_one(enum __rlimit_resource what, rlim_t limit, rlim_t beyond, bool for_good)
{
	struct rlimit r = given_limit(what);
	r.rlim_cur = limit < r.rlim_cur ? limit : r.rlim_cur;
	if (for_good && beyond < r.rlim_max - r.rlim_cur)
		r.rlim_max = r.rlim_cur + beyond;
	setrlimit(what, &r);
}

void child_default_signals(void)
{
	static const int all[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGQUIT, SIGXCPU, SIGXFSZ};
	for (u32 i = 0; i < COUNT(all); i++)
		signal(all[i], SIG_DFL);
}

/* More memory than there is now: sanitizers reserve terabytes. */
void child_limit(ChildLimits l, bool for_good)
{
	unsigned long long pages = 0;
	struct rusage used = {0};
	FILE *f = fopen("/proc/self/statm", "r");
	bool known = f && fscanf(f, "%llu", &pages) == 1;
	if (f)
		fclose(f);
	getrusage(RUSAGE_SELF, &used);
	rlim_t time = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1) + l.seconds;
	limit_one(RLIMIT_CPU, l.seconds ? time : RLIM_INFINITY, 1, for_good);
	limit_one(RLIMIT_AS, l.memory && known ? pages * (rlim_t)sysconf(_SC_PAGESIZE) + l.memory : RLIM_INFINITY, 0,
	          for_good);
	limit_one(RLIMIT_FSIZE, l.file ? l.file : RLIM_INFINITY, 0, for_good);
}

static u64 least(u64 limit, rlim_t users) { return limit && limit < users ? limit : users; }

ChildLimits child_limits(ChildLimits l)
{
	return (ChildLimits){(u32)least(l.seconds, given_limit(RLIMIT_CPU).rlim_cur),
	                     least(l.memory, given_limit(RLIMIT_AS).rlim_cur),
	                     least(l.file, given_limit(RLIMIT_FSIZE).rlim_cur)};
}

static bool in_path(const char *program)
{
	char file[PATH_MAX];
	for (const char *p = getenv("PATH"), *end; p; p = *end ? end + 1 : NULL) {
		end = strchrnul(p, ':');
		snprintf(file, sizeof file, "%.*s/%s", (int)(end - p), p, program);
		if (!access(file, X_OK))
			return true;
	}
	return false;
}

/* The least that compilers were seen to need, rather more than that. */
char *child_fault(bool ld)
{
	enum { FILES = 32, INODES = 32 };
	const u64 memory = (u64)1 << 30, file = 8 << 20, room = 4 << 20;
	ChildLimits l = child_limits(COMPILE_LIMITS);
	rlim_t files = given_limit(RLIMIT_NOFILE).rlim_cur;
	const char *tmp = getenv("TMPDIR"), *folder = tmp && *tmp ? tmp : "/tmp";
	struct statvfs disk = {0};
	int shared = child_file("probe"), why = errno;
	Buf b = {0};
	if (shared >= 0)
		close(shared);
	if (l.memory < memory)
		buf_printf(&b, "a process may have %" PRIu64 " MiB of memory only (ulimit -v)", l.memory >> 20);
	else if (files < FILES)
		buf_printf(&b, "a process may open %" PRIu64 " files only (ulimit -n)", (u64)files);
	else if (l.file < file)
		buf_printf(&b, "a file may have %" PRIu64 " KiB only (ulimit -f)", l.file >> 10);
	else if (shared < 0)
		buf_printf(&b, "there is no memory that processes share (memfd_create: %s)", strerror(why));
	else if (!statvfs(folder, &disk) && (u64)disk.f_bavail * disk.f_frsize < room)
		buf_printf(&b, "'%s' is full: it has %" PRIu64 " KiB left (TMPDIR names another folder)", folder,
		           (u64)disk.f_bavail * disk.f_frsize >> 10);
	else if (disk.f_files && disk.f_favail < INODES)
		buf_printf(&b,
		           "'%s' has room for %" PRIu64
		           " more files only: its inodes are used up (TMPDIR names another folder)",
		           folder, (u64)disk.f_favail);
	else if (ld && !in_path("ld"))
		buf_printf(&b, getenv("PATH") ? "no folder of PATH has ld, which PoCL links kernels with"
		                              : "PATH is not set, so that PoCL finds no ld to link kernels with");
	return b.v;
}

bool child_error(const char *what, Diag *d)
{
	const char *why = strerror(errno);
	char *fault = child_fault(false);
	diag_error(d, NO_LOC, "no process for %s could be started: %s", what, fault ? fault : why);
	free(fault);
	return false;
}

/* ---- other programs ---- */

void child_block(ChildSignals *s)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	sigemptyset(&s->all);
	sigaddset(&s->all, SIGCHLD);
	for (u32 i = 0; i < COUNT(ends); i++) {
		struct sigaction now;
		if (!sigaction(ends[i], NULL, &now) && now.sa_handler != SIG_IGN)
			sigaddset(&s->all, ends[i]);
	}
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &s->all, &s->before);
	s->program = s->before;
	for (int i = 1; i < NSIG; i++) /* also where this is within another one */
		if (sigismember(&s->all, i) == 1)
			sigdelset(&s->program, i);
}

void child_unblock(const ChildSignals *s) { sigprocmask(SIG_SETMASK, &s->before, NULL); }

int child_heard(const ChildSignals *s)
{
	sigset_t ends = s->all;
	sigdelset(&ends, SIGCHLD);
	int signal = sigtimedwait(&ends, NULL, &(struct timespec){0});
	return signal > 0 ? signal : 0;
}

u64 child_program(pid_t pid, const ChildSignals *s, int *status)
{
	u64 came = 0;
	*status = 0;
	while (!waitpid(pid, status, WNOHANG)) {
		siginfo_t from;
		int signal = sigwaitinfo(&s->all, &from);
		if (signal <= 0 || signal == SIGCHLD)
			continue;
		if (from.si_code <= 0) /* not the kernel */
			kill(pid, signal);
		came |= 1ull << signal;
	}
	return came;
}
