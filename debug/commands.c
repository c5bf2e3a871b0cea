/* What each command of the terminal does. */
#include "debug/terminal_run.h"

#include <ctype.h>
#include <signal.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int sig)
{
	(void)sig;
	interrupted = 1;
}

static bool asks(void *ctx)
{
	(void)ctx;
	bool was = interrupted;
	interrupted = 0;
	return was;
}

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

static bool number(const char *text, u64 *out)
{
	char *end;
	*out = strtoull(text, &end, 0);
	while (isspace((unsigned char)*end))
		end++;
	return end != text && !*end && *text != '-';
}

static char *word(char **rest)
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

/* ---- moving ---- */

static void after(Terminal *t, const Stop *s)
{
	Buf printed = {0};
	const char *why;
	debugger_printed(t->g, &printed);
	if (printed.n) {
		buf_printf(&t->out, "the kernel printed:\n");
		buf_write(&t->out, printed.v, printed.n);
		if (printed.v[printed.n - 1] != '\n')
			buf_printf(&t->out, "\n");
	}
	array_free(&printed);
	show_stop(t->g, s, &t->out);
	t->list_line = 0;
	if (s->kind == STOP_END || sim_debug_over(debugger_sim(t->g)))
		return;
	show_here(t->g, &t->out);
	for (u32 i = 0; i < t->displays.n; i++)
		if (!show_value(t->g, t->displays.v[i], &t->out, &why))
			buf_printf(&t->out, "%s: %s\n", t->displays.v[i], why);
}

static void move(Terminal *t, Move m, u64 times)
{
	Stop s = {.kind = STOP_STEP};
	struct sigaction act = {.sa_handler = interrupt}, old;
	u32 id = 0;
	m.pause = asks;
	interrupted = 0;
	if (t->tty)
		sigaction(SIGINT, &act, &old);
	for (u64 i = 0; i < times; i++) {
		s = debugger_move(t->g, &m);
		if (s.kind != STOP_STEP && !(m.kind == MOVE_ON && s.kind == STOP_BREAK))
			break;
	}
	if (t->tty)
		sigaction(SIGINT, &old, NULL);
	after(t, &s);
	Breakpoint *b = s.kind == STOP_BREAK ? debugger_breakpoint(t->g, s.id) : NULL;
	if (b && b->once)
		id = b->id;
	if (id)
		debugger_delete(t->g, id);
}

/* "[N] [wave|group|lane]" */
static void step(Terminal *t, char *args, MoveKind kind, bool back)
{
	Move m = {.kind = kind, .back = back};
	u64 times = 1;
	for (char *w = word(&args); *w; w = word(&args)) {
		if (!strcmp(w, "group") && !back)
			m.scope = SCOPE_GROUP;
		else if (!strcmp(w, "lane"))
			m.scope = SCOPE_LANE;
		else if (!strcmp(w, "wave"))
			m.scope = SCOPE_WAVE;
		else if (!number(w, &times) || !times) {
			fail(t, "'%s' is neither a number nor %s", w, back ? "wave or lane" : "wave, group or lane");
			return;
		}
	}
	move(t, m, times);
}

static void do_continue(Terminal *t, char *args)
{
	u64 times = 1;
	if (*args && (!number(args, &times) || !times))
		fail(t, "'%s' is no number of stops", args);
	else
		move(t, (Move){.kind = MOVE_ON}, times);
}
static void do_step(Terminal *t, char *args) { step(t, args, MOVE_LINE, false); }
static void do_next(Terminal *t, char *args) { step(t, args, MOVE_OVER, false); }
static void do_stepi(Terminal *t, char *args) { step(t, args, MOVE_INS, false); }
static void do_finish(Terminal *t, char *args) { step(t, args, MOVE_OUT, false); }
static void do_reverse_step(Terminal *t, char *args) { step(t, args, MOVE_LINE, true); }
static void do_reverse_next(Terminal *t, char *args) { step(t, args, MOVE_OVER, true); }
static void do_reverse_stepi(Terminal *t, char *args) { step(t, args, MOVE_INS, true); }
static void do_reverse_finish(Terminal *t, char *args) { step(t, args, MOVE_OUT, true); }
static void do_reverse_continue(Terminal *t, char *args)
{
	(void)args;
	move(t, (Move){.kind = MOVE_ON, .back = true}, 1);
}

static void do_item(Terminal *t, char *args)
{
	Move m = {.kind = MOVE_ITEM};
	const SimLaunch *l = debugger_launch(t->g);
	for (u32 i = 0; i < 3; i++) {
		char *w = word(&args);
		m.item[i] = l->offset[i];
		if (*w && !number(w, &m.item[i])) {
			fail(t, "'%s' is no id of a work-item", w);
			return;
		}
		if (m.item[i] < l->offset[i] || m.item[i] - l->offset[i] >= l->global[i]) {
			fail(t, "in dimension %u ids go from %" PRIu64 " to %" PRIu64, i, l->offset[i],
			     l->offset[i] + l->global[i] - 1);
			return;
		}
	}
	move(t, m, 1);
}

static void do_goto(Terminal *t, char *args)
{
	Move m = {.kind = MOVE_COUNT};
	if (number(args, &m.count))
		move(t, m, 1);
	else
		fail(t, "goto takes a number of wave instructions, as `info program` says");
}

static void do_restart(Terminal *t, char *args)
{
	(void)args;
	move(t, (Move){.kind = MOVE_COUNT}, 1);
}

/* ---- stops ---- */

static void say_breakpoint(Terminal *t, const Breakpoint *b)
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

/* LINE, FILE:LINE, *INSTRUCTION or a function's name. */
static u32 break_at(Terminal *t, char *where, const char **why)
{
	u64 n;
	char *colon = strrchr(where, ':');
	Focus f = debugger_focus(t->g);
	if (*where == '*' && number(where + 1, &n))
		return debugger_break_ins(t->g, n < NO_INS ? (u32)n : NO_INS, why);
	if (number(where, &n)) {
		DebugFrame all[1];
		bool has = debugger_frames(t->g, f.wave, all, 1) && all[0].loc;
		const Program *p = debugger_program(t->g);
		return debugger_break_line(t->g, has ? p->files.v[p->locs.v[all[0].loc].file] : NULL, (u32)n, why);
	}
	if (colon && number(colon + 1, &n)) {
		*colon = 0;
		return debugger_break_line(t->g, where, (u32)n, why);
	}
	return debugger_break_function(t->g, where, why);
}

static void set_break(Terminal *t, char *args, bool once)
{
	const char *why = NULL;
	char *condition = strstr(args, " if ");
	DebugFrame all[1];
	char here[32];
	if (condition)
		*condition = 0, condition += 4;
	char *where = word(&args);
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
	say_breakpoint(t, debugger_breakpoint(t->g, id));
}

static void do_break(Terminal *t, char *args) { set_break(t, args, false); }
static void do_tbreak(Terminal *t, char *args) { set_break(t, args, true); }

static void do_watch(Terminal *t, char *args)
{
	const char *why;
	u32 id = debugger_watch(t->g, args, &why);
	if (id)
		say_breakpoint(t, debugger_breakpoint(t->g, id));
	else
		fail(t, "%s", why);
}

static const struct {
	const char *name;
	u32 what;
} catches[] = {{"finding", CATCH_FINDING}, {"divergence", CATCH_DIVERGENCE}, {"barrier", CATCH_BARRIER}};

static void do_catch(Terminal *t, char *args)
{
	u32 what = debugger_catches(t->g);
	for (char *w = word(&args); *w; w = word(&args)) {
		u32 i = 0;
		while (i < COUNT(catches) && strcmp(catches[i].name, w))
			i++;
		if (!strcmp(w, "none"))
			what = 0;
		else if (i < COUNT(catches))
			what |= catches[i].what;
		else {
			fail(t, "catch finding, divergence, barrier or none, not '%s'", w);
			return;
		}
	}
	debugger_catch(t->g, what);
	buf_printf(&t->out, "it stops at:");
	for (u32 i = 0; i < COUNT(catches); i++)
		if (what & catches[i].what)
			buf_printf(&t->out, " %s", catches[i].name);
	buf_printf(&t->out, "%s\n", what ? "" : " breakpoints only");
}

/* The breakpoint that args names; 0 of "": all. */
static bool which(Terminal *t, const char *args, u32 *id)
{
	u64 n = 0;
	*id = 0;
	if (!*args)
		return true;
	if (!number(args, &n) || !n || n > UINT32_MAX || !debugger_breakpoint(t->g, (u32)n)) {
		fail(t, "there is no breakpoint '%s'", args);
		return false;
	}
	*id = (u32)n;
	return true;
}

static void do_delete(Terminal *t, char *args)
{
	u32 id;
	if (which(t, args, &id))
		debugger_delete(t->g, id);
}
static void do_enable(Terminal *t, char *args)
{
	u32 id;
	if (which(t, args, &id))
		debugger_switch(t->g, id, true);
}
static void do_disable(Terminal *t, char *args)
{
	u32 id;
	if (which(t, args, &id))
		debugger_switch(t->g, id, false);
}

static void do_condition(Terminal *t, char *args)
{
	u32 id;
	const char *why, *n = word(&args);
	if (!*n)
		fail(t, "of which breakpoint?");
	else if (which(t, n, &id)) {
		if (debugger_condition(t->g, id, args, &why))
			say_breakpoint(t, debugger_breakpoint(t->g, id));
		else
			fail(t, "%s", why);
	}
}

/* ---- looking ---- */

static void shown(Terminal *t, bool (*show)(Debugger *, const char *, Buf *, const char **), const char *args)
{
	const char *why = "what? An expression is missing";
	if (!*args || !show(t->g, args, &t->out, &why))
		fail(t, "%s", why);
}

static void do_print(Terminal *t, char *args) { shown(t, show_value, args); }
static void do_row(Terminal *t, char *args) { shown(t, show_row, args); }
static void do_grid(Terminal *t, char *args) { shown(t, show_grid, args); }

static void do_display(Terminal *t, char *args)
{
	const char *why;
	if (!*args) {
		for (u32 i = 0; i < t->displays.n; i++)
			if (!show_value(t->g, t->displays.v[i], &t->out, &why))
				buf_printf(&t->out, "%s: %s\n", t->displays.v[i], why);
		return;
	}
	shown(t, show_value, args);
	array_push(&t->displays, arena_strdup(t->arena, args));
}

static void do_undisplay(Terminal *t, char *args)
{
	(void)args;
	t->displays.n = 0;
}

static void look(Terminal *t, Focus f, const char *what, const char *args)
{
	if (debugger_look(t->g, f))
		show_here(t->g, &t->out);
	else
		fail(t, "there is no %s %s here", what, args);
}

static void do_wave(Terminal *t, char *args)
{
	u64 n;
	Focus f = debugger_focus(t->g);
	if (!*args)
		show_waves(t->g, &t->out);
	else if (number(args, &n) && n < sim_debug_waves(debugger_sim(t->g))) {
		SimWave w = sim_debug_wave(debugger_sim(t->g), (u32)n);
		Mask lanes = w.mask ? w.mask : w.began;
		f = (Focus){.wave = (u32)n, .lane = lanes & mask_lane(f.lane) ? f.lane : mask_lowest(lanes)};
		look(t, f, "wavefront", args);
	} else {
		fail(t, "the work-group has wavefronts 0 to %u", sim_debug_waves(debugger_sim(t->g)) - 1);
	}
}

static void do_lane(Terminal *t, char *args)
{
	u64 n;
	Focus f = debugger_focus(t->g);
	if (!*args)
		show_waiting(t->g, f.wave, &t->out);
	else if (number(args, &n) && n < MAX_WAVE)
		look(t, (Focus){.wave = f.wave, .lane = (u32)n, .frame = f.frame}, "lane", args);
	else
		fail(t, "there is no lane %s", args);
}

static void frame(Terminal *t, i64 to)
{
	Focus f = debugger_focus(t->g);
	f.frame = (u32)to;
	if (to < 0 || to > UINT16_MAX)
		fail(t, "this is the innermost frame");
	else if (debugger_look(t->g, f))
		show_here(t->g, &t->out);
	else
		fail(t, "there is no frame %lld", (long long)to);
}

static void do_frame(Terminal *t, char *args)
{
	u64 n = 0;
	if (*args && !number(args, &n))
		fail(t, "'%s' is no number of a frame", args);
	else
		frame(t, (i64)n);
}
static void do_up(Terminal *t, char *args)
{
	(void)args;
	frame(t, (i64)debugger_focus(t->g).frame + 1);
}
static void do_down(Terminal *t, char *args)
{
	(void)args;
	frame(t, (i64)debugger_focus(t->g).frame - 1);
}
static void do_backtrace(Terminal *t, char *args)
{
	(void)args;
	show_frames(t->g, &t->out);
}

static void do_list(Terminal *t, char *args)
{
	u64 n;
	enum { AROUND = 5 };
	DebugFrame all[64];
	Focus f = debugger_focus(t->g);
	char *colon = strrchr(args, ':');
	if (number(args, &n)) {
		t->list_line = (u32)n;
	} else if (colon && number(colon + 1, &n)) {
		*colon = 0;
		if (!debugger_line(t->g, args, (u32)n, &t->list_file)) {
			fail(t, "the kernel has no code in %s", args);
			return;
		}
		t->list_line = (u32)n;
	} else if (*args) {
		fail(t, "list takes a line, or a file and a line: k.cl:12");
		return;
	} else if (t->list_line) {
		t->list_line += 2 * AROUND + 1;
	} else if (f.frame < debugger_frames(t->g, f.wave, all, COUNT(all)) && all[f.frame].loc) {
		const SrcLoc *at = &debugger_program(t->g)->locs.v[all[f.frame].loc];
		t->list_file = at->file;
		t->list_line = at->line;
	} else {
		t->list_line = 1;
	}
	show_source(t->g, t->list_file, t->list_line, AROUND, &t->out);
}

static void do_disassemble(Terminal *t, char *args)
{
	u64 around = 8;
	if (*args && (!number(args, &around) || around > 1000))
		fail(t, "disassemble takes how many instructions around the next one");
	else
		show_code(t->g, (u32)around, &t->out);
}

static void variables(Terminal *t, bool parameters)
{
	u32 n, count = 0;
	Focus f = debugger_focus(t->g);
	const DebugVariable *v = debugger_variables(t->g, f, &n);
	for (u32 i = 0; i < n; i++) {
		if (!v[i].local || v[i].parameter != parameters)
			continue;
		count++;
		buf_printf(&t->out, "%s = ", v[i].name);
		if (!v[i].known)
			buf_printf(&t->out, "<optimised out>");
		else if (!debugger_value_text(t->g, f, &v[i].value, &t->out))
			buf_printf(&t->out, "<cannot be read>");
		buf_printf(&t->out, "\n");
	}
	if (!count)
		buf_printf(&t->out, "there are none here\n");
}

static void info_locals(Terminal *t) { variables(t, false); }
static void info_args(Terminal *t) { variables(t, true); }
static void info_breakpoints(Terminal *t)
{
	u32 n;
	const Breakpoint *b = debugger_breakpoints(t->g, &n);
	for (u32 i = 0; i < n; i++)
		say_breakpoint(t, &b[i]);
	do_catch(t, (char[]){""});
}
static void info_waves(Terminal *t) { show_waves(t->g, &t->out); }
static void info_lanes(Terminal *t) { show_waiting(t->g, debugger_focus(t->g).wave, &t->out); }
static void info_lds(Terminal *t) { show_lds(t->g, &t->out); }
static void info_registers(Terminal *t) { show_registers(t->g, &t->out); }
static void info_program(Terminal *t) { show_program(t->g, &t->out); }
static void info_frame(Terminal *t) { show_here(t->g, &t->out); }
static void info_findings(Terminal *t)
{
	const Finding *f;
	for (u32 i = 0; (f = sim_debug_finding(debugger_sim(t->g), i)); i++) {
		show_finding(t->g, f, &t->out);
		buf_printf(&t->out, "\n");
	}
	if (!sim_debug_finding(debugger_sim(t->g), 0))
		buf_printf(&t->out, "there are none so far\n");
}

#define INFO(X) \
	X(args) X(breakpoints) X(findings) X(frame) X(lanes) X(lds) X(locals) X(program) X(registers) X(waves)
static const struct {
	const char *name;
	void (*run)(Terminal *t);
} infos[] = {
#define X_INFO(name) {#name, info_##name},
	INFO(X_INFO)
};
const char *const info_topics[] = {
#define X_INFO_NAME(name) #name,
	INFO(X_INFO_NAME)
};
const u32 info_count = COUNT(infos);

static void do_info(Terminal *t, char *args)
{
	size_t n = strlen(args);
	for (u32 i = 0; n && i < COUNT(infos); i++)
		if (!strncmp(infos[i].name, args, n)) {
			infos[i].run(t);
			return;
		}
	fail(t, "info about what?");
	for (u32 i = 0; i < COUNT(infos); i++)
		buf_printf(&t->out, "%s%s", i ? ", " : "  ", infos[i].name);
	buf_printf(&t->out, "\n");
}

/* ---- the rest ---- */

static void list_buffers(Terminal *t)
{
	const Program *p = debugger_program(t->g);
	for (u32 i = 0; i < p->args.n; i++)
		if (p->args.v[i].name && debugger_buffer(t->g, p->args.v[i].name) != NO_INS)
			buf_printf(&t->out, "  %s\n", p->args.v[i].name);
}

static void do_dump(Terminal *t, char *args)
{
	char *name = word(&args);
	u32 arg = debugger_buffer(t->g, name);
	u64 size;
	if (arg == NO_INS || !*args) {
		fail(t, "dump takes the name of a buffer and of a file");
		list_buffers(t);
		return;
	}
	const void *data = engine_buffer(debugger_run(t->g), arg, &size);
	FILE *f = fopen(args, "wb");
	bool ok = f && fwrite(data, 1, size, f) == size;
	ok = f && !fclose(f) && ok;
	if (ok)
		buf_printf(&t->out, "%" PRIu64 " bytes of '%s' in %s\n", size, name, args);
	else
		fail(t, "%s cannot be written", args);
}

static void do_quit(Terminal *t, char *args)
{
	(void)args;
	t->quit = true;
}

static void help_one(const Command *c, Buf *out)
{
	buf_printf(out, "%s%s%s%s%s\n  %s\n", c->name, *c->args ? " " : "", c->args, c->alias ? "     short: " : "",
	           c->alias ? c->alias : "", c->what);
}

static void do_help(Terminal *t, char *args)
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
	{"backtrace", "", "the functions that the wavefront is in", do_backtrace, "bt where", false},
	{"break", "[WHERE] [if EXPR]", "stop at a line (12, k.cl:12), a function, an instruction (*7)", do_break, "b", false},
	{"catch", "[WHAT ...]", "stop at every finding, divergence, barrier; none: at none of them", do_catch, NULL, false},
	{"condition", "N [EXPR]", "a breakpoint holds only where this is true for an active lane", do_condition, NULL, false},
	{"continue", "[N]", "go on until something stops it, for the N-th time", do_continue, "c", true},
	{"delete", "[N]", "forget a breakpoint, or all", do_delete, "d", false},
	{"disable", "[N]", "switch a breakpoint off, or all", do_disable, NULL, false},
	{"disassemble", "[N]", "wave instructions around the next one", do_disassemble, "dis", false},
	{"display", "[EXPR]", "print it at every stop", do_display, NULL, false},
	{"down", "", "to the function that this one called", do_down, NULL, false},
	{"dump", "NAME FILE", "write what a buffer holds now to a file", do_dump, NULL, false},
	{"enable", "[N]", "switch a breakpoint on, or all", do_enable, NULL, false},
	{"finish", "[lane]", "until the function has returned", do_finish, "fin", true},
	{"frame", "[N]", "look at another function of `backtrace`", do_frame, "f", false},
	{"goto", "COUNT", "to where so many wave instructions were executed, back or on", do_goto, NULL, true},
	{"grid", "EXPR", "its values for all work-items of the group, by local id", do_grid, NULL, false},
	{"help", "[COMMAND]", "this list", do_help, "h", false},
	{"info", "WHAT", "args, breakpoints, findings, frame, lanes, lds, locals, program, registers, waves", do_info, "i", false},
	{"item", "X [Y [Z]]", "to where that work-item, by its global id, begins", do_item, NULL, true},
	{"lane", "[N]", "look at another lane; without N: why lanes wait", do_lane, NULL, false},
	{"list", "[LINE]", "the source around the place, or a line", do_list, "l", false},
	{"next", "[N] [wave|group|lane]", "to another line, over calls", do_next, "n", true},
	{"print", "EXPR", "its value for the lane that is looked at", do_print, "p", false},
	{"quit", "", "end", do_quit, "q exit", true},
	{"restart", "", "back to the beginning of the launch", do_restart, "run r", true},
	{"reverse-continue", "", "back to the last stop", do_reverse_continue, "rc", true},
	{"reverse-finish", "", "back to where the function was called", do_reverse_finish, NULL, true},
	{"reverse-next", "[N] [wave|lane]", "back to the line before, over calls", do_reverse_next, "rn", true},
	{"reverse-step", "[N] [wave|lane]", "back to the line before", do_reverse_step, "rs", true},
	{"reverse-stepi", "[N] [wave|lane]", "back by one wave instruction", do_reverse_stepi, "rsi", true},
	{"row", "EXPR", "its values for all lanes of the wavefront", do_row, NULL, false},
	{"step", "[N] [wave|group|lane]", "to another line, into functions", do_step, "s", true},
	{"stepi", "[N] [wave|group|lane]", "by one wave instruction", do_stepi, "si", true},
	{"tbreak", "[WHERE] [if EXPR]", "as break, once", do_tbreak, "tb", false},
	{"undisplay", "", "display nothing more", do_undisplay, NULL, false},
	{"up", "", "to the function that called this one", do_up, NULL, false},
	{"watch", "EXPR", "stop where that local or global memory is written", do_watch, NULL, false},
	{"wave", "[N]", "look at another wavefront of the work-group; without N: what each does", do_wave, "thread", false},
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
	char *own = xstrdup(line), *args = own, *name = word(&args);
	size_t n = strlen(args);
	bool several;
	while (n && isspace((unsigned char)args[n - 1]))
		args[--n] = 0;
	const Command *c = *name && *name != '#' ? command_find(name, &several) : NULL;
	if (c)
		c->run(t, args);
	else if (*name && *name != '#')
		fail(t, several ? "'%s' begins several commands; `help` lists them" : "there is no command '%s'; `help` lists them",
		     name);
	free(own);
}
