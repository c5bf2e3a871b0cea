/* Lines of the terminal as commands, and what they have in common. */
#include "debug/terminal_run.h"

#include <ctype.h>

void fail(Terminal *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	buf_printf(&t->out, "error: ");
	buf_vprintf(&t->out, fmt, ap);
	buf_printf(&t->out, "\n");
	va_end(ap);
	t->failed++;
}

bool number_in(const char *text, u64 *out)
{
	char *end;
	*out = strtoull(text, &end, 0);
	while (isspace((unsigned char)*end))
		end++;
	return end != text && !*end && *text != '-';
}

char *next_word(char **rest)
{
	char *p = *rest;
	while (isspace((unsigned char)*p))
		p++;
	char *w = p;
	while (*p && !isspace((unsigned char)*p))
		p++;
	if (*p)
		*p++ = 0;
	while (isspace((unsigned char)*p))
		p++;
	*rest = p;
	return w;
}

void do_quit(Terminal *t, char *args)
{
	(void)args;
	t->quit = true;
}

static void help_one(const Command *c, Buf *out)
{
	buf_printf(out, "%s%s%s%s%s\n  %s\n", c->name, *c->args ? " " : "", c->args, c->alias ? "     short: " : "",
	           c->alias ? c->alias : "", c->what);
}

void do_help(Terminal *t, char *args)
{
	bool several;
	const Command *c = *args ? command_find(args, &several) : NULL;
	if (c)
		help_one(c, &t->out);
	else if (*args)
		fail(t, "there is no command '%s'", args);
	for (u32 i = 0; !*args && i < command_count; i++)
		buf_printf(&t->out, "%-18s %-30s %s\n", commands[i].name, commands[i].args, commands[i].what);
}

const Command commands[] = {
#define COMMAND(function, name, args, alias, moves, what) {name, args, what, do_##function, alias, moves},
#include "debug/commands.def"
};
const u32 command_count = COUNT(commands);

static bool is_alias(const Command *c, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = c->alias; p && *p; p += strcspn(p, " "), p += *p == ' ')
		if (strcspn(p, " ") == n && !strncmp(p, name, n))
			return true;
	return false;
}

const Command *command_find(const char *name, bool *several)
{
	const Command *found = NULL;
	*several = false;
	for (u32 i = 0; i < command_count; i++)
		if (!strcmp(commands[i].name, name) || is_alias(&commands[i], name))
			return &commands[i];
	for (u32 i = 0; i < command_count; i++)
		if (!strncmp(commands[i].name, name, strlen(name))) {
			*several = found != NULL;
			if (found)
				return NULL;
			found = &commands[i];
		}
	return found;
}

void command_line(Terminal *t, const char *line)
{
	char *own = xstrdup(line), *args = own, *name = next_word(&args);
	size_t n = strlen(args);
	bool several;
	while (n && isspace((unsigned char)args[n - 1]))
		args[--n] = 0;
	const Command *c = *name && *name != '#' ? command_find(name, &several) : NULL;
	if (c)
		c->run(t, args);
	else if (*name && *name != '#')
		fail(t,
		     several ? "'%s' begins several commands; `help` lists them"
		             : "there is no command '%s'; `help` lists them",
		     name);
	free(own);
}
