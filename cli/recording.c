/* Options of the commands about launch files: see recording.def. */
#include "cli/recording.h"

#include "cli/words.h"

typedef struct Row {
	Word word;
	u32 commands;
	size_t member;
} Row;

static const Row rows[] = {
#define FLAG(member, name, commands, help) {{name, NULL, help}, commands, offsetof(RecordingOptions, member)},
#define TEXT(member, name, arg, commands, help) {{name, arg, help}, commands, offsetof(RecordingOptions, member)},
#include "cli/recording.def"
};

static const struct {
	const char *name;
	size_t member;
} aliases[] = {
#define ALIAS(name, member) {name, offsetof(RecordingOptions, member)},
#include "cli/recording.def"
};

/* Those that command knows; row: where each stands in rows. */
static u32 words_of(u32 command, Word words[COUNT(rows)], u32 row[COUNT(rows)])
{
	u32 n = 0;
	for (u32 i = 0; i < COUNT(rows); i++) {
		if (!(rows[i].commands & command))
			continue;
		words[n] = rows[i].word;
		row[n++] = i;
	}
	return n;
}

/* What a word is another name of, or the word. */
static char *full_name(char *word, u32 command)
{
	for (u32 a = 0; a < COUNT(aliases); a++)
		for (u32 i = 0; i < COUNT(rows) && !strcmp(aliases[a].name, word); i++)
			if (rows[i].member == aliases[a].member && (rows[i].commands & command))
				return (char *)rows[i].word.name;
	return word;
}

static bool take_value(RecordingOptions *o, const Row *row, const char *value, Diag *d)
{
	void *member = (u8 *)o + row->member;
	if (!value)
		return true;
	if (row->word.arg)
		memcpy(member, &value, sizeof value);
	else
		*(bool *)member = true;
	return !row->word.arg || *value || diag_error(d, NO_LOC, "%s wants %s", row->word.name, row->word.arg);
}

bool recording_options(RecordingOptions *o, u32 command, int argc, char *const *argv, Arena *a, Diag *d)
{
	Word words[COUNT(rows)];
	const char *value[COUNT(rows)] = {0};
	u32 row[COUNT(rows)], nwords = words_of(command, words, row);
	char **own = ARENA_ARRAY(a, char *, argc);
	int n = 0;
	*o = (RecordingOptions){.rest = ARENA_ARRAY(a, char *, argc + 1)};
	for (; n < argc; n++) {
		if (command & (RECORD | RUN) && n && !strcmp(argv[n], "--")) {
			o->program = argv + n + 1;
			break;
		}
		own[n] = full_name(argv[n], command);
	}
	bool ok = words_split(words, nwords, n, own, value, o->rest, &o->nrest, d);
	for (u32 i = 0; i < nwords; i++)
		ok &= take_value(o, &rows[row[i]], value[i], d);
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
	Word words[COUNT(rows)];
	u32 row[COUNT(rows)];
	words_help(words, words_of(command, words, row), out);
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
