/* Options of the commands about launch files: see recording.def. */
#include "cli/recording.h"

static const OptRow rows[] = {
#define ROW(field, option, value, set, text) \
	.name = option, .arg = value, .help = text, .member = offsetof(RecordingOptions, field), .commands = set
#define ALIAS(name, member) OPT_ROW_ALIAS(RecordingOptions, name, member)
#define FLAG(member, name, commands, help) {.kind = OPT_FLAG, ROW(member, name, NULL, commands, help)},
#define TEXT(member, name, arg, commands, help) {.kind = OPT_TEXT, ROW(member, name, arg, commands, help)},
#include "cli/recording.def"
};

/* A text that is given says something. */
static bool check_texts(const RecordingOptions *o, Diag *d)
{
	bool ok = true;
	for (u32 i = 0; i < COUNT(rows); i++) {
		const char *text = NULL;
		if (rows[i].kind == OPT_TEXT)
			memcpy(&text, (const u8 *)o + rows[i].member, sizeof text);
		if (text && !*text)
			ok = diag_error(d, NO_LOC, "%s wants %s", rows[i].name, rows[i].arg);
	}
	return ok;
}

bool recording_options(RecordingOptions *o, u32 command, int argc, char *const *argv, Arena *a, Diag *d)
{
	int n = 0;
	*o = (RecordingOptions){.rest = ARENA_ARRAY(a, char *, argc + 1)};
	while (n < argc && !(command & (RECORD | RUN) && n && !strcmp(argv[n], "--")))
		n++;
	if (n < argc)
		o->program = argv + n + 1;
	bool ok = opt_take(rows, COUNT(rows), o, command, n, argv, o->rest, &o->nrest, d);
	ok &= check_texts(o, d);
	if (o->present && strcmp(o->present, "gpu") && strcmp(o->present, "cpu"))
		ok = diag_error(d, NO_LOC, "--present is 'gpu' or 'cpu', not '%s'", o->present);
	return ok;
}

static void help(u32 command, Buf *out)
{
	static const struct {
		u32 command;
		const char *text;
	} heads[] = {
		{RECORD, "wavesim record [options] -- PROGRAM [ARGUMENTS]: every kernel launch of a host program to a file\n\n"
		         "Runs the program as it is, and writes every OpenCL kernel launch that it makes to a launch file:\n"
		         "program, sizes, arguments, and the memory before and after. Processes that the program starts\n"
		         "write files of their own (FILE.2, FILE.3 ...).\n\n"},
		{RUN, "wavesim run [options] -- PROGRAM [ARGUMENTS]: every kernel launch of a host program\n\n"
		      "Runs the program as it is, simulates every OpenCL kernel launch that it made, and compares\n"
		      "each with what it left in memory. Options of `wavesim --help` about the machine, checks and output\n"
		      "hold for every launch.\n\n"},
		{REPLAY, "wavesim replay FILE [options]: recorded launches\n\n"
		         "Simulates the launches of a launch file. With one launch (--launches N) it shows the report of\n"
		         "it; with more a line for each, and the sums. Options of `wavesim --help` about the machine,\n"
		         "checks and output hold for every launch.\n\n"},
		{LAUNCHES, "wavesim launches FILE [options]: what a launch file holds\n\n"},
	};
	for (u32 i = 0; i < COUNT(heads); i++)
		if (heads[i].command == command)
			buf_printf(out, "%s", heads[i].text);
	opt_help(rows, COUNT(rows), command, out);
	if (command & (RECORD | RUN))
		buf_printf(out, "\nExit status: the program's when it is not 0 (128 and a signal's number), else ");
	else
		buf_printf(out, "\nExit status: ");
	buf_printf(out, "0 fine, 2 bad input%s.\n",
	           command & (RUN | REPLAY) ? ", --error-exitcode's when there are findings" : "");
}

void record_help(Buf *out) { help(RECORD, out); }
void run_help(Buf *out) { help(RUN, out); }
void replay_help(Buf *out) { help(REPLAY, out); }
void launches_help(Buf *out) { help(LAUNCHES, out); }
