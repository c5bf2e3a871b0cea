/* Places, lanes, stops as text: see show.h. */
#include "debug/show.h"

const CatchName catch_names[CATCHES] = {{"finding", "Findings: mistakes of the kernel, races", CATCH_FINDING, true},
                                        {"divergence", "Divergence: lanes part", CATCH_DIVERGENCE, false},
                                        {"barrier", "Barriers", CATCH_BARRIER, false}};

u32 catch_named(const char *name)
{
	for (u32 i = 0; i < CATCHES; i++)
		if (!strcmp(catch_names[i].name, name))
			return catch_names[i].what;
	return 0;
}

bool scope_named(const char *name, MoveScope *out)
{
	static const char *const names[] = {[SCOPE_WAVE] = "wave", [SCOPE_GROUP] = "group", [SCOPE_LANE] = "lane"};
	for (u32 i = 0; i < COUNT(names); i++)
		if (!strcmp(names[i], name)) {
			*out = (MoveScope)i;
			return true;
		}
	return false;
}

static const SrcLoc *place(const Debugger *g, u32 ins)
{
	return ins == NO_INS ? NULL : program_place(debugger_program(g), debugger_program(g)->ins.v[ins].loc);
}

void show_place(const Debugger *g, u32 ins, Buf *out)
{
	const SrcLoc *at = place(g, ins);
	if (at)
		buf_printf(out, "%s:%u", path_name(debugger_program(g)->files.v[at->file]), at->line);
	else if (ins != NO_INS)
		buf_printf(out, "instruction %u", ins);
	else
		buf_printf(out, "its end");
}

/* The place of the last instruction of a block, or the first. */
static void show_block(const Debugger *g, u32 block, bool last, Buf *out)
{
	const Block *b = &debugger_program(g)->blocks.v[block];
	show_place(g, last ? b->first + b->n - 1 : b->first, out);
}

void show_lanes(Mask lanes, Buf *out)
{
	buf_printf(out, mask_count(lanes) == 1 ? "lane " : "lanes ");
	const char *before = "";
	while (lanes) {
		u32 first = mask_lowest(lanes), last = first;
		while (last + 1 < MAX_WAVE && lanes >> (last + 1) & 1)
			last++;
		buf_printf(out, last > first ? "%s%u-%u" : "%s%u", before, first, last);
		lanes &= ~mask_first(last + 1);
		before = ", ";
	}
}

void show_mask(const Debugger *g, u32 wave, Buf *out)
{
	SimWave w = sim_debug_wave(debugger_sim(g), wave);
	u32 width = debugger_lanes(g), active = mask_count(w.mask), all = mask_count(w.began);
	for (u32 i = 0; i < width; i++) {
		Mask one = mask_lane(i);
		if (!(w.began & one))
			break;
		buf_printf(out, i && i % 8 == 0 ? " %c" : "%c", w.mask & one ? '#' : w.alive & one ? '.' : '_');
	}
	buf_printf(out, "  %u of %u active", active, all);
}

/* ---- stops ---- */

static void item(const Debugger *g, u32 wave, u32 lane, Buf *out)
{
	u64 global[3], local[3];
	sim_debug_item(debugger_sim(g), wave, lane, global, local);
	buf_printf(out, "work-item (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", global[0], global[1], global[2]);
}

void show_finding(const Debugger *g, const Finding *f, Buf *out)
{
	buf_printf(out, "%s: %s", finding_severity[f->kind], finding_doc[f->kind]);
	if (f->detail)
		buf_printf(out, ": %s", f->detail);
	buf_printf(out, ", at ");
	show_place(g, f->ins, out);
	if (f->kind == FINDING_data_race && f->other.ins != NO_INS) {
		buf_printf(out, ", with the %s at ", f->other.write ? "write" : f->other.atomic ? "atomic" : "read");
		show_place(g, f->other.ins, out);
		buf_printf(out, " of work-item (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", f->other.global_id[0],
		           f->other.global_id[1], f->other.global_id[2]);
	}
	buf_printf(out, "; work-item (%" PRIu64 ", %" PRIu64 ", %" PRIu64 "), group %" PRIu64 ", wavefront %u, lane %u",
	           f->global_id[0], f->global_id[1], f->global_id[2], f->group, f->wave, f->lane);
}

void show_stop(const Debugger *g, const DebugStop *s, Buf *out)
{
	const Breakpoint *b = s->id ? debugger_breakpoint((Debugger *)(uintptr_t)g, s->id) : NULL;
	switch (s->kind) {
	case STOP_STEP: break;
	case STOP_BREAK:
		buf_printf(out, "breakpoint %u", s->id);
		if (b && b->condition)
			buf_printf(out, " (%s)", b->condition);
		buf_printf(out, "\n");
		break;
	case STOP_WATCH:
		buf_printf(out, "watchpoint %u: %s was written by wavefront %u, lane %u, at ", s->id, b ? b->name : "",
		           s->wave, s->lane);
		show_place(g, s->ins, out);
		buf_printf(out, "\n");
		break;
	case STOP_FINDING:
		buf_printf(out, "finding: ");
		show_finding(g, s->finding, out);
		buf_printf(out, "\n");
		break;
	case STOP_DIVERGENCE:
		buf_printf(out, "divergence: lanes part at ");
		show_place(g, s->ins, out);
		buf_printf(out, "\n");
		break;
	case STOP_BARRIER: buf_printf(out, "barrier\n"); break;
	case STOP_ITEM: break;
	case STOP_GROUP: buf_printf(out, "the wavefront has ended\n"); break;
	case STOP_BEGIN:
		buf_printf(out,
		           debugger_count(g) ? "nothing before that to go back to\n" : "the launch begins here\n");
		break;
	case STOP_END: buf_printf(out, "the launch has ended\n"); break;
	case STOP_PAUSE: buf_printf(out, "paused\n"); break;
	}
}

/* ---- waiting ---- */

static void show_one(const Debugger *g, u32 wave, const SimWaiting *x, Buf *out)
{
	buf_printf(out, "  ");
	show_lanes(x->lanes, out);
	if (x->block == NO_BLOCK) {
		buf_printf(out, " have returned from %s and wait for the others",
		           debugger_function_of(g, sim_debug_frame(debugger_sim(g), wave, x->frame)));
	} else {
		buf_printf(out, " wait at ");
		show_block(g, x->block, false, out);
	}
	if (x->parted != NO_BLOCK) {
		buf_printf(out, "; parted at ");
		show_block(g, x->parted, true, out);
	}
	if (x->meet != NO_BLOCK) {
		buf_printf(out, ", meet again at ");
		show_block(g, x->meet, false, out);
	} else if (x->parted != NO_BLOCK) {
		buf_printf(out, ", meet again where the function ends");
	}
	buf_printf(out, "\n");
}

void show_waiting(const Debugger *g, u32 wave, Buf *out)
{
	SimWaiting list[MAX_WAVE];
	SimWave w = sim_debug_wave(debugger_sim(g), wave);
	u32 n = sim_debug_waiting(debugger_sim(g), wave, list, COUNT(list));
	buf_printf(out, "wavefront %u  ", wave);
	show_mask(g, wave, out);
	buf_printf(out, "\n");
	if (w.state == SIM_AT_BARRIER) {
		buf_printf(out, "  it waits at the barrier at ");
		show_place(g, w.ins, out);
		buf_printf(out, " for the rest of its work-group\n");
	}
	for (u32 i = 0; i < n; i++)
		show_one(g, wave, &list[i], out);
	if (w.began & ~w.alive) {
		buf_printf(out, "  ");
		show_lanes(w.began & ~w.alive, out);
		buf_printf(out, mask_count(w.began & ~w.alive) == 1 ? " has ended\n" : " have ended\n");
	}
	if (!n && w.state != SIM_AT_BARRIER && w.mask == w.began)
		buf_printf(out, "  no lane waits\n");
}

/* ---- where it is ---- */

static void show_line(const Debugger *g, u32 file, u32 line, char mark, Buf *out)
{
	size_t n;
	const char *text = debugger_text_line(debugger_text(g, file), line, &n);
	if (!text)
		return;
	buf_printf(out, "%c%4u  ", mark, line);
	buf_write(out, text, n);
	buf_printf(out, "\n");
}

void show_here(const Debugger *g, Buf *out)
{
	const SimDebug *s = debugger_sim(g);
	Focus f = debugger_focus(g);
	DebugFrame all[64];
	u32 id[3], n = debugger_frames(g, f.wave, all, COUNT(all));
	u64 group = sim_debug_group(s, id);
	SimWave w = sim_debug_wave(s, f.wave);
	if (sim_debug_over(s)) {
		buf_printf(out, "the launch has ended\n");
		return;
	}
	buf_printf(out, "group %" PRIu64 " (%u, %u, %u), wavefront %u, lane %u, ", group, id[0], id[1], id[2], f.wave,
	           f.lane);
	item(g, f.wave, f.lane, out);
	buf_printf(out, "\n");
	if (f.frame < n) {
		const SrcLoc *at = program_place(debugger_program(g), all[f.frame].loc);
		buf_printf(out, "%s at ", all[f.frame].function);
		if (!at && w.last == NO_INS)
			buf_printf(out, "its beginning");
		else if (at)
			buf_printf(out, "%s:%u", path_name(debugger_program(g)->files.v[at->file]), at->line);
		else
			buf_printf(out, "instruction %u", all[f.frame].ins);
		buf_printf(out, "  [");
		show_mask(g, f.wave, out);
		buf_printf(out, "]%s\n",
		           w.state == SIM_AT_BARRIER    ? " at a barrier"
		           : w.mask & mask_lane(f.lane) ? ""
		                                        : " lane waits");
		if (at)
			show_line(g, at->file, at->line, ' ', out);
	} else {
		buf_printf(out, "wavefront %u has ended\n", f.wave);
	}
}

void show_frames(const Debugger *g, Buf *out)
{
	DebugFrame all[64];
	Focus f = debugger_focus(g);
	u32 n = debugger_frames(g, f.wave, all, COUNT(all));
	for (u32 i = 0; i < n; i++) {
		const SrcLoc *at = program_place(debugger_program(g), all[i].loc);
		buf_printf(out, "%c#%u  %s", i == f.frame ? '*' : ' ', i, all[i].function);
		if (at)
			buf_printf(out, " at %s:%u", path_name(debugger_program(g)->files.v[at->file]), at->line);
		buf_printf(out, "%s\n", all[i].inlined ? ", inlined" : "");
	}
	if (!n)
		buf_printf(out, "wavefront %u has ended\n", f.wave);
}

void show_waves(const Debugger *g, Buf *out)
{
	const SimDebug *s = debugger_sim(g);
	u32 n = sim_debug_waves(s), focus = debugger_focus(g).wave;
	for (u32 i = 0; i < n; i++) {
		SimWave w = sim_debug_wave(s, i);
		static const char *const states[] = {"ready", "waits at the barrier", "has ended"};
		buf_printf(out, "%c%3u  %s", i == focus ? '*' : ' ', i, states[w.state]);
		if (w.state != SIM_ENDED) {
			buf_printf(out, w.state == SIM_READY ? " at " : " ");
			if (w.last == NO_INS && !place(g, w.ins))
				buf_printf(out, "its beginning");
			else
				show_place(g, w.ins, out);
			buf_printf(out, "  ");
			show_mask(g, i, out);
		}
		buf_printf(out, "\n");
	}
}

void show_source(const Debugger *g, u32 file, u32 line, u32 around, Buf *out)
{
	Focus f = debugger_focus(g);
	const SrcLoc *at =
	    sim_debug_over(debugger_sim(g)) ? NULL : place(g, sim_debug_wave(debugger_sim(g), f.wave).ins);
	u32 first = line > around ? line - around : 1, before = out->n;
	for (u32 k = 0; k <= line - first + around; k++)
		show_line(g, file, first + k, at && at->file == file && at->line == first + k ? '>' : ' ', out);
	if (out->n == before)
		buf_printf(out, "there is no text of line %u\n", line);
}

void show_code(const Debugger *g, u32 around, Buf *out)
{
	const Program *p = debugger_program(g);
	u32 at = sim_debug_wave(debugger_sim(g), debugger_focus(g).wave).ins, line = 0;
	if (at == NO_INS) {
		buf_printf(out, "the wavefront has ended\n");
		return;
	}
	u32 first = at > around ? at - around : 0;
	for (u32 i = first; i <= at + around && i < p->ins.n; i++) {
		const SrcLoc *l = place(g, i);
		for (u32 b = 0; b < p->blocks.n; b++)
			if (p->blocks.v[b].first == i && p->blocks.v[b].n)
				buf_printf(out, "      block %u%s%s\n", b, p->blocks.v[b].name ? " " : "",
				           p->blocks.v[b].name ? p->blocks.v[b].name : "");
		buf_printf(out, "%c%5u  ", i == at ? '>' : ' ', i);
		if (l && l->line != line)
			buf_printf(out, "%4u  ", l->line);
		else
			buf_printf(out, "      ");
		line = l ? l->line : line;
		ins_print(p, &p->ins.v[i], out);
		buf_printf(out, "\n");
	}
}

void show_kernel(const Debugger *g, Buf *out)
{
	buf_printf(out, "kernel %s: %s\n", debugger_program(g)->kernel,
	           debugger_is_source(g) ? "the source, not optimised"
	           : debugger_source(g)
	               ? "as the device's compiler optimised it; some variables are gone, lines have moved"
	               : "a program of wave instructions");
}

void show_program(const Debugger *g, Buf *out)
{
	const Program *p = debugger_program(g);
	u32 n;
	u64 bytes = debugger_kept(g, &n);
	show_kernel(g, out);
	buf_printf(out, "%u wave instructions; %" PRIu64 " executed; %u copies of earlier states, %.1f MB\n", p->ins.n,
	           debugger_count(g), n, (double)bytes / 1e6);
}
