/* Lines of commands: from a terminal by libedit, with history and completion, else plainly. */
#include "debug/terminal_run.h"

#include <editline/readline.h>
#include <errno.h>
#include <unistd.h>

static void flush_out(Terminal *t)
{
	Buf masked = {0};
	if (t->tty)
		buf_masked(&masked, t->out.v ? t->out.v : "", t->out.n, false);
	else
		buf_write(&masked, t->out.v, t->out.n);
	if (masked.n)
		fwrite(masked.v, 1, masked.n, stdout);
	fflush(stdout);
	array_free(&masked);
	t->out.n = 0;
}

static void begin(Terminal *t)
{
	show_kernel(t->g, &t->out);
	show_here(t->g, &t->out);
	flush_out(t);
}

/* ---- a script ---- */

/* What was asked stands before the answer. */
static void from_file(Terminal *t, FILE *f)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	while (!t->quit && (n = getline(&line, &room, f)) >= 0) {
		while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
			line[--n] = 0;
		if (*line)
			buf_printf(&t->out, "(wavesim) %s\n", line);
		command_line(t, line);
		flush_out(t);
	}
	free(line);
}

/* ---- a terminal ---- */

static Terminal *completing; /* libedit's functions have no context */

static char *next_command(const char *text, int state)
{
	static u32 i;
	i = state ? i : 0;
	while (i < command_count)
		if (!strncmp(commands[i++].name, text, strlen(text)))
			return xstrdup(commands[i - 1].name);
	return NULL;
}

static char *next_topic(const char *text, int state)
{
	static u32 i;
	i = state ? i : 0;
	while (i < info_count)
		if (!strncmp(info_topics[i++], text, strlen(text)))
			return xstrdup(info_topics[i - 1]);
	return NULL;
}

/* Variables of the frame. */
static char *next_name(const char *text, int state)
{
	static u32 i;
	u32 n;
	const DebugVariable *v = debugger_variables(completing->g, debugger_focus(completing->g), &n);
	i = state ? i : 0;
	while (i < n)
		if (!strncmp(v[i++].name, text, strlen(text)))
			return xstrdup(v[i - 1].name);
	return NULL;
}

static char **complete(const char *text, int start, int end)
{
	(void)end;
	static const char info[] = "i";
	const char *line = rl_line_buffer;
	while (*line == ' ')
		line++, start--;
	rl_attempted_completion_over = 1;
	return rl_completion_matches(text, start <= 0 ? next_command : *line == info[0] ? next_topic : next_name);
}

static void from_terminal(Terminal *t)
{
	char *line, *last = xstrdup("");
	completing = t;
	rl_readline_name = (char *)(uintptr_t) "wavesim";
	rl_attempted_completion_function = complete;
	using_history();
	while (!t->quit && (line = readline("(wavesim) "))) {
		if (*line) {
			add_history(line);
			free(last);
			last = line;
		} else {
			free(line); /* an empty line does the last again */
		}
		command_line(t, last);
		flush_out(t);
	}
	if (!t->quit)
		printf("\n");
	free(last);
	clear_history();
	completing = NULL;
}

u32 debug_terminal(Debugger *g, const TerminalSpec *spec, Diag *d)
{
	Terminal t = {.g = g, .arena = arena_new(), .tty = isatty(STDOUT_FILENO)};
	FILE *f = spec->commands && strcmp(spec->commands, "-") ? fopen(spec->commands, "r") : stdin;
	if (!f) {
		diag_error(d, NO_LOC, "%s cannot be read: %s", spec->commands, strerror(errno));
		arena_free(t.arena);
		return UINT32_MAX;
	}
	begin(&t);
	if (f == stdin && t.tty && isatty(STDIN_FILENO))
		from_terminal(&t);
	else
		from_file(&t, f);
	if (f != stdin)
		fclose(f);
	array_free(&t.out);
	array_free(&t.displays);
	arena_free(t.arena);
	return f == stdin && t.tty && isatty(STDIN_FILENO) ? 0 : t.failed;
}
