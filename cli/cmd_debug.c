/* wavesim debug: the debugger, on a terminal or for an editor. */
#include "cli/commands.h"
#include "cli/show.h"
#include "debug/dap.h"
#include "debug/terminal.h"

#include <unistd.h>

typedef struct DebugWords {
	bool optimised, dap;
	const char *commands;
	char **rest; /* the words that are for the launch */
	int nrest;
} DebugWords;
static const OptRow rows[] = {
    OPT_ROW_FLAG(DebugWords, optimised, "--optimised", "what the device's compiler makes of it, not the source")
	OPT_ROW_FLAG(DebugWords, dap, "--dap", "speak the Debug Adapter Protocol on standard input and output")
	    OPT_ROW_TEXT(DebugWords, commands, "--commands", "FILE", "commands from a file instead of the terminal")};

void debug_completes(CompletionCommand *c, Arena *a)
{
	completion_rows(c, rows, COUNT(rows), 0);
	completion_table(c, options_completes(NULL, 0, a));
}

void debug_help(Buf *out)
{
	buf_printf(out,
	           "wavesim debug FILE [options]    stop in a kernel, look at its lanes, go on by lines, and back\n"
	           "wavesim debug --dap             the same for an editor (Debug Adapter Protocol)\n\n");
	opt_help(rows, COUNT(rows), 0, out);
	buf_printf(out, "\nOptions of a launch (wavesim --help) hold, too. `help` there lists the commands; "
	                "docs/debugger.md explains them.\n"
	                "Exit status: 0 fine, 2 bad input, or a command of a script that failed.\n");
}

/* A run that is ready to be debugged; NULL: errors in d. */
static EngineRun *open_run(Options *o, bool optimised, Diag *d)
{
	bool ok;
	LaunchSpec launch = specs_launch(o);
	o->no_reference = true;
	Progress progress = progress_new(!o->quiet, 0);
	MachineSpec machine;
	u32 errors = d->errors;
	EngineRun *run = engine_open(&launch, d);
	ok = specs_file(o, run, &machine, d);
	RunSpec want = specs_run(o, progress_host(&progress));
	want.debug = optimised ? FE_DEBUG_DEVICE : FE_DEBUG_SOURCE;
	want.no_machine_code = true;
	ok = ok && d->errors == errors && engine_build(run, &machine, &want, NULL) && engine_bind(run);
	progress_end(&progress);
	if (ok)
		return run;
	engine_close(run);
	return NULL;
}

static int on_terminal(Options *o, const DebugWords *w, Diag *d)
{
	EngineRun *run = open_run(o, w->optimised, d);
	Debugger *g = run ? debugger_open(run, d) : NULL;
	TerminalSpec spec = {.commands = w->commands};
	u32 failed = g ? debug_terminal(g, &spec, d) : UINT32_MAX;
	debugger_close(g);
	engine_close(run);
	return failed ? EXIT_BAD_INPUT : EXIT_FINE;
}

/* ---- for an editor ---- */

/* What belongs to a launch that an editor asked for. */
typedef struct Adapter {
	Options o;
	EngineRun *run;
	Arena *words; /* that the options point into; NULL: there are none */
} Adapter;

static char *messages(const Diag *d)
{
	Buf out = {0};
	diag_print(d, &out);
	return out.v ? out.v : xstrdup("it cannot be launched");
}

static Debugger *adapter_open(void *ctx, const DapLaunch *l, char **error)
{
	Adapter *a = ctx;
	Diag d;
	Arena *words = a->words = arena_new();
	diag_init(&d);
	options_init(&a->o);
	if (l->folder && chdir(l->folder))
		diag_error(&d, NO_LOC, "cannot work in %s", l->folder);
	char **argv = ARENA_ARRAY(words, char *, l->nwords + 3);
	argv[0] = arena_strdup(words, "debug");
	argv[1] = arena_strdup(words, l->program);
	for (u32 i = 0; i < l->nwords; i++)
		argv[i + 2] = arena_strdup(words, l->words[i]);
	bool ok = !d.errors && options_parse(&a->o, (int)l->nwords + 2, argv, &d);
	a->o.quiet = true;
	a->run = ok ? open_run(&a->o, l->optimised, &d) : NULL;
	Debugger *g = a->run ? debugger_open(a->run, &d) : NULL;
	if (!g) {
		*error = messages(&d);
		engine_close(a->run);
		options_free(&a->o);
		arena_free(words);
		a->run = NULL;
		a->words = NULL;
	}
	diag_free(&d);
	return g;
}

static void adapter_close(void *ctx, Debugger *g)
{
	Adapter *a = ctx;
	debugger_close(g);
	engine_close(a->run);
	if (a->words)
		options_free(&a->o);
	arena_free(a->words);
}

static int for_editor(void)
{
	Adapter a = {0};
	DapSpec spec = {
	    .open = adapter_open, .close = adapter_close, .ctx = &a, .in = STDIN_FILENO, .out = STDOUT_FILENO};
	debug_dap(&spec);
	return EXIT_FINE;
}

int cmd_debug(int argc, char *const *argv, Diag *d)
{
	Options o;
	options_init(&o);
	Arena *a = arena_new();
	DebugWords w = {0};
	w.rest = ARENA_ARRAY(a, char *, argc + 1);
	bool ok = opt_take(rows, COUNT(rows), &w, 0, argc, argv, w.rest, &w.nrest, d) &&
	          options_parse(&o, w.nrest, w.rest, d);
	if (ok && w.dap) {
		arena_free(a);
		options_free(&o);
		return for_editor();
	}
	ok = ok && show_not_of_one(&o, OPTION_COUNT, "the debugger", "`dump` there writes a buffer", d);
	if (ok && !o.input) {
		ok = diag_error(d, NO_LOC, "which kernel file?");
		diag_hint(d, "wavesim debug kernel.cl");
	}
	int status = ok ? on_terminal(&o, &w, d) : EXIT_BAD_INPUT;
	arena_free(a);
	options_free(&o);
	return status;
}
