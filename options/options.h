/* The options of a launch as a structure, and what commands need to know of them. */
#ifndef WAVESIM_OPTIONS_H
#define WAVESIM_OPTIONS_H

#include "engine/spec.h"
#include "traces/launch/completion.h"

/* Rows of the table, groups and aliases included: OPTION_wave, OPTION_device … */
typedef enum {
#define OPTION_LINE_(line) OPTION_of_line_##line,
#define OPTION_LINE(line) OPTION_LINE_(line)
#define GROUP(title) OPTION_LINE(__LINE__)
#define LAUNCH_OPTIONS OPTION_LINE(__LINE__)
#define ALIAS(name, member) OPTION_LINE(__LINE__)
#define FLAG(member, name, ...) OPTION_##member,
#define NUMBER(member, name, arg, min, max, def, help) OPTION_##member,
#define MAYBE(member, name, arg, help) OPTION_##member,
#define TEXT(member, name, arg, help) OPTION_##member,
#include "options/options.def"
	OPTION_COUNT
} OptionId;

/* OptRow.commands */
enum { OPTIONS_OF_FILE = 1 /* `wavesim FILE` */, OPTIONS_OF_COMMANDS = 2 /* all others, and the library */ };

typedef struct Options {
	Arena *arena;
#define FLAG(member, name, ...) bool member;
#define NUMBER(member, name, arg, min, max, def, help) u64 member;
#define MAYBE(member, name, arg, help) const char *member;
#define TEXT(member, name, arg, help) const char *member;
#include "options/options.def"
	OptTables tables;
	const OptGiven *given; /* of each OptionId */
	const Loc *loc;        /* of the value of each */
	const char *input;     /* the file to run, or NULL */
	bool not_copied;       /* with warm: RunSpec's */
	u32 start_ns;          /* of a kernel, beside its work, where who measured it had another; 0: the device's */
	LaunchWords launch;    /* options of the launch, in order */
	struct Suppressions *suppressions; /* of --suppress, or NULL */
	struct Result *before;    /* of --baseline, when it has been read */
	double slower;            /* of --fail-slower, in percent, then; negative: any */
	const char *command_line; /* all of it as one line, for messages that point into it */
} Options;

/* For OPTIONS_OF_COMMANDS: another one sets Options.tables.command. o must stay where it is until options_free. */
void options_init(Options *o);
void options_free(Options *o);
/* The path of the configuration file, which need not exist; NULL: there is no place for one. */
const char *options_config(Arena *a);
/* The same of the folder of the cache. */
const char *options_cache(Arena *a);
/* The command line (argv[1] …), the environment, the configuration file. */
bool options_parse(Options *o, int argc, char *const *argv, Diag *d);
/* The command line alone. */
bool options_parse_words(Options *o, int argc, char *const *argv, Diag *d);
/* Is the word an option of the program alone, which names an output or what to do in place of a run? */
bool options_of_program(const char *word);
/* Options that a kernel file or .sim file carries (opt_parse_file). */
bool options_parse_file(Options *o, const LaunchToken *words, u32 n, const char *text, bool lenient, Diag *d);
/* Options of a launch that a lesson's page or a store names (opt_parse_page). */
bool options_parse_page(Options *o, const LaunchToken *words, u32 n, const char *text, Diag *d);
/* Does the word (an option) have its value in the next one? Unknown options: no. */
bool options_want_value(const char *word);
const char *options_name(OptionId id);
/* These options, for a shell to complete after a command; of those for the results of one launch the n of has only;
 * NULL: all. */
CompletionRows options_completes(const OptionId *has, u32 n, Arena *a);
/* The first option for the results of one launch that was given, by somebody of that rank or above, and is not among
 * the n of has; OPTION_COUNT: none was. */
OptionId options_first_of_one(const Options *o, OptGiven rank, const OptionId *has, u32 n);
/* Is the word no option for the results of one launch (a format, --dump …)? A command that runs several would leave
 * them out silently. have: what it writes itself, for the hint. */
bool options_not_of_one(const char *word, const char *have, Diag *d);
/* A file that a command writes, or reads, and the option that named it; path NULL: none. */
typedef struct OutputOption {
	const char *option, *path;
	Loc at;
	bool read;
} OutputOption;
/* Does at most one of these go to standard output ("-"), and none to a file that another one names, whatever links
 * lead there? line: the command line that at points into, or NULL. */
bool options_apart(const OutputOption *outputs, u32 n, const char *line, Diag *d);
/* Adds to the last message the line that it points into, of the command line (line; NULL: it is not known) or of a
 * file; nothing where it points into neither. Returns false. */
bool options_quote(const char *line, Diag *d);
/* Of two options that exclude each other the one counts whose source is the stronger (OptGiven). Is this one set, and
 * does it count? */
bool options_counts(const Options *o, OptionId id);
/* One of two that exclude each other and come from one source, and what to say of it; OPTION_COUNT: there is none. */
OptionId options_clash(const Options *o, const char **what);
/* The name of the device, and the option that gives it: --mcpu or --device; without both the default. */
const char *options_device(const Options *o);
OptionId options_device_id(const Options *o);
/* All options of a launch, by groups. */
void options_help(Buf *out);

#endif
