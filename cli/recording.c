/* Options of the commands about launch files: see recording.def. */
#include "cli/recording.h"

#include <stdio.h>

typedef struct Row {
	const char *name, *arg, *help; /* arg NULL: a flag */
	u32 commands;
	size_t member;
} Row;

static const Row rows[] = {
#define FLAG(member, name, commands, help) {name, NULL, help, commands, offsetof(RecordingOptions, member)},
#define TEXT(member, name, arg, commands, help) {name, arg, help, commands, offsetof(RecordingOptions, member)},
#include "cli/recording.def"
};

static const Row *find_row(const char *word, u32 command)
{
	size_t n = strcspn(word, "=");
	if (!strcmp(word, "-o"))
		word = "--output", n = strlen(word);
	for (u32 i = 0; i < COUNT(rows); i++)
		if (rows[i].commands & command && strlen(rows[i].name) == n && !memcmp(rows[i].name, word, n))
			return &rows[i];
	return NULL;
}

bool recording_options(RecordingOptions *o, u32 command, int argc, char *const *argv, Arena *a, Diag *d)
{
	bool ok = true, host = command & (RECORD | RUN);
	*o = (RecordingOptions){.rest = ARENA_ARRAY(a, char *, argc + 1)};
	for (int i = 0; i < argc; i++) {
		if (host && i && !strcmp(argv[i], "--")) {
			o->program = argv + i + 1;
			break;
		}
		const Row *row = i ? find_row(argv[i], command) : NULL;
		const char *equals = strchr(argv[i], '=');
		if (!row) {
			o->rest[o->nrest++] = argv[i];
		} else if (!row->arg) {
			*(bool *)((u8 *)o + row->member) = true;
		} else {
			const char *value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
			if (!value || !*value)
				ok = diag_error(d, NO_LOC, "%s wants %s", row->name, row->arg);
			memcpy((u8 *)o + row->member, &value, sizeof value);
		}
	}
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
		{RECORD, "usage: wavesim record [options] -- PROGRAM [ARGUMENTS]\n\n"
		         "Runs the program as it is, and writes every OpenCL kernel launch that it makes to a launch file:\n"
		         "program, sizes, arguments, and the memory before and after. Processes that the program starts\n"
		         "write files of their own (FILE.2, FILE.3 ...).\n\n"},
		{RUN, "usage: wavesim run [options] -- PROGRAM [ARGUMENTS]\n\n"
		      "Runs the program as it is, simulates every OpenCL kernel launch that it made, and compares\n"
		      "each with what it left in memory. Options of `wavesim --help` about the machine, checks and output\n"
		      "hold for every launch.\n\n"},
		{REPLAY, "usage: wavesim replay FILE [options]\n\n"
		         "Simulates the launches of a launch file. With one launch (--launches N) it shows the report of\n"
		         "it; with more a line for each, and the sums. Options of `wavesim --help` about the machine,\n"
		         "checks and output hold for every launch.\n\n"},
		{LAUNCHES, "usage: wavesim launches FILE [options]\n\nLists the launches of a launch file.\n\n"},
	};
	for (u32 i = 0; i < COUNT(heads); i++)
		if (heads[i].command == command)
			buf_printf(out, "%s", heads[i].text);
	for (u32 i = 0; i < COUNT(rows); i++) {
		char left[64];
		if (!(rows[i].commands & command))
			continue;
		snprintf(left, sizeof left, "%s%s%s", rows[i].name, rows[i].arg ? " " : "", rows[i].arg ? rows[i].arg : "");
		buf_printf(out, "  %-20s %s\n", left, rows[i].help);
	}
}

void record_help(Buf *out) { help(RECORD, out); }
void run_help(Buf *out) { help(RUN, out); }
void replay_help(Buf *out) { help(REPLAY, out); }
void launches_help(Buf *out) { help(LAUNCHES, out); }
