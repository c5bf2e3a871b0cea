/* What wavefronts did when: see timing.h. A record of a long launch would be endless, so when it is full
 * its spans are made coarser: time is cut into units from the beginning of each wavefront, each unit
 * shows what took most of it, and equal neighbours are one span. */
#include "models/timing/timing_impl.h"

typedef struct Coarse {
	ARRAY(TimingSpan) out;
	double begin, quantum;
	double end;      /* of the last span */
	u32 life, first; /* its first span in out */
	u64 unit;        /* the one that is being filled */
	double most;     /* the longest in it, when above 0, … */
	u32 part, line;  /* … is of these */
} Coarse;

static void put_units(Coarse *c, u64 from, u64 to, u32 part, u32 line)
{
	TimingSpan s = {c->begin + (double)from * c->quantum, c->begin + (double)to * c->quantum, c->life, line, part};
	TimingSpan *last = c->out.n > c->first ? &c->out.v[c->out.n - 1] : NULL;
	if (last && last->part == part && last->line == line && last->to > s.from - c->quantum / 2)
		last->to = s.to;
	else
		array_push(&c->out, s);
}

static void close_unit(Coarse *c)
{
	if (c->most > 0)
		put_units(c, c->unit, c->unit + 1, c->part, c->line);
	c->most = 0;
}

static void fill_unit(Coarse *c, u64 unit, double share, const TimingSpan *s)
{
	if (unit != c->unit)
		close_unit(c);
	c->unit = unit;
	if (share <= c->most)
		return;
	c->most = share;
	c->part = s->part;
	c->line = s->line;
}

static void add(Coarse *c, const TimingSpan *s)
{
	double from = (s->from - c->begin) / c->quantum, to = (s->to - c->begin) / c->quantum;
	from = from > 0 ? from : 0;
	to = to > from ? to : from;
	c->end = s->to;
	u64 a = (u64)from, b = (u64)to;
	if (a == b) {
		fill_unit(c, a, to - from, s);
		return;
	}
	fill_unit(c, a, (double)(a + 1) - from, s);
	close_unit(c);
	if (b > a + 1)
		put_units(c, a + 1, b, s->part, s->line);
	c->unit = b;
	if (to > (double)b)
		fill_unit(c, b, to - (double)b, s);
}

u32 *timeline_by_life(const Timeline *t, u32 **span)
{
	u32 *start = xcalloc(t->lives.n + 2, sizeof *start);
	*span = xcalloc(t->spans.n + 1, sizeof **span);
	for (u32 i = 0; i < t->spans.n; i++)
		start[t->spans.v[i].life + 2]++;
	for (u32 i = 0; i < t->lives.n; i++)
		start[i + 2] += start[i + 1];
	for (u32 i = 0; i < t->spans.n; i++)
		(*span)[start[t->spans.v[i].life + 1]++] = i;
	return start;
}

void timeline_coarsen(Timeline *t, double quantum)
{
	u32 *span, *start = timeline_by_life(t, &span);
	Coarse c = {.quantum = quantum};
	for (u32 i = 0; i < t->lives.n; i++) {
		c.life = i;
		c.begin = t->lives.v[i].begin;
		c.first = c.out.n;
		c.unit = 0;
		for (u32 k = start[i]; k < start[i + 1]; k++)
			add(&c, &t->spans.v[span[k]]);
		close_unit(&c);
		if (c.out.n > c.first && c.out.v[c.out.n - 1].to > c.end)
			c.out.v[c.out.n - 1].to = c.end; /* what follows begins here */
	}
	array_free(&t->spans);
	t->spans.v = c.out.v;
	t->spans.n = c.out.n;
	t->spans.cap = c.out.cap;
	t->quantum = quantum;
	free(start);
	free(span);
}

void timeline_add(Timeline *t, const TimingSpan *s)
{
	/* Half full afterwards, so that all of it stays linear. */
	if (t->spans.n >= t->most_spans)
		for (double q = t->quantum > 0 ? t->quantum * 2 : 1; t->spans.n > t->most_spans / 2; q *= 2)
			timeline_coarsen(t, q);
	array_push(&t->spans, *s);
}

void timeline_free(Timeline *t)
{
	array_free(&t->lives);
	array_free(&t->spans);
}
