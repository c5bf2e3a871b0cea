/* The command line as a structure. */
#ifndef WAVESIM_OPTIONS_H
#define WAVESIM_OPTIONS_H

#include "base/diag.h"
#include "engine/spec.h"

typedef enum {
#define FLAG(member, name, help) OPTION_##member,
#define NUMBER(member, name, arg, min, max, def, help) OPTION_##member,
#define TEXT(member, name, arg, help) OPTION_##member,
#include "cli/options.def"
	OPTION_COUNT
} OptionId;

/* Who gave an option; a later one in this list wins. */
typedef enum { GIVEN_NOT, GIVEN_FILE, GIVEN_ENVIRONMENT, GIVEN_COMMAND_LINE } Given;

typedef struct Options {
	Arena *arena;
#define FLAG(member, name, help) bool member;
#define NUMBER(member, name, arg, min, max, def, help) u64 member;
#define TEXT(member, name, arg, help) const char *member;
#include "cli/options.def"
	Given given[OPTION_COUNT];
	Loc loc[OPTION_COUNT]; /* of the value */
	const char *input;     /* the file to run, or NULL */
	ARRAY(LaunchWord) launch; /* options of the launch, in order */
	const char *command_line; /* all of it as one line, for messages that point into it */
} Options;

void options_init(Options *o);
void options_free(Options *o);
/* The command line (argv[1] …), after the environment. */
bool options_parse(Options *o, int argc, char *const *argv, Diag *d);
/* Options that a kernel file or .sim file carries; text is the file's, for messages. Of a .sim file
 * (lenient) unknown ones are Oclgrind's: a note is enough. */
bool options_parse_file(Options *o, const LaunchToken *words, u32 n, const char *text, bool lenient,
                        Diag *d);
/* Does the word (an option) have its value in the next one? Unknown options: no. */
bool options_want_value(const char *word);
/* Which option the word is, with its value or without, "--wave=32"; OPTION_COUNT: none of these. */
OptionId options_id(const char *word);
const char *options_name(OptionId id);
/* Is the word an option for the results of one launch? */
bool options_of_one(const char *word);
/* The first of these that was given, by somebody of that rank or above, and is not among the n of has;
 * OPTION_COUNT: none was. */
OptionId options_first_of_one(const Options *o, Given rank, const OptionId *has, u32 n);
/* A value of a NUMBER; what is wrong with it is in d. */
bool options_number(OptionId id, const char *value, u64 *out, Diag *d);
/* The name of the device: --mcpu, --device or the default. */
const char *options_device(const Options *o);
/* All options of a launch, by groups. */
void options_help(Buf *out);

#endif
