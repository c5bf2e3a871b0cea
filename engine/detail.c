/* From recorded wavefronts to what a page shows of them: see detail.h. */
#include "engine/detail.h"

#include "engine/result.h"

enum {
	MOST_WAVES = 16,
	MOST_STEPS = 4096, /* of a wavefront */
	MOST_USES = 2048,
	MOST_PATTERNS = 512,
	MOST_OF_A_SITE = 48,
	MASK_SLOTS = 4096,
};

/* Chains of equal hash: numbers are one more than the index, 0 ends one. */
typedef struct DetailBuilder {
	ResultDetail *d;
	const Result *r; /* whose arena takes what stays */
	const ResultInput *in;
	u32 *mask_slot;
	ARRAY(u32) mask_next;
	u32 *site_of;                   /* per instruction of the Program */
	u32 *first_pattern, *npatterns; /* per site */
	u32 *next_pattern;
	u64 *begin;                     /* per pattern: its address within the banks or the line */
} DetailBuilder;

/* As Result.lines are sorted: no line last, of whatever file. */
static int by_place(const void *va, const void *vb)
{
	const ResultLine *a = va, *b = vb;
	return !a->line || !b->line ? ORDER(!a->line, !b->line) : FIELDS_2(file, line);
}

static u32 line_index(const Result *r, const Program *p, u32 loc)
{
	const SrcLoc *at = &p->locs.v[loc];
	ResultLine want = {.file = at->file, .line = at->line};
	u32 k = lower_bound(r->lines, r->nlines, sizeof want, &want, by_place);
	return k < r->nlines && !by_place(&r->lines[k], &want) ? k : NO_LINE;
}

/* ---- blocks ---- */

static void add_block(DetailBuilder *b, u32 block)
{
	const Program *p = b->in->program;
	const Block *bl = &p->blocks.v[block];
	DetailBlock *out = &b->d->blocks[block];
	out->first = b->d->runs.n;
	for (u32 i = bl->first; i < bl->first + bl->n; i++) {
		if (op_info[p->ins.v[i].op].unit == UNIT_NONE)
			continue;
		u32 line = line_index(b->r, p, p->ins.v[i].loc);
		DetailRun *last = out->n ? &b->d->runs.v[b->d->runs.n - 1] : NULL;
		if (last && last->line == line) {
			last->n++;
			continue;
		}
		array_push(&b->d->runs, ((DetailRun){line, 1}));
		out->n++;
	}
}

static void add_blocks(DetailBuilder *b)
{
	b->d->nblocks = b->in->program->blocks.n;
	b->d->blocks = ARENA_ARRAY(b->r->arena, DetailBlock, b->d->nblocks + 1);
	for (u32 i = 0; i < b->d->nblocks; i++)
		add_block(b, i);
}

/* ---- masks ---- */

static u32 mask_index(DetailBuilder *b, Mask m)
{
	u64 h = ((u64)m ^ (u64)(m >> 64) * 3) * 0x9E3779B97F4A7C15u;
	u32 *slot = &b->mask_slot[(h >> 40) % MASK_SLOTS];
	for (u32 i = *slot; i; i = b->mask_next.v[i - 1])
		if (b->d->masks.v[i - 1] == m)
			return i - 1;
	array_push(&b->d->masks, m);
	array_push(&b->mask_next, *slot);
	*slot = b->d->masks.n;
	return b->d->masks.n - 1;
}

/* ---- accesses ---- */

/* What the instructions of a site are served in: those that are counted, or one access as it is. */
static void add_passes(const DetailBuilder *b, DetailSite *s)
{
	const LdsIns whole = {.bytes = (u16)s->bytes}, *ins = s->known ? s->ins : &whole;
	u32 nins = s->known ? s->nins : 1, n = 0;
	for (u32 i = 0; i < nins; i++)
		n += lds_passes(&ins[i]);
	s->passes = ARENA_ARRAY(b->r->arena, LdsPass, n + 1);
	for (u32 i = 0; i < nins; i++)
		for (u32 k = 0; k < lds_passes(&ins[i]); k++)
			s->passes[s->npasses++] = lds_pass(&ins[i], k);
}

static u32 site_index(DetailBuilder *b, u32 ins, const LaneShape *s)
{
	if (b->site_of[ins])
		return b->site_of[ins] - 1;
	const LdsPlan *plan = b->in->lds_plan;
	DetailSite site = {.line = line_index(b->r, b->in->program, b->in->program->ins.v[ins].loc),
	                   .lds = s->lds, .write = s->write, .atomic = s->atomic, .bytes = s->bytes};
	if (s->lds && plan && !strcmp(b->r->lds_source, "machine") && plan->of[ins].known) {
		site.known = true;
		site.nins = plan->of[ins].n;
		site.ins = arena_copy(b->r->arena, plan->ins + plan->of[ins].first, site.nins * sizeof *site.ins);
	}
	if (s->lds)
		add_passes(b, &site);
	array_push(&b->d->sites, site);
	b->site_of[ins] = b->d->sites.n;
	return b->d->sites.n - 1;
}

static bool same_pattern(const DetailBuilder *b, const DetailPattern *p, const LaneShape *s, u64 begin)
{
	return b->begin[p - b->d->patterns.v] == begin && b->d->masks.v[p->mask] == s->mask &&
	       !memcmp(p->offset, s->offset, s->lanes * sizeof *s->offset);
}

/* How the banks serve a pattern. */
static void add_phases(DetailBuilder *b, DetailPattern *p, const LaneShape *s)
{
	const DetailSite *site = &b->d->sites.v[p->site];
	u32 addr[MAX_WAVE], lane = 0;
	for (Mask m = s->mask; m; m = mask_drop(m))
		addr[mask_lowest(m)] = (u32)(p->address + (u64)s->offset[lane++]);
	const LdsLanes lanes = {s->mask, addr, s->write, s->atomic};
	DetailPhase *phases = ARENA_ARRAY(b->r->arena, DetailPhase, site->npasses * s->lanes + 1);
	LdsPhase served;
	for (u32 k = 0; k < site->npasses; k++)
		for (Mask left = s->mask; left;) {
			lds_phase(b->in->lds, &site->passes[k], &lanes, &left, &served);
			const LdsAsk *ask = arena_copy(b->r->arena, served.ask, served.n * sizeof *ask);
			phases[p->nphases++] =
			    (DetailPhase){k, mask_index(b, served.lanes), served.cycles, served.n, ask};
		}
	p->phases = phases;
}

/* Which pattern it is; UINT32_MAX: there are too many. Where an access begins matters only
 * within the banks, or within a line. */
static u32 pattern_index(DetailBuilder *b, u32 site, const LaneShape *s, u64 address)
{
	u64 begin = address & (s->lds ? b->in->lds->banks * 4 - 1 : b->r->line_bytes - 1);
	for (u32 i = b->first_pattern[site]; i; i = b->next_pattern[i - 1])
		if (same_pattern(b, &b->d->patterns.v[i - 1], s, begin))
			return i - 1;
	if (b->npatterns[site] >= MOST_OF_A_SITE || b->d->patterns.n >= MOST_PATTERNS)
		return UINT32_MAX;
	const i64 *offset = arena_copy(b->r->arena, s->offset, s->lanes * sizeof *offset);
	u32 n = b->d->patterns.n;
	array_push(&b->d->patterns, ((DetailPattern){.site = site, .mask = mask_index(b, s->mask),
	                                             .address = address, .offset = offset, .lanes = s->lanes}));
	if (s->lds)
		add_phases(b, &b->d->patterns.v[n], s);
	b->begin[n] = begin;
	b->next_pattern[n] = b->first_pattern[site];
	b->first_pattern[site] = n + 1;
	b->npatterns[site]++;
	return n;
}

static void add_use(DetailBuilder *b, DetailWave *w, u32 ins, const LaneShape *s, u64 address)
{
	const AccessProf *counted = &b->in->profile->accesses[ins];
	if (!s->lds && !counted->accesses)
		return; /* the scalar unit's */
	if (w->nuses >= MOST_USES) {
		w->cut = true;
		return;
	}
	if (!s->lds)
		address &= ((u64)1 << SEG_SHIFT) - 1;
	u32 p = pattern_index(b, site_index(b, ins, s), s, address);
	if (p == UINT32_MAX) {
		w->cut = true;
		return;
	}
	b->d->patterns.v[p].seen++;
	w->uses[w->nuses++] = (DetailUse){w->nsteps ? w->nsteps - 1 : 0, p, address};
}

/* ---- wavefronts ---- */

static void add_step(DetailWave *w, u32 block, u32 mask)
{
	if (w->nsteps < MOST_STEPS)
		w->steps[w->nsteps++] = (DetailStep){block, mask};
	else
		w->cut = true;
}

static void add_wave(DetailBuilder *b, const WaveEvents *e)
{
	DetailWave w = {.group = e->group, .wave = e->wave, .lanes = e->lanes, .cut = e->recorded < e->instructions};
	w.steps = ARENA_ARRAY(b->r->arena, DetailStep, MOST_STEPS);
	w.uses = ARENA_ARRAY(b->r->arena, DetailUse, MOST_USES);
	u32 mask = mask_index(b, mask_first(e->lanes));
	for (EventWord x = {0}; w.nsteps < MOST_STEPS && event_next(e, &x);) {
		switch (x.kind) {
		case EVENT_MASK: mask = mask_index(b, x.shape->mask); break;
		case EVENT_BARRIER: add_step(&w, STEP_BARRIER, mask); break;
		case EVENT_ACCESS: add_use(b, &w, x.ins, x.shape, x.address); break;
		case EVENT_PRIVATE: break;
		default:
			if (b->in->program->blocks.v[x.block].weight)
				add_step(&w, x.block, mask);
		}
		w.cut |= w.nsteps == MOST_STEPS && x.at + 1 < e->n;
	}
	array_push(&b->d->waves, w);
}

/* Lane slots that stayed empty. */
static u64 idle_slots(const Program *p, const WaveEvents *e)
{
	u64 n = 0;
	for (EventWord x = {0}; event_next(e, &x);)
		n += x.kind == EVENT_BLOCK ? (u64)p->blocks.v[x.block].weight * (e->lanes - x.lanes) : 0;
	return n;
}

/* The first work-group whole, others from all over the launch, and the one that lost most. */
static void add_waves(DetailBuilder *b, const Events *e)
{
	u32 first = 0, most = MOST_WAVES * 3 / 4, worst = 0;
	u64 lost = 0;
	for (u32 i = 0; i < e->waves.n; i++) {
		u64 n = idle_slots(b->in->program, &e->waves.v[i]);
		worst = n > lost ? i : worst;
		lost = n > lost ? n : lost;
	}
	b->d->worst = worst;
	while (first < e->waves.n && first < most && e->waves.v[first].group == e->waves.v[0].group)
		add_wave(b, &e->waves.v[first++]);
	u32 left = e->waves.n - first, more = MOST_WAVES - first, next = first;
	more = more < left ? more : left;
	for (u32 i = 0; i < more; i++) {
		u32 last = first + (u32)((u64)(i + 1) * left / more) - 1,
		    pick = worst >= next && worst <= last ? worst : last;
		if (pick == worst)
			b->d->worst = b->d->waves.n;
		add_wave(b, &e->waves.v[pick]);
		next = last + 1;
	}
}

void result_detail_build(ResultDetail *d, const Result *r, const ResultInput *in)
{
	const Events *e = in->profile->events;
	if (!e || !e->waves.n)
		return;
	Arena *scratch = arena_new();
	u32 ins = in->program->ins.n;
	DetailBuilder b = {.d = d, .r = r, .in = in};
	b.mask_slot = ARENA_ARRAY(scratch, u32, MASK_SLOTS);
	b.site_of = ARENA_ARRAY(scratch, u32, ins + 1);
	b.first_pattern = ARENA_ARRAY(scratch, u32, ins + 1);
	b.npatterns = ARENA_ARRAY(scratch, u32, ins + 1);
	b.next_pattern = ARENA_ARRAY(scratch, u32, MOST_PATTERNS);
	b.begin = ARENA_ARRAY(scratch, u64, MOST_PATTERNS);
	d->has = true;
	d->banks = in->lds->banks;
	add_blocks(&b);
	add_waves(&b, e);
	array_free(&b.mask_next);
	arena_free(scratch);
}

void result_detail_free(ResultDetail *d)
{
	array_free(&d->runs);
	array_free(&d->masks);
	array_free(&d->sites);
	array_free(&d->patterns);
	array_free(&d->waves);
}
