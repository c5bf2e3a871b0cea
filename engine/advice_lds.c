/* Advice on bank conflicts: another distance between elements of local memory.
 *
 * For each variable whose accesses conflict, distances are tried on the recorded addresses: after
 * every R bytes P unused ones are put in (or taken out, when elements have unused bytes). The one
 * that leaves the fewest bank cycles is then timed, with the local memory it takes. R comes from the
 * array's own rows, from what the lanes do (the distance between neighbours) and from the powers of
 * two; one that is easier to write down may leave a little more. P is as wide as the widest access, so
 * that accesses stay aligned. */
#include "engine/advice.h"

#include "models/timing/lds_time.h"

enum { MOST_USES = 256, MOST_PARTS = 8, MOST_STRIDES = 4, STRIDES_KEPT = 16, ROWS = 10,
       FEWER = 3, /* times fewer conflicts, or it is not worth a word */
       EASIER = 5 /* rows that are easier to change may leave this part of what could go */ };

/* An access pattern of one variable, as often as the record has it. */
typedef struct LdsUse {
	LaneShape shape; /* LaneShape.offset is the record's */
	u64 address;     /* from the variable on */
	u64 count;
	u32 ins;
} LdsUse;

/* Where R comes from, the easiest to change first. */
typedef enum { ROWS_DECLARED, ROWS_OF_LANES, ROWS_ANY, ROWS_COUNT } RowsFrom;

typedef struct Padding {
	u64 row;  /* R; 0: none was found */
	i64 more; /* P */
	u64 cycles;
	RowsFrom from;
} Padding;

typedef struct LdsVariable {
	const LdsPart *at;
	LdsUse *use;
	u32 nuse, width; /* bytes of the widest access */
	u64 cycles, ideal;
	struct {
		u64 bytes, used, count; /* distance of neighbours; bytes of it that are used */
	} stride[STRIDES_KEPT];
	u32 nstride;
	u32 loc;         /* of an access of the line with the most conflicts */
} LdsVariable;

static i64 padded(const Padding *x, u64 at) { return (i64)(at / x->row) * x->more + (i64)at; }

/* ---- what the record has ---- */

static bool same_use(const LdsUse *u, const EventWord *w, u64 address)
{
	return u->ins == w->ins && u->shape.offset == w->shape->offset && u->address == address;
}

static bool fits_part(const LdsPart *part, const EventWord *w)
{
	for (u32 i = 0; i < w->shape->lanes; i++) {
		u64 at = w->address + (u64)w->shape->offset[i];
		if (at < part->offset || at + w->shape->bytes > part->offset + part->size)
			return false;
	}
	return w->shape->lanes > 0;
}

static void note_stride(LdsVariable *p, const LaneShape *s, u64 least, u64 count)
{
	if (s->lanes < 2)
		return;
	i64 step = s->offset[1] - s->offset[0];
	u32 same = 0; /* not all: where lanes have come to the end of a row, the next one begins */
	for (u32 i = 1; i < s->lanes; i++)
		same += s->offset[i] - s->offset[i - 1] == step;
	if (step <= (i64)least || same * 4 < (s->lanes - 1) * 3)
		return;
	u32 k = 0;
	while (k < p->nstride && p->stride[k].bytes != (u64)step)
		k++;
	if (k == STRIDES_KEPT)
		return;
	p->nstride += k == p->nstride;
	p->stride[k].bytes = (u64)step;
	p->stride[k].count += count;
}

/* Patterns of one variable, by hash; too many different ones: the first. */
typedef struct Uses {
	LdsVariable *part;
	u32 slot[4 * MOST_USES];
} Uses;

static void add_use(Uses *u, const EventWord *w)
{
	LdsVariable *p = u->part;
	u64 address = w->address - p->at->offset;
	u64 h = (u64)(size_t)w->shape->offset * 0x9E3779B97F4A7C15u ^ address * 0xD6E8FEB86659FD93u ^ w->ins;
	for (u32 k = (u32)(h >> 40) % COUNT(u->slot);; k = (k + 1) % COUNT(u->slot)) {
		if (u->slot[k] && same_use(&p->use[u->slot[k] - 1], w, address)) {
			p->use[u->slot[k] - 1].count++;
			return;
		}
		if (u->slot[k])
			continue;
		if (p->nuse == MOST_USES)
			return;
		p->use[p->nuse] = (LdsUse){*w->shape, address, 1, w->ins};
		u->slot[k] = ++p->nuse;
		return;
	}
}

static void read_record(Advisor *a, LdsVariable *p)
{
	Uses *u = ARENA_NEW(a->arena, Uses);
	u->part = p;
	p->use = ARENA_ARRAY(a->arena, LdsUse, MOST_USES);
	const Events *ev = a->base.profile->events;
	for (u32 i = 0; i < ev->waves.n; i++)
		for (EventWord w = {0}; event_next(&ev->waves.v[i], &w);)
			if (w.kind == EVENT_ACCESS && w.shape->lds && fits_part(p->at, &w))
				add_use(u, &w);
}

/* VLIW chips access one dword of a lane at a time (access_parts). */
static bool by_dwords(const Advisor *a) { return a->base.dev->codegen == DEVICE_CODEGEN_r600; }

/* Bank cycles of a pattern at these distances; false: an access would lie across a gap. */
static bool use_cycles(Advisor *a, LdsTimes *t, const LdsUse *u, const Padding *x, LdsTime *out)
{
	i64 *offset = ARENA_ARRAY(a->arena, i64, u->shape.lanes);
	LaneShape *s = ARENA_NEW(a->arena, LaneShape);
	*s = u->shape;
	i64 first = padded(x, u->address);
	for (u32 i = 0; i < s->lanes; i++) {
		u64 at = u->address + (u64)u->shape.offset[i];
		if (x->more && at % x->row + s->bytes > (u64)((i64)x->row + (x->more < 0 ? x->more : 0)))
			return false;
		offset[i] = padded(x, at) - first;
	}
	s->offset = offset;
	LdsIns ins = {.bytes = by_dwords(a) ? 4 : (u16)s->bytes};
	u32 times = by_dwords(a) ? (s->bytes + 3) / 4 : 1;
	*out = lds_time(t, s, (u64)first, &ins, 1);
	out->banks *= times;
	out->ideal *= times;
	return true;
}

static bool all_cycles(Advisor *a, const LdsVariable *p, Padding *x)
{
	LdsTimes *t = lds_times_new(a->base.dev, a->base.lds, a->r->wave, a->arena);
	x->cycles = 0;
	for (u32 i = 0; i < p->nuse; i++) {
		LdsTime c;
		if (!use_cycles(a, t, &p->use[i], x, &c))
			return false;
		x->cycles += c.banks * p->use[i].count;
	}
	return true;
}

static void measure(Advisor *a, LdsVariable *p)
{
	LdsTimes *t = lds_times_new(a->base.dev, a->base.lds, a->r->wave, a->arena);
	Padding none = {.row = 1};
	u64 worst = 0, *line_lost = ARENA_ARRAY(a->arena, u64, a->r->estimate->costs->lines.n + 1);
	for (u32 i = 0; i < p->nuse; i++) {
		const LdsUse *u = &p->use[i];
		LdsTime c;
		use_cycles(a, t, u, &none, &c);
		p->cycles += c.banks * u->count;
		p->ideal += c.ideal * u->count;
		p->width = u->shape.bytes > p->width ? u->shape.bytes : p->width;
		u64 lost = (c.banks - c.ideal) * u->count;
		if (!lost)
			continue;
		note_stride(p, &u->shape, by_dwords(a) ? 4 : u->shape.bytes, lost);
		u32 loc = a->in->program->ins.v[u->ins].loc;
		const SrcLoc *at = program_place(a->in->program, loc);
		u32 line = at ? cost_find_line(a->r->estimate->costs, at->file, at->line) : 0;
		u64 *sum = &line_lost[line == UINT32_MAX ? 0 : line];
		*sum += lost;
		if (*sum > worst) {
			worst = *sum;
			p->loc = loc;
		}
	}
	p->width = p->width < 4 || by_dwords(a) ? 4 : p->width;
}

/* ---- trying ---- */

static void try(Advisor *a, const LdsVariable *p, RowsFrom from, u64 row, i64 more, Padding best[ROWS_COUNT])
{
	Padding x = {row, more, 0, from};
	if (!row || row > p->at->size || (i64)row + more <= 0 || !all_cycles(a, p, &x))
		return;
	if (x.cycles < best[from].cycles)
		best[from] = x;
}

/* The bytes of each row that any access touches, from its begin. */
static u64 used_of_row(const LdsVariable *p, u64 row)
{
	u64 used = 0;
	for (u32 i = 0; i < p->nuse; i++)
		for (u32 l = 0; l < p->use[i].shape.lanes; l++) {
			u64 end = (p->use[i].address + (u64)p->use[i].shape.offset[l]) % row + p->use[i].shape.bytes;
			used = end > used ? end : used;
		}
	return used;
}

static Padding find_padding(Advisor *a, const LdsVariable *p)
{
	Padding best[ROWS_COUNT];
	u64 width = p->width, least = p->cycles;
	for (u32 i = 0; i < ROWS_COUNT; i++)
		best[i] = (Padding){.cycles = p->cycles};
	if (p->at->row % width == 0)
		try(a, p, ROWS_DECLARED, p->at->row, (i64)width, best);
	for (u32 n = 0; n < MOST_STRIDES && n < p->nstride; n++) {
		u64 row = p->stride[n].bytes, used = used_of_row(p, row);
		if (row % width == 0)
			try(a, p, ROWS_OF_LANES, row, (i64)width, best);
		if (used < row)
			try(a, p, ROWS_OF_LANES, row, (i64)used - (i64)row, best);
	}
	for (u32 i = ROWS; i-- > 0;) /* the longest take the least room */
		try(a, p, ROWS_ANY, width << i, (i64)width, best);
	for (u32 i = 0; i < ROWS_COUNT; i++)
		least = best[i].cycles < least ? best[i].cycles : least;
	for (u32 i = 0; i < ROWS_COUNT; i++)
		if (best[i].row && (best[i].cycles - least) * EASIER <= p->cycles - least)
			return best[i];
	return best[ROWS_ANY];
}

typedef struct PaddedMove {
	const LdsPart *part;
	Padding x;
	i64 more; /* bytes that the variable takes now beyond before: others move up */
} PaddedMove;

static u64 moved(const PaddedMove *m, u64 at)
{
	u64 end = m->part->offset + m->part->size;
	if (at < m->part->offset)
		return at;
	return at >= end ? at + (u64)m->more : m->part->offset + (u64)padded(&m->x, at - m->part->offset);
}

static void move_access(void *ctx, u32 wave, const EventWord *w, LaneShape *s, i64 *offset, u64 *address)
{
	const PaddedMove *m = ctx;
	(void)wave;
	if (!s->lds || !s->lanes)
		return;
	u64 first = moved(m, w->address);
	for (u32 i = 0; i < s->lanes; i++)
		offset[i] = (i64)(moved(m, w->address + (u64)w->shape->offset[i]) - first);
	*address = first;
}

static const char *part_name(Advisor *a, const LdsPart *part)
{
	return part->name ? part->name : advice_text(a, "%s memory", a->words->shared);
}

/* What to write: in elements where the widths allow. */
static const char *how(Advisor *a, const LdsVariable *p, const Padding *x)
{
	u64 e = p->width, row = x->row / e, more = x->more > 0 ? (u64)x->more / e : 0;
	const char *name = part_name(a, p->at);
	if (x->more < 0)
		return advice_text(
		    a, "let elements of '%s' lie %llu bytes apart in place of %llu, without the unused bytes", name,
		    (unsigned long long)((i64)x->row + x->more), (unsigned long long)x->row);
	if (row == 1 || (by_dwords(a) && row <= 4)) /* a vector */
		return advice_text(a, "let elements of '%s' lie %llu bytes apart in place of %llu", name,
		                   (unsigned long long)((i64)x->row + x->more), (unsigned long long)x->row);
	const char *bytes = advice_text(a, "%s bytes in place of %s", advice_number(a, (u64)padded(x, p->at->size)),
	                                advice_number(a, p->at->size));
	if (x->from == ROWS_DECLARED)
		return advice_text(a, "make rows of '%s' longer: %llu elements of %llu bytes in place of %llu; %s",
		                   name, (unsigned long long)(row + more), (unsigned long long)e,
		                   (unsigned long long)row, bytes);
	return advice_text(
	    a,
	    "pad '%s': %llu unused element%s of %llu bytes after every %llu%s, so that index x becomes "
	    "x + x / %llu%s, whose arithmetic the gain leaves out; %s",
	    name, (unsigned long long)more, more == 1 ? "" : "s", (unsigned long long)e, (unsigned long long)row,
	    x->from == ROWS_OF_LANES ? " (so far apart are neighbouring lanes)" : "", (unsigned long long)row,
	    more == 1 ? "" : advice_text(a, " * %llu", (unsigned long long)more), bytes);
}

static void say(Advisor *a, const LdsVariable *p, const Padding *x)
{
	PaddedMove m = {.part = p->at, .x = *x};
	m.more = (padded(x, p->at->size - 1) + 1 - (i64)p->at->size + 15) / 16 * 16;
	Events *ev = events_with(a, move_access, &m);
	OccInput in = a->r->occupancy.o.in;
	in.lds_bytes = (u64)((i64)in.lds_bytes + m.more);
	Occupancy o;
	occupancy(a->in->device, &in, &o);
	bool fits = o.waves_per_cu > 0;
	const EstimateChanged *after =
	    fits && ev ? advice_time(a, (EstimateChange){.events = ev, .occupancy = &o, .conflicts = true}) : NULL;
	events_free(ev);
	if (!fits || (after && after->lds_conflicts > a->r->estimate->lds_conflicts / 2))
		return;
	advise(a, ADVICE_lds_padding, p->loc, after,
	       advice_text(
		   a, "bank conflicts in '%s': %s of %s bank cycles of the recorded accesses, %s with other distances",
		   part_name(a, p->at), advice_number(a, p->cycles - p->ideal), advice_number(a, p->cycles),
		   advice_number(a, x->cycles - p->ideal)),
	       how(a, p, x));
}

void advice_lds_padding(Advisor *a)
{
	const LdsTotals *t = &a->r->t.lds;
	if (t->actual == t->ideal)
		return;
	for (u32 i = 0; i < a->in->nlds_parts && i < MOST_PARTS; i++) {
		LdsVariable p = {.at = &a->in->lds_parts[i]};
		read_record(a, &p);
		measure(a, &p);
		if (p.cycles - p.ideal < p.ideal / 8 || p.cycles == p.ideal)
			continue;
		Padding x = find_padding(a, &p);
		if (x.row && (x.cycles - p.ideal) * FEWER <= p.cycles - p.ideal)
			say(a, &p, &x);
	}
}
