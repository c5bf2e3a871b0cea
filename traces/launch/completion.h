/* Completion for shells, from the tables of options: one script of each kind for a program with its commands.
 *
 * After an option, what its value may be: files where the table calls it FILE, folders (DIR), the words of a|b|c or
 * a,b,c, what CompletionWords names for it, else nothing. */
#ifndef WAVESIM_COMPLETION_H
#define WAVESIM_COMPLETION_H

#include "traces/launch/options.h"

/* The shells that there is a script for, and with blanks between: what may follow a command that writes it. */
#define COMPLETION_EACH_SHELL(X) X(bash) X(zsh) X(fish)
#define COMPLETION_SHELL_WORD(name) " " #name
#define COMPLETION_SHELLS (&(COMPLETION_EACH_SHELL(COMPLETION_SHELL_WORD))[1])

/* Rows of a command; where several tables have an option, the first counts. */
typedef struct CompletionRows {
	const OptRow *rows;
	u32 n, command;   /* command: as in OptTables */
	const bool *skip; /* per row: not in this command; then options of the launch about results are not, either.
	                   * NULL: all are */
} CompletionRows;

typedef struct CompletionCommand {
	const char *name, *help; /* name NULL: the program without a command */
	const char *words;       /* what may follow, with blanks between; NULL: files */
	CompletionRows tables[4];
	u32 ntables;
} CompletionCommand;

/* requires room: a command has at most as many tables as the array. */
void completion_table(CompletionCommand *c, CompletionRows table);
/* One with all rows of a command (0: all commands). */
void completion_rows(CompletionCommand *c, const OptRow *rows, u32 n, u32 command);

/* Words, with blanks between, that may follow an option. */
typedef struct CompletionWords {
	const char *option, *words;
} CompletionWords;

typedef struct Completion {
	const char *program;
	const CompletionCommand *commands; /* the one without a name is the last */
	u32 ncommands;
	const CompletionWords *words;
	u32 nwords;
} Completion;

/* The script for one of the shells; false: there is no such shell, which d says. */
bool completion_write(const Completion *c, const char *shell, Buf *out, Diag *d);

#endif
