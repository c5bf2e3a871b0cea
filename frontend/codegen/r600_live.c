/* Live registers of r600 code: how many GPRs (of 4 x 32 bits) hold a value that is still needed, at each instruction.
 *
 * The usual walk backward over the control-flow program, component by component, with two things more. Lanes that
 * jumped over something wait until the others come there, so what they need then is live all the way: from a jump to
 * where it leads, and for lanes that left a loop in all of it. And what was never written holds nothing: it is how a
 * register that is chosen by a number, T(4 + AR.x).X, is not taken for all registers from there on.
 *
 * What is written to such a register, or by some lanes only (Pred_sel), leaves what was there. Numbers may so be too
 * large. */
#include "frontend/codegen/r600.h"

#include "base/scan.h"
#include "frontend/codegen/codegen.h"

#include <ctype.h>

enum { GPRS = 128, CHANNELS = 4, SET_WORDS = GPRS * CHANNELS / 64 };

/* A bit for each component. */
typedef struct GprSet {
	u64 w[SET_WORDS];
} GprSet;

typedef struct GprUse {
	GprSet reads, writes;
	GprSet ends; /* of the writes those after which nothing is left of the old value */
	GprSet may;  /* one of these is written, which is not known */
} GprUse;

/* Lanes wait there, for a step that is behind it: first to last step, where they go on. */
typedef struct WaitingLanes {
	u32 first, last, until;
} WaitingLanes;

typedef struct GprWalk {
	MachineCode *c;
	const R600Code *r;
	u32 *first;       /* per step: its first instruction in c; [nsteps]: behind the last */
	GprUse *use;      /* per instruction of c */
	GprSet *written;  /* per step: before it, what may have been written */
	GprSet *in;       /* per step: before it, what the lanes that run it need */
	ARRAY(WaitingLanes) waiting;
} GprWalk;

static bool add_set(GprSet *to, const GprSet *from)
{
	bool more = false;
	for (u32 i = 0; i < SET_WORDS; i++) {
		more |= (from->w[i] & ~to->w[i]) != 0;
		to->w[i] |= from->w[i];
	}
	return more;
}

static void common_set(GprSet *to, const GprSet *with)
{
	for (u32 i = 0; i < SET_WORDS; i++)
		to->w[i] &= with->w[i];
}

static void remove_set(GprSet *from, const GprSet *what)
{
	for (u32 i = 0; i < SET_WORDS; i++)
		from->w[i] &= ~what->w[i];
}

static u16 count_gprs(const GprSet *s)
{
	u32 n = 0;
	for (u32 i = 0; i < SET_WORDS; i++)
		for (u64 w = s->w[i]; w; w >>= CHANNELS)
			n += (w & 0xf) != 0;
	return (u16)n;
}

/* ---- the registers of an instruction ---- */

static void add_channels(GprSet *s, u32 gpr, u32 channels)
{
	s->w[gpr * CHANNELS / 64] |= (u64)channels << gpr * CHANNELS % 64;
}

/* ".XYZW", ".X" or nothing, which is all of them. */
static u32 channels_at(const char *p)
{
	static const char names[] = "XYZW";
	u32 bits = 0;
	if (*p != '.')
		return 0xf;
	for (p++; scan_is_word(*p); p++) {
		const char *at = strchr(names, *p);
		bits |= at ? 1u << (at - names) : 0;
	}
	return bits;
}

/* All registers that the n characters name, of so many GPRs. */
static GprSet registers_of(const char *p, size_t n, u32 gprs)
{
	GprSet s = {0};
	const char *end = p + n;
	for (const char *q = p; q < end; q++) {
		if (*q != 'T' || (q > p && scan_is_word(q[-1])))
			continue;
		if (q[1] == '(') {
			const char *close = memchr(q, ')', (size_t)(end - q));
			u32 channels = close ? channels_at(close + 1) : 0xf;
			for (unsigned long gpr = strtoul(q + 2, NULL, 10); gpr < gprs && gpr < GPRS; gpr++)
				add_channels(&s, (u32)gpr, channels);
		} else if (isdigit((unsigned char)q[1])) {
			char *behind;
			unsigned long gpr = strtoul(q + 1, &behind, 10);
			if (gpr < GPRS)
				add_channels(&s, (u32)gpr, channels_at(behind));
		}
	}
	return s;
}

static bool has(const char *s, size_t n, const char *part) { return memmem(s, n, part, strlen(part)) != NULL; }

/* The first operand is the result. Stores and what goes to LDS have none here. */
static void add_line(GprUse *use, const char *p, size_t n, u32 gprs)
{
	size_t to = starts(p, "LDS_") || starts(p, "MEM_") ? 0 : strcspn(p, ",\n");
	to = to < n ? to : n;
	GprSet reads = registers_of(p + to, n - to, gprs), writes = registers_of(p, to, gprs);
	add_set(&use->reads, &reads);
	if (has(p, to, "(MASKED)"))
		return;
	if (has(p, to, "T(")) {
		add_set(&use->may, &writes);
		return;
	}
	add_set(&use->writes, &writes);
	if (!has(p, n, "Pred_sel"))
		add_set(&use->ends, &writes);
}

/* The slots of a bundle read before one of them writes. */
static GprUse use_of(const MachineIns *x, u32 gprs)
{
	GprUse use = {0};
	for (const char *p = x->text; p && *p;) {
		size_t n = strcspn(p, "\n");
		add_line(&use, p, n, gprs);
		p += n + (p[n] == '\n');
	}
	return use;
}

/* ---- steps ---- */

static void find_instructions(GprWalk *w)
{
	u32 at = 0;
	for (u32 i = 0; i < w->r->nsteps; i++) {
		w->first[i] = at;
		at += w->r->steps[i].n + !w->r->steps[i].stores; /* as r600_machine.c puts them */
	}
	w->first[w->r->nsteps] = at;
	for (u32 i = 0; i < at; i++)
		w->use[i] = use_of(&w->c->ins.v[i], w->r->gprs);
}

/* Where step i may lead; returns how many. */
static u32 next_steps(const GprWalk *w, u32 i, u32 next[3])
{
	const R600Step *s = &w->r->steps[i];
	u32 n = 0;
	if (s->is_end)
		return 0;
	next[n++] = i + 1;
	if (s->to != NO_STEP)
		next[n++] = s->to + s->is_break;
	if (s->back != NO_STEP)
		next[n++] = s->back;
	for (u32 k = n; k-- > 0;)
		if (next[k] >= w->r->nsteps)
			next[k] = next[--n];
	return n;
}

static void find_waiting(GprWalk *w)
{
	for (u32 i = 0; i < w->r->nsteps; i++) {
		const R600Step *s = &w->r->steps[i];
		if (s->to == NO_STEP)
			continue;
		u32 back = s->is_break ? w->r->steps[s->to].back : NO_STEP;
		WaitingLanes x = {back == NO_STEP ? i + 1 : back, s->to - !s->is_break, s->to + s->is_break};
		if (x.until < w->r->nsteps && x.first <= x.last)
			array_push(&w->waiting, x);
	}
}

static void add_written(GprSet *s, const GprUse *use)
{
	add_set(s, &use->writes);
	add_set(s, &use->may);
}

/* A wavefront begins with its ids: T0 those of the work-item, T1 those of its group. */
static void find_written(GprWalk *w)
{
	add_channels(&w->written[0], 0, 0x7);
	add_channels(&w->written[0], 1, 0x7);
	for (bool more = true; more;) {
		more = false;
		for (u32 i = 0; i < w->r->nsteps; i++) {
			GprSet s = w->written[i];
			u32 next[3], n = next_steps(w, i, next);
			for (u32 k = w->first[i]; k < w->first[i + 1]; k++)
				add_written(&s, &w->use[k]);
			for (u32 k = 0; k < n; k++) {
				bool grown = add_set(&w->written[next[k]], &s);
				more |= grown && next[k] <= i;
			}
		}
	}
}

static GprSet out_of(const GprWalk *w, u32 i)
{
	GprSet s = {0};
	u32 next[3], n = next_steps(w, i, next);
	for (u32 k = 0; k < n; k++)
		add_set(&s, &w->in[next[k]]);
	return s;
}

static void before(GprSet *live, const GprUse *use)
{
	remove_set(live, &use->ends);
	add_set(live, &use->reads);
}

static void find_live(GprWalk *w)
{
	for (bool more = true; more;) {
		more = false;
		for (u32 i = w->r->nsteps; i-- > 0;) {
			GprSet s = out_of(w, i);
			for (u32 k = w->first[i + 1]; k-- > w->first[i];)
				before(&s, &w->use[k]);
			more |= add_set(&w->in[i], &s);
		}
	}
}

/* What lanes need that wait while step i runs. */
static GprSet waiting_at(const GprWalk *w, u32 i)
{
	GprSet s = {0};
	for (u32 k = 0; k < w->waiting.n; k++) {
		const WaitingLanes *x = &w->waiting.v[k];
		if (x->first <= i && i <= x->last)
			add_set(&s, &w->in[x->until]);
	}
	return s;
}

static void put_numbers(GprWalk *w, u32 i)
{
	GprSet live = out_of(w, i), waiting = waiting_at(w, i);
	GprSet *written = xcalloc(w->first[i + 1] - w->first[i] + 1, sizeof *written);
	written[0] = w->written[i];
	for (u32 k = w->first[i]; k < w->first[i + 1]; k++) {
		GprSet *to = &written[k - w->first[i] + 1];
		*to = to[-1];
		add_written(to, &w->use[k]);
	}
	for (u32 k = w->first[i + 1]; k-- > w->first[i];) {
		GprSet all = w->use[k].writes;
		before(&live, &w->use[k]);
		add_set(&all, &live);
		add_set(&all, &waiting);
		common_set(&all, &written[k - w->first[i] + 1]);
		w->c->ins.v[k].live_vgprs = count_gprs(&all);
	}
	free(written);
}

void r600_live(MachineCode *c, const R600Code *r)
{
	GprWalk w = {.c = c, .r = r};
	w.first = xcalloc(r->nsteps + 1, sizeof *w.first);
	w.use = xcalloc(c->ins.n + 1, sizeof *w.use);
	w.written = xcalloc(r->nsteps + 1, sizeof *w.written);
	w.in = xcalloc(r->nsteps + 1, sizeof *w.in);
	find_instructions(&w);
	find_waiting(&w);
	find_written(&w);
	find_live(&w);
	for (u32 i = 0; i < r->nsteps; i++)
		put_numbers(&w, i);
	c->live = true;
	array_free(&w.waiting);
	free(w.first);
	free(w.use);
	free(w.written);
	free(w.in);
}
