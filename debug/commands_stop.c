/* Commands about what stops it: breakpoints, watched memory, catches. */
#include "debug/terminal_run.h"

void print_breakpoint(Terminal *t, const Breakpoint *b)
{
	const Program *p = debugger_program(t->g);
	buf_printf(&t->out, "%s %u: ", b->kind == BREAK_WATCH ? "watchpoint" : "breakpoint", b->id);
	switch (b->kind) {
	case BREAK_LINE:
		buf_printf(&t->out, "%s:%u", path_name(p->files.v[b->file]), b->line);
		if (b->asked != b->line)
			buf_printf(&t->out, " (there is no code for line %u)", b->asked);
		break;
	case BREAK_INS: buf_printf(&t->out, "instruction %u", b->ins); break;
	default: buf_printf(&t->out, "%s", b->name); break;
	}
	if (b->condition)
		buf_printf(&t->out, " if %s", b->condition);
	if (b->hits)
		buf_printf(&t->out, ", %" PRIu64 " time%s", b->hits, b->hits == 1 ? "" : "s");
	buf_printf(&t->out, "%s%s\n", b->off ? ", off" : "", b->once ? ", once" : "");
}

static u32 line_number(u64 n) { return n < UINT32_MAX ? (u32)n : UINT32_MAX; }

/* LINE, FILE:LINE, *INSTRUCTION or a function's name. */
static u32 break_at(Terminal *t, char *where, const char **why)
{
	u64 n;
	char *colon = strrchr(where, ':');
	Focus f = debugger_focus(t->g);
	if (*where == '*' && number_in(where + 1, &n))
		return debugger_break_ins(t->g, n < NO_INS ? (u32)n : NO_INS, why);
	if (number_in(where, &n)) {
		DebugFrame all[1];
		bool has = debugger_frames(t->g, f.wave, all, 1) && all[0].loc;
		const Program *p = debugger_program(t->g);
		return debugger_break_line(t->g, has ? p->files.v[p->locs.v[all[0].loc].file] : NULL, line_number(n),
		                           why);
	}
	if (colon && number_in(colon + 1, &n)) {
		*colon = 0;
		return debugger_break_line(t->g, where, line_number(n), why);
	}
	return debugger_break_function(t->g, where, why);
}

static void set_break(Terminal *t, char *args, bool once)
{
	const char *why = NULL;
	bool begins = !strncmp(args, "if ", 3);
	char *condition = begins ? args : strstr(args, " if ");
	DebugFrame all[1];
	char here[32];
	if (condition)
		*condition = 0, condition += begins ? 3 : 4;
	char *where = next_word(&args);
	if (!*where && debugger_frames(t->g, debugger_focus(t->g).wave, all, 1)) {
		const SrcLoc *at = program_place(debugger_program(t->g), all[0].loc);
		snprintf(here, sizeof here, at ? "%u" : "*%u", at ? at->line : all[0].ins);
		where = here;
	}
	if (*args) {
		fail(t, "'%s': a condition begins with `if`", args);
		return;
	}
	u32 id = break_at(t, where, &why);
	if (id && condition && !debugger_condition(t->g, id, condition, &why)) {
		debugger_delete(t->g, id);
		id = 0;
	}
	if (!id) {
		fail(t, "%s", why);
		return;
	}
	debugger_breakpoint(t->g, id)->once = once;
	print_breakpoint(t, debugger_breakpoint(t->g, id));
}

void do_break(Terminal *t, char *args) { set_break(t, args, false); }
void do_tbreak(Terminal *t, char *args) { set_break(t, args, true); }

void do_watch(Terminal *t, char *args)
{
	const char *why;
	u32 id = debugger_watch(t->g, args, &why);
	if (id)
		print_breakpoint(t, debugger_breakpoint(t->g, id));
	else
		fail(t, "%s", why);
}

void do_catch(Terminal *t, char *args)
{
	u32 what = debugger_catches(t->g);
	for (char *w = next_word(&args); *w; w = next_word(&args)) {
		u32 one = catch_named(w);
		if (!strcmp(w, "none"))
			what = 0;
		else if (one)
			what |= one;
		else {
			fail(t, "catch " CATCH_WORDS " or none, not '%s'", w);
			return;
		}
	}
	debugger_catch(t->g, what);
	buf_printf(&t->out, "it stops at:");
	for (u32 i = 0; i < CATCHES; i++)
		if (what & catch_names[i].what)
			buf_printf(&t->out, " %s", catch_names[i].name);
	buf_printf(&t->out, "%s\n", what ? "" : " breakpoints only");
}

/* The breakpoint that args names; 0 of "": all. */
static bool which(Terminal *t, const char *args, u32 *id)
{
	u64 n = 0;
	*id = 0;
	if (!*args)
		return true;
	if (!number_in(args, &n) || !n || n > UINT32_MAX || !debugger_breakpoint(t->g, (u32)n)) {
		fail(t, "there is no breakpoint '%s'", args);
		return false;
	}
	*id = (u32)n;
	return true;
}

void do_delete(Terminal *t, char *args)
{
	u32 id;
	if (which(t, args, &id))
		debugger_delete(t->g, id);
}
void do_enable(Terminal *t, char *args)
{
	u32 id;
	if (which(t, args, &id))
		debugger_switch(t->g, id, true);
}
void do_disable(Terminal *t, char *args)
{
	u32 id;
	if (which(t, args, &id))
		debugger_switch(t->g, id, false);
}

void do_condition(Terminal *t, char *args)
{
	u32 id;
	const char *why, *n = next_word(&args);
	if (!*n)
		fail(t, "of which breakpoint?");
	else if (which(t, n, &id)) {
		if (debugger_condition(t->g, id, args, &why))
			print_breakpoint(t, debugger_breakpoint(t->g, id));
		else
			fail(t, "%s", why);
	}
}
