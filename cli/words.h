/* Options that only one command has, beside those of a launch (options.def): a table of them,
 * each with a number, taken out of the command line before options_parse reads the rest. */
#ifndef WAVESIM_WORDS_H
#define WAVESIM_WORDS_H

#include "base/diag.h"

typedef struct Word {
	const char *name, *arg; /* arg: what its value is called; NULL: a flag */
	const char *help;
} Word;

/* The number of the option that text is or begins with (--name=value), or n. */
u32 words_find(const Word *words, u32 n, const char *text);
/* Take out the options. value[i]: what was given, "" for a flag, NULL when it was not. The other
 * words, argv[0] first, go to rest, which has room for argc + 1. False: one lacks its value. */
bool words_split(const Word *words, u32 n, int argc, char *const *argv, const char **value, char **rest,
                 int *nrest, Diag *d);
/* Is it the option of that name, alone or with =VALUE? */
bool words_is(const char *text, const char *name);
/* Does at most one of these words have - for its file? */
bool words_one_stdout(const Word *words, const char *const *value, const u32 *files, u32 n, Diag *d);
/* Is the word no option for the results of one launch (a format, --dump …)? A command that runs several
 * would leave them out silently. have: what it writes itself, for the hint. */
bool words_not_of_one(const char *word, const char *have, Diag *d);
/* A whole number from min to max, with the messages of options_parse. NULL: was not given, *out stays. */
bool words_number(const char *name, const char *value, u64 min, u64 max, u64 *out, Diag *d);
/* A line of help for each. */
void words_help(const Word *words, u32 n, Buf *out);

#endif
