/* Where races remember accesses: pages of words, and the events that words name. */
#include "sim/race.h"

void race_lacks(RaceCheck *c, CheckLack what)
{
	c->lack = what > c->lack ? what : c->lack;
	if (c->wk->m->sets)
		__atomic_store_n(&c->wk->m->attempt->spent, true, __ATOMIC_RELAXED);
}

static bool fits(RaceCheck *c, size_t bytes)
{
	if (c->bytes + bytes <= c->most_bytes)
		return true;
	race_lacks(c, LACK_memory);
	return false;
}

/* Workers side by side have half of the room together (race_crowded). */
static void count(RaceCheck *c, size_t bytes)
{
	u64 all = __atomic_add_fetch(&c->wk->m->attempt->words, bytes, __ATOMIC_RELAXED);
	c->bytes += bytes;
	if (c->wk->m->sets && all > c->most_bytes / 2)
		race_lacks(c, LACK_memory);
}

static void discount(RaceCheck *c, size_t bytes)
{
	__atomic_fetch_sub(&c->wk->m->attempt->words, bytes, __ATOMIC_RELAXED);
	c->bytes -= bytes;
}

void *race_room(RaceCheck *c, size_t n, size_t size)
{
	if (!fits(c, n * size))
		return NULL;
	count(c, n * size);
	return xcalloc(n, size);
}

static size_t last_events(const Machine *m) { return (size_t)m->waves_per_group * m->code->accesses.n; }

static u64 pages_of(const RaceMemory *mem, const Machine *m, u32 seg)
{
	return ((mem->lds ? m->lds_bytes : m->segs[seg].size) + PAGE_BYTES - 1) >> PAGE_SHIFT;
}

static size_t places(const RacePage *p) { return (size_t)PAGE_BYTES >> p->shift; }

void race_memory_new(RaceMemory *mem, const Machine *m, bool lds)
{
	mem->lds = lds;
	mem->nsegs = lds ? 1 : m->nsegs;
	mem->last = xcalloc(last_events(m) + 1, sizeof *mem->last);
	mem->within = xcalloc(m->waves_per_group + 1, sizeof *mem->within);
	mem->pages = xcalloc(mem->nsegs + 1, sizeof *mem->pages);
	array_push(&mem->events, (RaceEvent){0});
}

/* What all pages of other parts are. They have no words: neither of dwords nor of bytes. */
enum { NO_PLACES = 31 };
static RacePage elsewhere = {.shift = NO_PLACES};

static bool is_of_part(const RaceCheck *c, u32 seg, u64 page)
{
	/* Mixed, so that a kernel that only accesses each n-th page has its pages in all parts. */
	return c->parts == 1 || (u32)(hash_mix((u64)seg << 40 | page) % c->parts) == c->part;
}

static void page_free(RacePage *p)
{
	if (p == &elsewhere)
		return;
	for (u32 k = 0; p && k < WORDS; k++)
		free(p->word[k]);
	free(p);
}

void race_memory_free(RaceMemory *mem, const Machine *m)
{
	for (u32 s = 0; s < mem->nsegs; s++) {
		for (u64 i = 0; mem->pages[s] && i < pages_of(mem, m, s); i++)
			page_free(mem->pages[s][i]);
		free(mem->pages[s]);
	}
	free(mem->pages);
	free(mem->last);
	free(mem->within);
	array_free(&mem->events);
}

void race_lds_clear(RaceMemory *mem, const Machine *m)
{
	for (u64 i = 0; mem->pages[0] && i < pages_of(mem, m, 0); i++) {
		RacePage *p = mem->pages[0][i];
		for (u32 k = 0; p && k < WORDS; k++)
			if (p->word[k])
				memset(p->word[k], 0, places(p) * sizeof *p->word[k]);
	}
	memset(mem->last, 0, last_events(m) * sizeof *mem->last);
	mem->events.n = 1;
}

u32 race_event_now(RaceCheck *c, RaceMemory *mem, const Wave *w, const Access *a)
{
	u32 *last = &mem->last[w->index * w->code->accesses.n + a->index];
	const RaceEvent *e = &mem->events.v[*last];
	u32 group = (u32)w->group->linear;
	if (*last && e->group == group && e->epoch == mem->epoch && e->released == c->released &&
	    e->within == mem->within[w->index])
		return *last;
	if (mem->events.n == MOST_EVENTS) {
		race_lacks(c, LACK_events);
		return 0;
	}
	*last = mem->events.n;
	array_push(&mem->events, ((RaceEvent){group, mem->epoch, c->released, mem->within[w->index], a->index & 0xFFFFF,
	                                      w->index & 0xFFF}));
	return *last;
}

u32 *race_words_new(RaceCheck *c, RacePage *p, RaceWord k)
{
	return p->word[k] = race_room(c, places(p), sizeof *p->word[k]);
}

/* Words for each byte from now on: every access so far was of all bytes of its dwords. */
static bool split_page(RaceCheck *c, RacePage *p)
{
	u32 n = 0;
	for (u32 k = 0; k < WORDS; k++)
		n += p->word[k] != NULL;
	if (!fits(c, n * PAGE_BYTES * sizeof(u32)))
		return false;
	for (u32 k = 0; k < WORDS; k++) {
		u32 *from = p->word[k];
		if (!from)
			continue;
		u32 *to = p->word[k] = race_room(c, PAGE_BYTES, sizeof *to);
		for (u32 i = 0; i < PAGE_BYTES; i++)
			to[i] = from[i >> p->shift];
		free(from);
		discount(c, places(p) * sizeof *from);
	}
	p->shift = 0;
	return true;
}

static RacePage *page_new(RaceCheck *c, bool bytes)
{
	RacePage *p = xcalloc(1, sizeof *p);
	p->shift = bytes ? 0 : 2;
	if (race_words_new(c, p, WRITER) && race_words_new(c, p, READER))
		return p;
	page_free(p);
	return NULL;
}

RacePage *race_page(const RaceTouch *t, u64 at, bool bytes)
{
	RaceCheck *c = t->c;
	RacePage ***pages = &t->mem->pages[t->seg];
	if (UNLIKELY(!*pages) && !(*pages = race_room(c, pages_of(t->mem, c->wk->m, t->seg), sizeof **pages)))
		return NULL;
	RacePage **p = &(*pages)[at >> PAGE_SHIFT];
	if (UNLIKELY(!*p))
		*p = is_of_part(c, t->seg, at >> PAGE_SHIFT) ? page_new(c, bytes) : &elsewhere;
	if (*p == &elsewhere || (*p && bytes && (*p)->shift && !split_page(c, *p)))
		return NULL;
	return *p;
}
