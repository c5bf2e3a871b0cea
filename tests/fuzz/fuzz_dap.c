/* Fuzz what an editor may send (debug/dap.h): a whole session over a program of wave instructions, whose bytes come as
 * they are, or, where the first is odd, as lines that each become a message of the right length. And the same bytes as
 * an expression and as a command of the terminal. */
#include "debug/dap_frame.h"
#include "debug/dap.h"
#include "debug/terminal_run.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/text_mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char program[] =
    "kernel \"k\"\narg 0 \"out\" global type \"int*\" elem int bytes 4 width 1 size 4\nparam s1:i64 arg 0 offset 0\n"
    "object 0 \"tile\" lds seg 1 size 64 align 4\nreg v7:i32 slot 0 \"id\"\nfile 0 \"k.cl\"\nfunc 0 \"k\"\nblock 0\n"
    "v7:i32 = query.local_id_x @3:1\nv8:b1 = ult_i32 v7, 3:i32 @3:2\nv9:i64 = leaz_i64 s1, v7 *4 @4:1\n"
    "br v8 -> 1, 2 @4:2\nblock 1\nst.global v9, v7 @5:1\njmp -> 3 @5:2\nblock 2\nst.lds 0x100000:i32, v7 @6:1\n"
    "jmp -> 3 @6:2\nblock 3\nbarrier @7:1\nret @8:1\n";

typedef struct Session {
	Arena *arena;
	EngineRun *run;
	Diag d;
} Session;

static Debugger *open_session(Session *s)
{
	static const LaunchWord words[] = {{"--global", "16", {NULL, 0, 0}, FROM_OPTION},
	                                   {"--local", "8", {NULL, 0, 0}, FROM_OPTION}};
	Device *dev = ARENA_NEW(s->arena, Device);
	LaunchSpec launch = {
	    .path = "k.wave", .text = program, .complete = true, .words = words, .nwords = COUNT(words)};
	RunSpec want = {.no_reference = "", .no_machine_code = true, .sandbox = SANDBOX_OFF};
	MachineSpec machine = {.device = dev, .wave = 4};
	if (!device_load(dev, "mi50", NO_LOC, s->arena, &s->d))
		return NULL;
	s->run = engine_open(&launch, &s->d);
	bool ok = engine_build(s->run, &machine, &want, NULL) && engine_bind(s->run);
	return ok ? debugger_open(s->run, &s->d) : NULL;
}

static void close_session(Session *s, Debugger *g)
{
	debugger_close(g);
	engine_close(s->run);
	s->run = NULL;
}

static Debugger *open_launch(void *ctx, const DapLaunch *l, char **error)
{
	(void)l;
	Debugger *g = open_session(ctx);
	if (!g)
		*error = xstrdup("");
	return g;
}

static void close_launch(void *ctx, Debugger *g) { close_session(ctx, g); }

static void messages_of(const char *text, size_t n, Buf *out)
{
	for (size_t at = 0; at < n;) {
		const char *end = memchr(text + at, '\n', n - at);
		size_t k = end ? (size_t)(end - text) - at : n - at;
		buf_printf(out, "Content-Length: %zu\r\n\r\n", k);
		buf_write(out, text + at, k);
		at += k + 1;
	}
}

static void commands_of(Session *s, const char *text, size_t n)
{
	Debugger *g = open_session(s);
	Terminal t = {.g = g, .arena = s->arena};
	char *own = arena_strndup(s->arena, text, strnlen(text, n)), *rest = NULL;
	u32 left = 16;
	for (char *line = g ? strtok_r(own, "\n", &rest) : NULL; line && left--; line = strtok_r(NULL, "\n", &rest))
		if (strncmp(line, "du", 2)) /* dump: it would write files */
			command_line(&t, line);
	array_free(&t.out);
	array_free(&t.displays);
	close_session(s, g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Session s = {.arena = arena_new()};
	Buf all = {0};
	diag_init(&s.d);
	bool lines = size && data[0] & 1;
	if (lines)
		messages_of((const char *)data + 1, size - 1, &all);
	else
		buf_write(&all, data, size);
	int in = memfd_create("in", 0), out = open("/dev/null", O_WRONLY);
	if (in >= 0 && out >= 0 && write(in, all.v ? all.v : "", all.n) == (ssize_t)all.n && !lseek(in, 0, SEEK_SET)) {
		DapSpec spec = {.open = open_launch, .close = close_launch, .ctx = &s, .in = in, .out = out};
		debug_dap(&spec);
	}
	close(in);
	close(out);
	commands_of(&s, (const char *)data, size);
	array_free(&all);
	diag_free(&s.d);
	arena_free(s.arena);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return text_mutate(data, size, max, seed, NULL);
}
