/* What the files of the terminal share. */
#ifndef WAVESIM_DEBUG_TERMINAL_RUN_H
#define WAVESIM_DEBUG_TERMINAL_RUN_H

#include "debug/show.h"
#include "debug/terminal.h"

typedef struct Terminal {
	Debugger *g;
	Buf out; /* what the command says */
	bool tty, quit;
	u32 failed;
	u32 list_file, list_line; /* where `list` goes on */
	ARRAY(char *) displays;
	Arena *arena;
} Terminal;

typedef struct Command {
	const char *name, *args, *what;
	void (*run)(Terminal *t, char *args);
	const char *alias; /* shorter names, with blanks between; or NULL */
	bool moves;        /* the launch, or ends */
} Command;
#define COMMAND(function, ...) void do_##function(Terminal *t, char *args);
#include "debug/commands.def"
extern const Command commands[];
extern const u32 command_count;
extern const char *const info_topics[];
extern const u32 info_count;

/* The command that the word begins, or is an alias of; NULL: none or several, *several. */
const Command *command_find(const char *word, bool *several);
/* One line. */
void command_line(Terminal *t, const char *line);
void fail(Terminal *t, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The whole text is a number from 0 on; the next word of a text, which is cut there. */
bool number_in(const char *text, u64 *out);
char *next_word(char **rest);
void print_breakpoint(Terminal *t, const Breakpoint *b);

#endif
