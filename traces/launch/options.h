/* Options of a command as tables: one parser for the commands of both programs.
 *
 * A row of a table names an option, its kind, its range, and the member of a structure that its value goes to.
 * Besides its table a command has launch_options (launch.h), whose words are kept in order for launch_option.
 *
 * Sources of options have ranks (OptGiven): the higher one wins whatever the order; of one source the last word
 * counts. A message points at the word and quotes its line. */
#ifndef WAVESIM_OPTION_TABLES_H
#define WAVESIM_OPTION_TABLES_H

#include "traces/launch/launch.h"

typedef enum {
	OPT_FLAG,   /* bool */
	OPT_WHOLE,  /* u64 */
	OPT_NUMBER, /* double */
	OPT_TEXT,   /* const char *; NULL when not given */
	OPT_MAYBE,  /* the same, "" without a value, which only --name=VALUE gives */
	OPT_TEXTS,  /* OptTexts: each time it is given one more */
	OPT_ALIAS,  /* another name of the option with the same member */
	OPT_GROUP,  /* no option: the title of those below it */
	OPT_LAUNCH, /* no option: where help shows launch_options */
} OptKind;
typedef ARRAY(const char *) OptTexts;

/* Where an option may stand. */
enum {
	OPT_COMMAND_LINE = 1,
	OPT_ENVIRONMENT = 2,
	OPT_CONFIG = 4,    /* a configuration file */
	OPT_UNTRUSTED = 8, /* the words behind OptSet.untrusted_from, with a value that is no path */
	OPT_FILE = 16,     /* a kernel or .sim file, with a value that is no path */
	OPT_ON_MACHINE = OPT_COMMAND_LINE | OPT_ENVIRONMENT | OPT_CONFIG,
	OPT_ANYWHERE = OPT_ON_MACHINE | OPT_UNTRUSTED | OPT_FILE,
};

typedef struct OptRow {
	OptKind kind;
	const char *name;  /* "--wave"; of a group its title */
	const char *arg;   /* what help calls the value; NULL: a flag */
	const char *help;
	size_t member;     /* offset in the structure of values */
	u64 min, max, def; /* of OPT_WHOLE */
	double least, most, usual; /* of OPT_NUMBER */
	u32 commands;      /* those that have it, a bit each; 0: all */
} OptRow;

/* Rows for a table over the structure TYPE, from the columns of a .def file. */
#define OPT_ROW_GROUP(title) {.kind = OPT_GROUP, .name = title},
#define OPT_ROW_LAUNCH {.kind = OPT_LAUNCH, .name = ""},
#define OPT_ROW_ALIAS(type, other, field) {.kind = OPT_ALIAS, .name = other, .member = offsetof(type, field)},
#define OPT_ROW_FLAG(type, field, option, text, ...) /* OptRow.commands, where it is not for all */ \
	{.kind = OPT_FLAG, .name = option, .help = text, .member = offsetof(type, field), __VA_ARGS__},
#define OPT_ROW_WHOLE(type, field, option, value, lo, hi, start, text) \
	{.kind = OPT_WHOLE, .name = option, .arg = value, .help = text, .member = offsetof(type, field), .min = lo, \
	 .max = hi, .def = start},
#define OPT_ROW_NUMBER(type, field, option, value, lo, hi, start, text) \
	{.kind = OPT_NUMBER, .name = option, .arg = value, .help = text, .member = offsetof(type, field), \
	 .least = lo, .most = hi, .usual = start},
#define OPT_ROW_TEXT(type, field, option, value, text) \
	{.kind = OPT_TEXT, .name = option, .arg = value, .help = text, .member = offsetof(type, field)},
#define OPT_ROW_MAYBE(type, field, option, value, text) \
	{.kind = OPT_MAYBE, .name = option, .arg = value, .help = text, .member = offsetof(type, field)},
#define OPT_ROW_TEXTS(type, field, option, value, text) \
	{.kind = OPT_TEXTS, .name = option, .arg = value, .help = text, .member = offsetof(type, field)},

/* Where an option was given; a later one in this list wins. */
typedef enum { GIVEN_NOT, GIVEN_CONFIG, GIVEN_FILE, GIVEN_PAGE, GIVEN_ENVIRONMENT, GIVEN_COMMAND_LINE } OptGiven;

/* A table, and where what it reads goes. given and loc: per row. */
typedef struct OptSet {
	const OptRow *rows;
	u32 n;
	void *values;
	OptGiven *given;
	Loc *loc; /* of the value */
	const u8 *places; /* per row: where it may stand; 0, or NULL: OPT_ON_MACHINE */
	const OptRow *untrusted_from; /* words behind it are a stranger's, or NULL */
} OptSet;

/* An option of the launch, for launch_option. */
typedef struct LaunchWord {
	const char *name, *value;
	Loc loc;
	LaunchOrigin from; /* FROM_PAGE, FROM_UNTRUSTED or FROM_OPTION */
} LaunchWord;
typedef ARRAY(LaunchWord) LaunchWords;

/* The options of a command. Strings that it keeps are the arena's. */
typedef struct OptTables {
	const char *program; /* "wavesim": the first word of the line that messages quote */
	const char *hint;    /* what to do about a word that is no option */
	OptSet set;
	u32 command;         /* OptRow.commands: this one; 0: rows of any */
	Arena *arena;
	LaunchWords *launch; /* options of the launch, in order; NULL: they are none here */
	OptTexts *files;     /* words that are no options */
	u32 most_files;
	const char *line;    /* the command line as opt_parse read it, for messages */
} OptTables;

/* A table with everything at its default. */
OptSet opt_set(const OptRow *rows, u32 n, void *values, Arena *a);
/* The words argv[1] …, and the environment (WAVESIM_SOME_NAME for --some-name). False: errors in d. */
bool opt_parse(OptTables *t, int argc, char *const *argv, Diag *d);
bool opt_environment(OptTables *t, Diag *d);
/* A configuration file, weaker than all others. A line is `some-name = value`, for --some-name; `some-name` alone for
 * a flag, or for an option without its value; empty; or begins with #. Paths count from its folder. path and text: the
 * file's. */
bool opt_parse_config(OptTables *t, const char *path, const char *text, Diag *d);
/* Options that a kernel file or .sim file carries: those that may stand in one (OptSet.places), others are errors. text
 * is the file's, for messages. Of a .sim file (lenient) unknown ones are Oclgrind's: a note is enough. */
bool opt_parse_file(OptTables *t, const LaunchToken *words, u32 n, const char *text, bool lenient, Diag *d);
/* The same of a lesson's page, or of a store, with options of the launch; stronger than the kernel file. */
bool opt_parse_page(OptTables *t, const LaunchToken *words, u32 n, const char *text, Diag *d);

/* Take a command's own options out of its words: those of rows go to values, the other words, argv[0] first, to
 * rest, which has room for argc + 1; what is behind "--" is none of its options. Texts are the words' own. False:
 * errors in d. */
bool opt_take(const OptRow *rows, u32 n, void *values, u32 command, int argc, char *const *argv, char **rest,
              int *nrest, Diag *d);

/* A word of the command line: the row that it names, alone or with =VALUE. NULL twice: no option. */
typedef struct OptName {
	const OptRow *row;
	const LaunchOption *launch;
	const char *value; /* behind the name; NULL: the next word, unless it is a flag */
} OptName;
OptName opt_name(const OptTables *t, const char *word);
/* Is its value the next word? */
bool opt_wants_value(const OptName *name);

bool opt_in_command(const OptRow *row, u32 command);

/* A line of help for each row of a table that the command has, groups with their titles. */
void opt_help(const OptRow *rows, u32 n, u32 command, Buf *out);

#endif
