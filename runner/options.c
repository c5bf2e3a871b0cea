/* The command line of wavesim-runner, from options.def. */
#include "runner/runner.h"

static const OptRow rows[] = {
#define GROUP(title) OPT_ROW_GROUP(title)
#define LAUNCH_OPTIONS OPT_ROW_LAUNCH
#define ALIAS(name, member) OPT_ROW_ALIAS(RunnerOptions, name, member)
#define FLAG(member, name, help) OPT_ROW_FLAG(RunnerOptions, member, name, help)
#define WHOLE(member, name, arg, min, max, def, help) \
	OPT_ROW_WHOLE(RunnerOptions, member, name, arg, min, max, def, help)
#define NUMBER(member, name, arg, min, max, def, help) \
	OPT_ROW_NUMBER(RunnerOptions, member, name, arg, min, max, def, help)
#define TEXT(member, name, arg, help) OPT_ROW_TEXT(RunnerOptions, member, name, arg, help)
#define TEXTS(member, name, arg, help) OPT_ROW_TEXTS(RunnerOptions, member, name, arg, help)
#include "runner/options.def"
};

void runner_options_init(RunnerOptions *o) { *o = (RunnerOptions){.arena = arena_new(), .db = "timings.db"}; }

void runner_options_free(RunnerOptions *o)
{
	array_free(&o->launch);
	array_free(&o->files);
	array_free(&o->expects);
	arena_free(o->arena);
}

bool runner_options_parse(RunnerOptions *o, int argc, char *const *argv, Diag *d)
{
	OptTables t = {.program = "wavesim-runner", .hint = "wavesim-runner --help lists all options",
	               .arena = o->arena, .launch = &o->launch, .files = &o->files, .most_files = UINT32_MAX};
	t.set = opt_set(rows, COUNT(rows), o, o->arena);
	bool ok = opt_parse(&t, argc, argv, d);
	o->command_line = t.line;
	return ok;
}

CompletionRows runner_options_completes(void) { return (CompletionRows){.rows = rows, .n = COUNT(rows)}; }

void runner_options_help(Buf *out)
{
	buf_printf(
	    out,
	    "wavesim-runner: measure OpenCL kernels on a real device\n\n"
	    "  wavesim-runner devices [N|NAME]      the OpenCL devices; all properties of one\n"
	    "  wavesim-runner FILE…                 measure the launches of .cl, .sim and .launches files\n"
	    "  wavesim-runner probe                 measure what wavesim's models assume (minutes)\n"
	    "  wavesim-runner probe list            the probes\n"
	    "  wavesim-runner export FILE.json|.csv write what the store holds (- and .json: stdout)\n"
	    "  wavesim-runner import FILE…          add exports, Kernel Tuner caches, the AMD sets, recorded times\n"
	    "  wavesim-runner info                  list what the store holds, and check it for damage\n"
	    "  wavesim-runner completion SHELL      a script that completes all this: bash, zsh, fish\n\n");
	opt_help(rows, COUNT(rows), 0, out);
}
