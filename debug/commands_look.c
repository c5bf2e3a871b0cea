/* Commands that look: values, lanes, frames, source. */
#include "debug/terminal_run.h"

static void shown(Terminal *t, bool (*show)(Debugger *, const char *, Buf *, const char **), const char *args)
{
	const char *why = "what? An expression is missing";
	if (!*args || !show(t->g, args, &t->out, &why))
		fail(t, "%s", why);
}

void do_print(Terminal *t, char *args) { shown(t, show_value, args); }
void do_row(Terminal *t, char *args) { shown(t, show_row, args); }
void do_grid(Terminal *t, char *args) { shown(t, show_grid, args); }

void do_display(Terminal *t, char *args)
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

void do_undisplay(Terminal *t, char *args)
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

void do_wave(Terminal *t, char *args)
{
	u64 n;
	Focus f = debugger_focus(t->g);
	if (!*args)
		show_waves(t->g, &t->out);
	else if (number_in(args, &n) && n < sim_debug_waves(debugger_sim(t->g))) {
		SimWave w = sim_debug_wave(debugger_sim(t->g), (u32)n);
		Mask lanes = w.mask ? w.mask : w.began;
		f = (Focus){.wave = (u32)n, .lane = lanes & mask_lane(f.lane) ? f.lane : mask_lowest(lanes)};
		look(t, f, "wavefront", args);
	} else {
		fail(t, "the work-group has wavefronts 0 to %u", sim_debug_waves(debugger_sim(t->g)) - 1);
	}
}

void do_lane(Terminal *t, char *args)
{
	u64 n;
	Focus f = debugger_focus(t->g);
	if (!*args)
		show_waiting(t->g, f.wave, &t->out);
	else if (number_in(args, &n) && n < MAX_WAVE)
		look(t, (Focus){.wave = f.wave, .lane = (u32)n, .frame = f.frame}, "lane", args);
	else
		fail(t, "there is no lane %s", args);
}

static void frame(Terminal *t, i64 to)
{
	Focus f = debugger_focus(t->g);
	f.frame = to > UINT16_MAX ? UINT16_MAX : (u32)to;
	if (to < 0)
		fail(t, "this is the innermost frame");
	else if (debugger_look(t->g, f))
		show_here(t->g, &t->out);
	else
		fail(t, "there is no frame %lld", (long long)to);
}

void do_frame(Terminal *t, char *args)
{
	u64 n = 0;
	if (*args && !number_in(args, &n))
		fail(t, "'%s' is no number of a frame", args);
	else
		frame(t, (i64)n);
}
void do_up(Terminal *t, char *args)
{
	(void)args;
	frame(t, (i64)debugger_focus(t->g).frame + 1);
}
void do_down(Terminal *t, char *args)
{
	(void)args;
	frame(t, (i64)debugger_focus(t->g).frame - 1);
}
void do_backtrace(Terminal *t, char *args)
{
	(void)args;
	show_frames(t->g, &t->out);
}

void do_list(Terminal *t, char *args)
{
	u64 n;
	enum { AROUND = 5 };
	DebugFrame all[64];
	Focus f = debugger_focus(t->g);
	char *colon = strrchr(args, ':');
	if (number_in(args, &n)) {
		t->list_line = (u32)n;
	} else if (colon && number_in(colon + 1, &n)) {
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

void do_disassemble(Terminal *t, char *args)
{
	u64 around = 8;
	if (*args && (!number_in(args, &around) || around > 1000))
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
		print_breakpoint(t, &b[i]);
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

#define INFO(X) X(args) X(breakpoints) X(findings) X(frame) X(lanes) X(lds) X(locals) X(program) X(registers) X(waves)
static const struct {
	const char *name;
	void (*run)(Terminal *t);
} infos[] = {
#define X_INFO(name) {#name, info_##name},
    INFO(X_INFO)};
const char *const info_topics[] = {
#define X_INFO_NAME(name) #name,
    INFO(X_INFO_NAME)};
const u32 info_count = COUNT(infos);

void do_info(Terminal *t, char *args)
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

static void list_buffers(Terminal *t)
{
	const Program *p = debugger_program(t->g);
	for (u32 i = 0; i < p->args.n; i++)
		if (p->args.v[i].name && debugger_buffer(t->g, p->args.v[i].name) != NO_INS)
			buf_printf(&t->out, "  %s\n", p->args.v[i].name);
}

void do_dump(Terminal *t, char *args)
{
	char *name = next_word(&args);
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
