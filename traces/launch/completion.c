/* Completion for bash, zsh and fish: see completion.h. The scripts need nothing beside the shell. */
#include "traces/launch/completion.h"

#include <assert.h>

void completion_table(CompletionCommand *c, CompletionRows table)
{
	assert(c->ntables < COUNT(c->tables));
	c->tables[c->ntables++] = table;
}

void completion_rows(CompletionCommand *c, const OptRow *rows, u32 n, u32 command)
{
	completion_table(c, (CompletionRows){.rows = rows, .n = n, .command = command});
}

/* An option as a shell sees it. */
typedef struct Word {
	const char *name, *help;
	const char *arg;   /* NULL: it has no value */
	const char *words; /* of the value, with blanks between; NULL: others */
	bool maybe;        /* the value only behind = */
	bool several;
} Word;
typedef ARRAY(Word) Words;

typedef struct Script {
	const Completion *c;
	Arena *arena;
	Buf *out;
} Script;

/* ---- the options of a command ---- */

/* "a|b|c" and "a,b,c" of small letters: the words; NULL: another text. */
static const char *alternatives(const char *arg, Arena *a)
{
	if (!arg || !strpbrk(arg, "|,") || arg[strspn(arg, "abcdefghijklmnopqrstuvwxyz|,")])
		return NULL;
	char *words = arena_strdup(a, arg);
	for (char *p = words; *p; p++)
		*p = *p == '|' || *p == ',' ? ' ' : *p;
	return words;
}

static void add(Script *s, Words *to, const char *name, const char *arg, const char *help, OptKind kind, bool several)
{
	for (u32 i = 0; i < to->n; i++)
		if (!strcmp(to->v[i].name, name))
			return;
	Word w = {name, help, arg, alternatives(arg, s->arena), kind == OPT_MAYBE, several};
	for (u32 i = 0; i < s->c->nwords; i++)
		if (!strcmp(s->c->words[i].option, name))
			w.words = s->c->words[i].words;
	array_push(to, w);
}

static const OptRow *aliased(const CompletionRows *t, const OptRow *alias)
{
	const OptRow *row = alias;
	for (u32 i = 0; i < t->n; i++)
		if (t->rows[i].kind < OPT_ALIAS && t->rows[i].member == alias->member)
			row = &t->rows[i];
	return row;
}

static void add_table(Script *s, Words *to, const CompletionRows *t)
{
	for (u32 i = 0; i < t->n; i++) {
		const OptRow *r = &t->rows[i], *as = r->kind == OPT_ALIAS ? aliased(t, r) : r;
		for (u32 k = 0; r->kind == OPT_LAUNCH && k < launch_noptions; k++) {
			const LaunchOption *o = &launch_options[k];
			if (!t->skip || !o->result)
				add(s, to, o->name, o->value, o->help, OPT_TEXT, o->several);
		}
		if (r->kind < OPT_GROUP && !(t->skip && t->skip[as - t->rows]) && opt_in_command(as, t->command))
			add(s, to, r->name, as->arg, as->help, as->kind, as->kind == OPT_TEXTS);
	}
}

static Words options_of(Script *s, const CompletionCommand *c)
{
	Words all = {0};
	for (u32 i = 0; i < c->ntables; i++)
		add_table(s, &all, &c->tables[i]);
	return all;
}

/* text for inside '…'; each of the characters of special gets a backslash. */
static const char *quoted(Script *s, const char *text, const char *special)
{
	Buf out = {0};
	for (buf_printf(&out, "%s", ""); *text; text++) {
		if (*text == '\'')
			buf_printf(&out, "'\\''");
		else
			buf_printf(&out, "%s%c", strchr(special, *text) ? "\\" : "", *text);
	}
	return buf_keep(&out, s->arena);
}

static void heading(Script *s, const char *shell)
{
	buf_printf(s->out, "# Completion of %s, made by `%s completion %s`.\n", s->c->program, s->c->program, shell);
}

/* ---- bash ---- */

/* What completes a value, or NULL: nothing does. */
static const char *bash_how(Script *s, const Word *w)
{
	return w->words ? arena_printf(s->arena, "-W '%s'", w->words) : !strcmp(w->arg, "FILE") ? "-f"
	       : !strcmp(w->arg, "DIR") ? "-d" : NULL;
}

/* Each option once, whichever command it is of: first those with something to offer, then one line for the others. */
static void bash_values(Script *s)
{
	Words said = {0};
	Buf others = {0};
	for (u32 i = 0; i < s->c->ncommands; i++) {
		Words all = options_of(s, &s->c->commands[i]);
		for (u32 k = 0; k < all.n; k++) {
			const Word *w = &all.v[k];
			u32 had = said.n;
			if (!w->arg)
				continue;
			add(s, &said, w->name, w->arg, w->help, OPT_TEXT, false);
			if (said.n == had)
				continue;
			const char *how = bash_how(s, w),
				   *alone = w->maybe ? "" : arena_printf(s->arena, "%s | ", w->name);
			if (how)
				buf_printf(s->out,
				           "\t%s%s=) mapfile -t COMPREPLY < <(compgen %s -- \"$cur\"); return ;;\n",
				           alone, w->name, how);
			else if (!w->maybe)
				buf_printf(&others, "%s%s%s=", others.n ? " | " : "", alone, w->name);
		}
		array_free(&all);
	}
	if (others.n)
		buf_printf(s->out, "\t%s) return ;;\n", others.v);
	array_free(&others);
	array_free(&said);
}

static void bash(Script *s)
{
	const Completion *c = s->c;
	Buf *out = s->out;
	heading(s, "bash");
	buf_printf(out, "_%s()\n{\n"
	           "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options words commands=\n"
	           "\tif [ \"$cur\" = = ]; then\n\t\tcur= prev=$prev=\n"
	           "\telif [ \"$prev\" = = ]; then\n\t\tprev=${COMP_WORDS[COMP_CWORD-2]}=\n\tfi\n"
	           "\tCOMPREPLY=()\n\tcase $prev in\n", c->program);
	bash_values(s);
	buf_printf(out, "\tesac\n\tcase ${COMP_WORDS[1]} in\n");
	for (u32 i = 0; i < c->ncommands; i++) {
		Words all = options_of(s, &c->commands[i]);
		buf_printf(out, "\t%s) words='%s' options='", c->commands[i].name ? c->commands[i].name : "*",
		           c->commands[i].words ? c->commands[i].words : "");
		for (u32 k = 0; k < all.n; k++)
			buf_printf(out, "%s%s", k ? " " : "", all.v[k].name);
		buf_printf(out, "' ;;\n");
		array_free(&all);
	}
	buf_printf(out, "\tesac\n\t[ \"$COMP_CWORD\" = 1 ] && commands='");
	for (u32 i = 0; i + 1 < c->ncommands; i++)
		buf_printf(out, "%s%s", i ? " " : "", c->commands[i].name);
	buf_printf(out, "'\n\tcase $cur in\n"
	           "\t-*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\") ;;\n"
	           "\t*) mapfile -t COMPREPLY < <(compgen -W \"$commands $words\" -- \"$cur\"\n"
	           "\t\t[ -n \"$words\" ] || compgen -f -- \"$cur\") ;;\n"
	           "\tesac\n}\ncomplete -o filenames -F _%s %s\n", c->program, c->program);
}

/* ---- zsh ---- */

static const char *zsh_action(Script *s, const Word *w)
{
	return w->words ? arena_printf(s->arena, "(%s)", w->words) : !strcmp(w->arg, "FILE") ? "_files"
	       : !strcmp(w->arg, "DIR") ? "_files -/" : " ";
}

static void zsh_option(Script *s, const Word *w)
{
	bool macro = w->arg && w->name[1] != '-';
	buf_printf(s->out, "\t\t'%s%s%s[%s]", w->several ? "*" : "", w->name,
	           w->maybe ? "=-"
	           : macro  ? "+"
	           : w->arg ? "="
	                    : "",
	           quoted(s, w->help, "[]:\\"));
	if (w->arg)
		buf_printf(s->out, "%s:%s:%s", w->maybe ? ":" : "", quoted(s, w->arg, "[]:\\"), zsh_action(s, w));
	buf_printf(s->out, "'\n");
}

static void zsh(Script *s)
{
	const Completion *c = s->c;
	Buf *out = s->out;
	buf_printf(out, "#compdef %s\n", c->program); /* zsh wants it first */
	heading(s, "zsh");
	buf_printf(out, "\n_%s()\n{\n\tlocal -a options commands\n\tcase $words[2] in\n", c->program);
	for (u32 i = 0; i < c->ncommands; i++) {
		const CompletionCommand *x = &c->commands[i];
		Words all = options_of(s, x);
		buf_printf(out, "\t%s) options=(\n", x->name ? x->name : "*");
		for (u32 k = 0; k < all.n; k++)
			zsh_option(s, &all.v[k]);
		buf_printf(out, x->words ? "\t\t'*:name:(%s)') ;;\n" : "\t\t'*:file:_files') ;;\n", x->words);
		array_free(&all);
	}
	buf_printf(out, "\tesac\n\tcommands=(\n");
	for (u32 i = 0; i + 1 < c->ncommands; i++)
		buf_printf(out, "\t\t'%s:%s'\n", c->commands[i].name, quoted(s, c->commands[i].help, ":\\"));
	buf_printf(out, "\t)\n\tif (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
	           "\t\t_describe command commands\n\t\t_files\n\telse\n"
	           "\t\tif (( ${commands[(I)$words[2]:*]} )); then\n\t\t\tshift words\n\t\t\t(( CURRENT-- ))\n\t\tfi\n"
	           "\t\t_arguments $options\n\tfi\n}\n\n_%s \"$@\"\n", c->program);
}

/* ---- fish ---- */

static void fish_option(Script *s, const char *when, const Word *w)
{
	const char *dashes = w->name[1] == '-' ? "-l" : "-s";
	buf_printf(s->out, "complete -c %s -n '%s' %s %s", s->c->program, when, dashes, w->name + strspn(w->name, "-"));
	if (w->words)
		buf_printf(s->out, w->maybe ? " -a '%s'" : " -x -a '%s'", w->words);
	else if (w->arg && !w->maybe)
		buf_printf(s->out, "%s", !strcmp(w->arg, "FILE") ? " -r -F" : !strcmp(w->arg, "DIR")
		                         ? " -x -a '(__fish_complete_directories)'" : " -x");
	buf_printf(s->out, " -d '%s'\n", quoted(s, w->help, "\\"));
}

static void fish(Script *s)
{
	const Completion *c = s->c;
	Buf none = {0};
	heading(s, "fish");
	buf_printf(&none, "not __fish_seen_subcommand_from");
	for (u32 i = 0; i + 1 < c->ncommands; i++) {
		buf_printf(&none, " %s", c->commands[i].name);
		buf_printf(s->out, "complete -c %s -n __fish_use_subcommand -a %s -d '%s'\n", c->program,
		           c->commands[i].name, quoted(s, c->commands[i].help, "\\"));
	}
	for (u32 i = 0; i < c->ncommands; i++) {
		const CompletionCommand *x = &c->commands[i];
		const char *when = x->name ? arena_printf(s->arena, "__fish_seen_subcommand_from %s", x->name) : none.v;
		Words all = options_of(s, x);
		for (u32 k = 0; k < all.n; k++)
			fish_option(s, when, &all.v[k]);
		if (x->words)
			buf_printf(s->out, "complete -c %s -n '%s' -f -a '%s'\n", c->program, when, x->words);
		array_free(&all);
	}
	array_free(&none);
}

bool completion_write(const Completion *c, const char *shell, Buf *out, Diag *d)
{
	static const struct {
		const char *name;
		void (*write)(Script *s);
	} shells[] = {
#define SHELL(name) {#name, name},
	    COMPLETION_EACH_SHELL(SHELL)
	};
	Script s = {c, arena_new(), out};
	bool known = false;
	for (u32 i = 0; shell && i < COUNT(shells); i++)
		if (!strcmp(shells[i].name, shell)) {
			shells[i].write(&s);
			known = true;
		}
	arena_free(s.arena);
	if (known)
		return true;
	diag_error(d, NO_LOC, shell ? "completion: there is no script for '%s'" : "completion: for which shell?",
	           shell);
	return diag_hint(d, "%s completion SHELL; SHELL is one of: %s", c->program, COMPLETION_SHELLS);
}
