/* Commands that let the launch go on, or back. */
#include "debug/terminal_run.h"

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

static void after(Terminal *t, const DebugStop *s)
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
	DebugStop s = {.kind = STOP_STEP};
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
	for (char *w = next_word(&args); *w; w = next_word(&args)) {
		if (!scope_named(w, &m.scope) && (!number_in(w, &times) || !times)) {
			fail(t, "'%s' is neither a number nor " SCOPE_NAMES, w);
			return;
		}
	}
	move(t, m, times);
}

void do_continue(Terminal *t, char *args)
{
	u64 times = 1;
	if (*args && (!number_in(args, &times) || !times))
		fail(t, "'%s' is no number of stops", args);
	else
		move(t, (Move){.kind = MOVE_ON}, times);
}
void do_step(Terminal *t, char *args) { step(t, args, MOVE_LINE, false); }
void do_next(Terminal *t, char *args) { step(t, args, MOVE_OVER, false); }
void do_stepi(Terminal *t, char *args) { step(t, args, MOVE_INS, false); }
void do_finish(Terminal *t, char *args) { step(t, args, MOVE_OUT, false); }
void do_reverse_step(Terminal *t, char *args) { step(t, args, MOVE_LINE, true); }
void do_reverse_next(Terminal *t, char *args) { step(t, args, MOVE_OVER, true); }
void do_reverse_stepi(Terminal *t, char *args) { step(t, args, MOVE_INS, true); }
void do_reverse_finish(Terminal *t, char *args) { step(t, args, MOVE_OUT, true); }
void do_reverse_continue(Terminal *t, char *args)
{
	(void)args;
	move(t, (Move){.kind = MOVE_ON, .back = true}, 1);
}

void do_item(Terminal *t, char *args)
{
	Move m = {.kind = MOVE_ITEM};
	const SimLaunch *l = debugger_launch(t->g);
	for (u32 i = 0; i < 3; i++) {
		char *w = next_word(&args);
		m.item[i] = l->offset[i];
		if (*w && !number_in(w, &m.item[i])) {
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

void do_goto(Terminal *t, char *args)
{
	Move m = {.kind = MOVE_COUNT};
	if (number_in(args, &m.count))
		move(t, m, 1);
	else
		fail(t, "goto takes a number of wave instructions, as `info program` says");
}

void do_restart(Terminal *t, char *args)
{
	(void)args;
	move(t, (Move){.kind = MOVE_COUNT}, 1);
}

void do_run(Terminal *t, char *args)
{
	(void)args;
	debugger_move(t->g, &(Move){.kind = MOVE_COUNT});
	move(t, (Move){.kind = MOVE_ON}, 1);
}
