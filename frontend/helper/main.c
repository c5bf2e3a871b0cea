/* wavesim-helper: compiles, and runs kernels natively, for the process that started it (frontend/helper.h).
 *
 * It has one thread, so it may fork: PoCL, the code generator, whatever reads bitcode of unknown origin and
 * each native run get a process each, with a supervisor (child.h). When the process that started it is gone, it
 * ends at once, whatever it does, and the supervisors end the rest. */
#include "frontend/client/wire.h"
#include "base/child.h"
#include "frontend/compile/compile.h"
#include "frontend/made_of.h"
#include "frontend/module/library_part.h"
#include "frontend/sandbox.h"
#include "frontend/native/native.h"
#include "frontend/source/hip/hip_rtc.h"
#include "frontend/source/pocl/pocl.h"
#include "isa/gpu.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* A native run, and the memory that it shares with the client. */
typedef struct HelperRun {
	u32 number;
	PoclWork *work;
	NativeWork *own; /* … or this */
	u8 *memory;
	size_t size;
} HelperRun;

typedef struct Server {
	ARRAY(HelperRun) runs;
	u32 numbered;
	Arena *excerpts; /* owns those that it was given */
} Server;

/* ---- the socket ---- */

/* The client is gone? It may also have sent something. */
static void on_socket(int signal)
{
	(void)signal;
	struct pollfd p = {.fd = WIRE_FD, .events = POLLRDHUP};
	if (poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLRDHUP | POLLERR | POLLNVAL)))
		_exit(1);
}

/* Processes that are forked off do not hold it, or the client could not see our end. Its number stays taken. */
static void close_socket(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0 && dup3(null, WIRE_FD, O_CLOEXEC) == WIRE_FD)
		close(null);
	else
		close(WIRE_FD);
}

static bool open_socket(void)
{
	struct sigaction a = {.sa_handler = on_socket, .sa_flags = SA_RESTART};
	int flags = fcntl(WIRE_FD, F_GETFL);
	return flags >= 0 && !pthread_atfork(NULL, NULL, close_socket) && !sigaction(SIGIO, &a, NULL) &&
	       !fcntl(WIRE_FD, F_SETOWN, getpid()) && !fcntl(WIRE_FD, F_SETFL, flags | O_ASYNC) &&
	       !fcntl(WIRE_FD, F_SETFD, FD_CLOEXEC);
}

static void answer(WireKind kind, Buf *bytes)
{
	bool sent = wire_send(WIRE_FD, kind, bytes, -1);
	array_free(bytes);
	if (!sent)
		_exit(1);
}

static void enter(const char *folder)
{
	if (folder && chdir(folder))
		return; /* names that are absolute are found all the same */
}

/* Where code must be confined, a kernel of ours runs before one that will run natively: whether PoCL's runs are. */
static bool allowed(bool natively, Diag *d)
{
	if (natively && sandbox_required())
		sandbox_misses(pocl_unconfined());
	return sandbox_allows(d);
}

/* ---- libraries ---- */

/* Reads the file that came with a request, and closes it: processes that are forked off later do not have it. */
static void take_excerpts(Server *s, int *fd)
{
	if (*fd < 0)
		return;
	u64 room;
	size_t n;
	char *bytes = child_file_read(*fd, &n);
	WireExcerpts w = {0};
	*fd = -1;
	Arena *unused = arena_new();
	Codec c = wire_reader((u8 *)bytes, n, unused, &room);
	wire_excerpts(&c, &w);
	if (!c.bad && c.p == c.end) {
		Arena *before = s->excerpts;
		excerpts_take(&w.excerpts);
		s->excerpts = unused;
		unused = before;
	}
	arena_free(unused);
	codec_free(&c);
	free(bytes);
}

static void do_excerpts(Codec *c)
{
	MadeOf made = {0};
	ExcerptWants wants = {0};
	WireExcerpts w = {0};
	Buf out = {0};
	wire_wants(c, &wants);
	child_limit(COMPILE_LIMITS, false);
	if (!c->bad) {
		made_of_process(&made);
		w.made_of = made_of_names(&made);
		w.excerpts = library_excerpts(&wants, c->arena);
	}
	wire_excerpts(&(Codec){.writing = true, .out = &out}, &w);
	answer(WIRE_ANSWER, &out);
	made_of_free(&made);
	child_limit((ChildLimits){0}, false);
}

/* ---- compiling ---- */

static void do_compile(Codec *c)
{
	WireCompile w = {0};
	WireProgram p = {0};
	Buf out = {0};
	wire_compile(c, &w);
	excerpts_want_nothing();
	diag_init(&p.said);
	enter(w.folder);
	child_limit(COMPILE_LIMITS, false);
	Compile *k = c->bad || !allowed(w.o.try_native, &p.said) ? NULL : compile_open(&w.o, &w.built, &p.said);
	if (k && compile_select(k, NULL, &p.said))
		p.program = compile_lower(k, &p.said);
	if (p.program) {
		p.facts = compile_facts(k);
		p.wants = excerpts_wanted();
	}
	Codec writer = {.writing = true, .out = &out};
	wire_program(&writer, &p);
	if (out.n > WIRE_MOST) {
		diag_error(&p.said, (Loc){.file = w.o.path}, "this program has more than %u GiB, with its constants",
		           (u32)(WIRE_MOST >> 30));
		program_free(p.program);
		p.program = NULL;
		p.facts = (FeFacts){0};
		p.wants = (ExcerptWants){0};
		out.n = 0;
		wire_program(&writer, &p);
	}
	codec_free(&writer);
	answer(WIRE_ANSWER, &out);
	program_free(p.program);
	compile_close(k);
	diag_free(&p.said);
	child_limit((ChildLimits){0}, false);
}

/* ---- running ---- */

static bool map_buffers(PoclLaunch *l, int fd, HelperRun *r, Diag *d)
{
	u64 at = 0;
	for (u32 i = 0; i < l->nbuffers; i++)
		r->size += wire_buffer_room(&l->buffers[i]);
	if (r->size) {
		void *p = mmap(NULL, r->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (p == MAP_FAILED)
			return diag_error(d, NO_LOC, "no memory for the buffers of the reference run");
		r->memory = p;
	}
	for (u32 i = 0; i < l->nbuffers; i++) {
		PoclBuffer *b = (PoclBuffer *)(uintptr_t)&l->buffers[i];
		u8 *bytes = r->memory ? r->memory + at : NULL;
		at += wire_buffer_room(b);
		b->init = b->init ? bytes : NULL;
		b->result = b->result ? bytes : NULL;
	}
	return true;
}

static void run_free(HelperRun *r)
{
	if (r->memory)
		munmap(r->memory, r->size);
}

static NativeWork *start_own(const WireStart *w, Diag *d)
{
	NativeProgram p = {.o = w->o, .built = w->built};
	p.o.path = w->l.path;
	p.o.source = w->l.source;
	p.o.build_options = w->l.options;
	return native_work_start(&w->l, &p, d);
}

static void do_start(Server *s, Codec *c, int fd)
{
	WireStart w = {0};
	WireStarted started = {0};
	HelperRun r = {.number = ++s->numbered};
	Buf out = {0};
	FeNeeded needed = {0};
	wire_start(c, &w);
	wire_needed(c, &needed);
	diag_init(&started.said);
	enter(w.folder);
	bool ok = !c->bad && allowed(true, &started.said) && map_buffers(&w.l, fd, &r, &started.said);
	if (ok && w.own)
		r.own = start_own(&w, &started.said);
	else if (ok)
		r.work = pocl_work_start(&w.l, &needed, &started.said);
	if (r.work || r.own) {
		array_push(&s->runs, r);
		started.run = r.number;
	} else {
		run_free(&r);
	}
	wire_started(&(Codec){.writing = true, .out = &out}, &started);
	answer(WIRE_ANSWER, &out);
	diag_free(&started.said);
}

static void do_wait(Server *s, Codec *c)
{
	WireWait w = {0};
	PoclOutcome o = {.status = POCL_NO_PLATFORM, .why = NULL};
	Buf out = {0};
	wire_wait(c, &w);
	for (u32 i = 0; i < s->runs.n; i++) {
		if (s->runs.v[i].number != w.run)
			continue;
		if (s->runs.v[i].own)
			native_work_wait(s->runs.v[i].own, w.seconds, &o);
		else
			pocl_work_wait(s->runs.v[i].work, w.seconds, &o);
		run_free(&s->runs.v[i]);
		s->runs.v[i] = s->runs.v[--s->runs.n];
		break;
	}
	if (!o.output) {
		o.output = xcalloc(1, 1);
		o.why = xstrdup("there is no such run");
	}
	wire_outcome(&(Codec){.writing = true, .out = &out}, &o);
	answer(WIRE_ANSWER, &out);
	pocl_outcome_free(&o);
}

/* ---- serving ---- */

static void do_about(Arena *a)
{
	Buf out = {0};
	FeAbout about = compile_about(a);
	wire_about(&(Codec){.writing = true, .out = &out}, &about);
	answer(WIRE_ANSWER, &out);
}

static void say_hello(void)
{
	Buf out = {0};
	char *version = wire_version();
	wire_hello(&(Codec){.writing = true, .out = &out}, (const char **)&version);
	answer(WIRE_HELLO, &out);
	free(version);
}

static bool serve_one(Server *s)
{
	u8 *bytes;
	u64 n, room;
	int fd;
	WireKind kind;
	WireEnd end = wire_receive(WIRE_FD, NULL, &kind, 0, &bytes, &n, &fd);
	if (end == WIRE_GOOD) {
		Arena *a = arena_new();
		Codec c = wire_reader(bytes, n, a, &room);
		switch (kind) {
		case WIRE_COMPILE:
			take_excerpts(s, &fd);
			do_compile(&c);
			break;
		case WIRE_EXCERPTS:
			take_excerpts(s, &fd);
			do_excerpts(&c);
			break;
		case WIRE_START: do_start(s, &c, fd); break;
		case WIRE_WAIT: do_wait(s, &c); break;
		case WIRE_ABOUT: do_about(a); break;
		case WIRE_HELLO:
		case WIRE_ANSWER: end = WIRE_DAMAGED; break;
		}
		arena_free(a);
	}
	if (fd >= 0)
		close(fd);
	free(bytes);
	return end == WIRE_GOOD;
}

int main(int argc, char **argv)
{
	Server s = {0};
	if (argc == 4 && !strcmp(argv[1], "--gpu"))
		return native_gpu(argv[2], (u32)strtoul(argv[3], NULL, 10));
	if (argc == 2 && !strcmp(argv[1], "--hiprtc"))
		return hip_rtc(GPU_SOCKET_FD);
	if (argc != 3 || strcmp(argv[1], "--serve") || !open_socket()) {
		fputs("wavesim-helper runs compilers for wavesim, which starts it.\n", stderr);
		return 2;
	}
	const char *tmp = getenv("TMPDIR");
	sandbox_start((Sandbox)(argv[2][0] - '0'), tmp && *tmp ? tmp : "/tmp");
	say_hello();
	while (serve_one(&s))
		;
	array_free(&s.runs);
	arena_free(s.excerpts);
	return 0;
}
