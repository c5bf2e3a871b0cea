/* Races: see check.h. */
#include "sim/check.h"
#include "sim/check_screen.h"

#include "base/hash.h"

enum {
	LANE_BITS = 7,
	EVENT_BITS = 23,
	MOST_EVENTS = 1 << EVENT_BITS, /* of a worker and a memory: 128 MiB */
	PAGE_SHIFT = 12,
	PAGE_BYTES = 1 << PAGE_SHIFT,
	MOST_AGREED = 1 << 20, /* of a work-group between two barriers: 24 MiB */
};
#define ITEM_MASK ((1u << (LANE_BITS + EVENT_BITS)) - 1)
/* Of a reader's word: there are readers of other work-items since the barrier, or of other work-groups; one of them is
 * in the other word, rather of another work-group. */
#define MANY_ITEMS (1u << 30)
#define MANY_GROUPS (1u << 31)

typedef struct RaceEvent {
	u32 group, epoch;
	u32 released; /* releases of the work-group before it */
	u32 access : 20, wave : 12;
} RaceEvent;

/* Of these a place may have two of one kind; the second follows the first. */
typedef enum { WRITER, WRITER_2, READER, READER_2, ATOMIC, ATOMIC_2, BEFORE, ROOT, WORDS } RaceWord;

/* Races that change nothing (RACE_same_value): which writes wrote the value v that is there, and is it known that a
 * work-item finds v there whatever the order is? The writers of a place are all that wrote v since the last of them that
 * nothing but v came after; who writes another value, or comes after all of them, takes their place. Of those that
 * wrote the value before v (BEFORE) none may be unordered with who writes or reads v. Besides, who reads v needs a write
 * of v that is ordered before it: one that was before the writers (ROOT), one of them, its own (RaceCheck.agreed); or v
 * was there when the launch began. */
#define ROOT_INITIAL (1u << 30) /* nothing but v was there since the launch began */
#define ROOT_STALE (1u << 31)   /* readers that are noted may have read another value than v */
#define ROOT_MIXED (ROOT_INITIAL | ROOT_STALE) /* atomics changed it since it was written */

typedef struct RacePage {
	u32 *word[WORDS]; /* a dword of memory each, or a byte where shift is 0; NULL: no such access yet */
	u32 shift;
} RacePage;

/* LDS as one segment, or global memory. */
typedef struct RaceMemory {
	bool lds;
	u32 epoch; /* barriers that order it, since the group began */
	RaceEvent *events; /* [0] unused */
	u32 n, room;
	u32 *last; /* [wave][access]: its last event */
	RacePage ***pages; /* by segment; NULL: none was accessed */
} RaceMemory;

/* The atomics on one place: what was released there. */
typedef struct RaceSync {
	u64 address;
	u32 *clock; /* by work-group */
	u32 last, news; /* group + 1 that was there last; its RaceCheck.news then */
} RaceSync;

/* A work-item that wrote the value that is there, since the last barrier. */
typedef struct RaceAgreed {
	u64 place;
	u32 item;
} RaceAgreed;

struct RaceCheck {
	const Worker *wk;
	RaceScreen *screen; /* it only looks whether there may be any: of the rest there is nothing but `tracked` */
	bool *tracked; /* by segment: may be written */
	u64 suspects;  /* race_suspect(): where to look */
	RaceMemory lds, global;
	bool sync, incomplete;
	u64 bytes, most_bytes;
	HashIndex agreed_index; /* of agreed, by all of it */
	ARRAY(RaceAgreed) agreed;
	/* Of kernels that synchronise with atomics. */
	u32 *acquired;  /* by work-group: how many of its releases this one has acquired */
	u32 released;   /* of this one */
	u32 news;       /* changes of acquired … */
	u32 *synced;    /* by work-item: global epoch + 1 of its last atomic */
	HashIndex sync_index; /* of syncs, by address */
	ARRAY(RaceSync) syncs;
};

/* One access, of one lane after the other. */
typedef struct RaceTouch {
	RaceCheck *c;
	RaceMemory *mem;
	Wave *w;
	const Access *a;
	const WaveAccess *x; /* NULL: of one lane, which stores value */
	const u8 *value;
	const u8 *own;  /* what the lane stores, from its first byte on; NULL: it stores nothing */
	bool raced;     /* some place did */
	bool same;      /* a store: that is there already, and somebody may rely on it */
	u64 start;  /* where the lane's access begins */
	u32 bytes;  /* of a lane */
	AccessKind kind;
	u32 seg, event, group, epoch, wave;
	u32 before, meanwhile; /* events: one before the last barrier; a reader's since then. 0: none is known */
} RaceTouch;

/* ---- room ---- */

bool sim_synchronises(const Program *p)
{
	for (u32 i = 0; i < p->ins.n; i++)
		if (p->ins.v[i].op == OP_fence || p->ins.v[i].sync == SYNC_ORDERED)
			return true;
	return false;
}

u64 race_suspects(const RaceCheck *c) { return c->screen ? screen_seen(c->screen) : 0; }
bool race_incomplete(const RaceCheck *c) { return c->incomplete; }

bool race_crowded(const Worker *workers, u32 n)
{
	u64 bytes = 0, events = 0, most = workers->races->most_bytes;
	bool incomplete = false;
	for (u32 i = 0; i < n; i++) {
		const RaceCheck *c = workers[i].races;
		bytes += c->bytes;
		events += c->global.n;
		incomplete |= c->incomplete;
	}
	/* Half of the bytes: of a page that one worker has by bytes and another by more kinds of accesses, one alone
	 * has all kinds by bytes. */
	return incomplete || bytes > most / 2 || events > MOST_EVENTS;
}

/* Something has to be left out. Workers side by side go no further. */
static void full(RaceCheck *c)
{
	c->incomplete = true;
	if (c->wk->m->sets)
		__atomic_store_n(&c->wk->m->attempt->spent, true, __ATOMIC_RELAXED);
}

static bool fits(RaceCheck *c, size_t bytes)
{
	if (c->bytes + bytes <= c->most_bytes)
		return true;
	full(c);
	return false;
}

static void *room(RaceCheck *c, size_t n, size_t size)
{
	if (!fits(c, n * size))
		return NULL;
	c->bytes += n * size;
	return xcalloc(n, size);
}

static void memory_new(RaceMemory *mem, const Machine *m, bool lds)
{
	mem->lds = lds;
	mem->last = xcalloc((size_t)m->waves_per_group * m->code->accesses.n + 1, sizeof *mem->last);
	mem->pages = xcalloc(lds ? 1 : m->nsegs + 1, sizeof *mem->pages);
	mem->n = 1;
}

static u64 pages_of(const RaceMemory *mem, const Machine *m, u32 seg)
{
	return ((mem->lds ? m->lds_bytes : m->segs[seg].size) + PAGE_BYTES - 1) >> PAGE_SHIFT;
}

static void memory_free(RaceMemory *mem, const Machine *m)
{
	for (u32 s = 0; s < (mem->lds ? 1 : m->nsegs); s++)
		for (u64 i = 0; mem->pages[s] && i < pages_of(mem, m, s); i++)
			if (mem->pages[s][i]) {
				for (u32 k = 0; k < WORDS; k++)
					free(mem->pages[s][i]->word[k]);
				free(mem->pages[s][i]);
			}
	for (u32 s = 0; s < (mem->lds ? 1 : m->nsegs); s++)
		free(mem->pages[s]);
	free(mem->pages);
	free(mem->events);
	free(mem->last);
}

RaceCheck *race_new(const Worker *wk)
{
	const Machine *m = wk->m;
	Arena *a = arena_new();
	RaceCheck *c = xcalloc(1, sizeof *c);
	c->wk = wk;
	c->most_bytes = m->cfg->check.memory ? m->cfg->check.memory : (u64)2 << 30;
	c->sync = sim_synchronises(m->p);
	c->suspects = m->cfg->check.suspects ? m->cfg->check.suspects : ~(u64)0;
	c->tracked = xcalloc(m->nsegs + 1, sizeof *c->tracked);
	memcpy(c->tracked, stored_segs(m, a), m->nsegs * sizeof *c->tracked);
	arena_free(a);
	if (m->cfg->check.screen) {
		c->screen = screen_new(wk, c->tracked, c->most_bytes);
		return c;
	}
	memory_new(&c->lds, m, true);
	memory_new(&c->global, m, false);
	if (c->sync) {
		c->acquired = xcalloc(m->ngroups + 1, sizeof *c->acquired);
		c->synced = xcalloc((size_t)m->waves_per_group * MAX_WAVE, sizeof *c->synced);
	}
	return c;
}

void race_free(RaceCheck *c)
{
	if (!c)
		return;
	screen_free(c->screen);
	if (!c->screen) {
		memory_free(&c->lds, c->wk->m);
		memory_free(&c->global, c->wk->m);
	}
	for (u32 i = 0; i < c->syncs.n; i++)
		free(c->syncs.v[i].clock);
	array_free(&c->syncs);
	array_free(&c->agreed);
	hash_index_free(&c->agreed_index);
	hash_index_free(&c->sync_index);
	free(c->tracked);
	free(c->acquired);
	free(c->synced);
	free(c);
}

static void forget_agreed(RaceCheck *c)
{
	if (c->agreed.n)
		memset(c->agreed_index.slot, 0, c->agreed_index.slots * sizeof *c->agreed_index.slot);
	c->agreed_index.n = 0;
	c->agreed.n = 0;
}

void race_group_start(RaceCheck *c)
{
	const Machine *m = c->wk->m;
	forget_agreed(c);
	if (c->screen) {
		screen_group_start(c->screen);
		return;
	}
	c->global.epoch = c->lds.epoch = 0;
	for (u64 i = 0; c->lds.pages[0] && i < pages_of(&c->lds, m, 0); i++)
		for (u32 k = 0; c->lds.pages[0][i] && k < WORDS; k++)
			if (c->lds.pages[0][i]->word[k])
				memset(c->lds.pages[0][i]->word[k], 0,
				       (size_t)PAGE_BYTES >> c->lds.pages[0][i]->shift << 2);
	memset(c->lds.last, 0, (size_t)m->waves_per_group * m->code->accesses.n * sizeof *c->lds.last);
	c->lds.n = 1;
	if (c->sync) {
		memset(c->acquired, 0, m->ngroups * sizeof *c->acquired);
		memset(c->synced, 0, (size_t)m->waves_per_group * MAX_WAVE * sizeof *c->synced);
		c->released = 0;
		c->news++;
	}
}

void race_barrier(RaceCheck *c, u32 flags)
{
	if (c->screen)
		screen_barrier(c->screen, flags);
	forget_agreed(c);
	c->lds.epoch += !flags || (flags & FENCE_LDS);
	c->global.epoch += !flags || (flags & FENCE_GLOBAL);
}

/* What this instruction of this wavefront does now; 0: there is no more room. */
static u32 event_of(RaceCheck *c, RaceMemory *mem, const Wave *w, const Access *a)
{
	u32 *last = &mem->last[w->index * w->code->accesses.n + a->index];
	const RaceEvent *e = &mem->events[*last];
	u32 group = (u32)w->group->linear;
	if (*last && e->group == group && e->epoch == mem->epoch && e->released == c->released)
		return *last;
	if (mem->n == MOST_EVENTS) {
		full(c);
		return 0;
	}
	if (mem->n >= mem->room) {
		mem->room = mem->room ? mem->room * 2 : 256;
		mem->events = xrealloc(mem->events, mem->room * sizeof *mem->events);
	}
	mem->events[mem->n] = (RaceEvent){group, mem->epoch, c->released, a->index & 0xFFFFF, w->index & 0xFFF};
	return *last = mem->n++;
}

static u32 *words(RaceCheck *c, RacePage *p, RaceWord k)
{
	if (!p->word[k])
		p->word[k] = room(c, PAGE_BYTES >> p->shift, sizeof(u32));
	return p->word[k];
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
		u32 *to = p->word[k] = room(c, PAGE_BYTES, sizeof *to);
		for (u32 i = 0; i < PAGE_BYTES; i++)
			to[i] = from[i >> 2];
		free(from);
		c->bytes -= (PAGE_BYTES >> p->shift) * sizeof *from;
	}
	p->shift = 0;
	return true;
}

/* The page of a place, that tells bytes apart if need be; NULL: no room. */
static RacePage *page_at(RaceCheck *c, RaceMemory *mem, u32 seg, u64 at, bool bytes)
{
	RacePage ***pages = &mem->pages[seg];
	if (UNLIKELY(!*pages) && !(*pages = room(c, pages_of(mem, c->wk->m, seg), sizeof **pages)))
		return NULL;
	RacePage **slot = &(*pages)[at >> PAGE_SHIFT], *p = *slot;
	if (UNLIKELY(!p)) {
		p = xcalloc(1, sizeof *p);
		p->shift = bytes ? 0 : 2;
		if (!words(c, p, WRITER) || !words(c, p, READER)) {
			free(p->word[WRITER]);
			free(p);
			return NULL;
		}
		*slot = p;
	}
	return p->shift && bytes && !split_page(c, p) ? NULL : p;
}

/* ---- saying so ---- */

static const RaceEvent *event(const RaceTouch *t, u32 word) { return &t->mem->events[(word & ITEM_MASK) >> LANE_BITS]; }
static u32 lane_of(u32 word) { return word & ((1u << LANE_BITS) - 1); }

/* What a lane stores, from its first byte on; NULL: it is not known. */
static const u8 *stored(const RaceTouch *t, u32 lane, u8 *room_for)
{
	const Access *a = t->a;
	if (!t->x)
		return t->value;
	if (a->n == 1)
		return t->w->r + a->data[0] + (a->data_scalar[0] ? 0 : lane * a->elem_bytes);
	for (u32 i = 0; i < a->n; i++)
		memcpy(room_for + i * a->elem_bytes,
		       t->w->r + a->data[i] + (a->data_scalar[i] ? 0 : lane * a->elem_bytes), a->elem_bytes);
	return room_for;
}

static const u8 *memory(const RaceTouch *t, u64 at)
{
	return t->mem->lds ? t->w->group->lds + at : t->w->worker->m->segs[t->seg].data + at;
}

/* Did the lane write the place in this very execution of a store by all lanes? */
static bool just_now(const RaceTouch *t, u32 word, u32 lane, u64 at)
{
	u32 other = lane_of(word);
	if (!t->x || (word & ITEM_MASK) >> LANE_BITS != t->event || other >= lane || !(t->x->mask & mask_lane(other)))
		return false;
	u64 start = access_at(t->x, other) - (t->mem->lds ? 0 : (u64)t->seg << SEG_SHIFT);
	return start <= at && at < start + t->x->bytes;
}

static u8 type_of(const Program *p, u32 ins)
{
	const Ins *i = &p->ins.v[ins];
	bool loads = i->op == OP_ld;
	return i->op == OP_ld || i->op == OP_st || i->op == OP_atomic || i->op == OP_cas
	               ? p->regs.v[loads ? ins_dst(p, i)[0] : ins_src(p, i)[1]].type : T_i32;
}

/* ---- order ---- */

/* Does nothing order the access of word before this one? */
static bool meets(const RaceTouch *t, u32 word, u32 lane)
{
	const RaceEvent *e = event(t, word);
	const RaceCheck *c = t->c;
	if (e->group != t->group)
		return !c->sync || c->acquired[e->group] <= e->released;
	if (e->epoch != t->epoch || (e->wave == t->wave && lane_of(word) == lane))
		return false;
	if (!c->sync)
		return true;
	/* Atomics of both since the barrier may be a lock, or a flag. */
	u32 now = c->global.epoch + 1;
	return c->synced[e->wave * MAX_WAVE + lane_of(word)] != now || c->synced[t->wave * MAX_WAVE + lane] != now;
}

/* The bytes at a place before this lane: its memory, or what a lane of the same store put there, which wrote it last. */
static const u8 *there_now(const RaceTouch *t, u32 writer, u32 lane, u64 at, u8 *room_for)
{
	u32 other = lane_of(writer);
	if (!writer || !just_now(t, writer, lane, at))
		return memory(t, at);
	return stored(t, other, room_for) +
	       (at - (access_at(t->x, other) - (t->mem->lds ? 0 : (u64)t->seg << SEG_SHIFT)));
}

/* same: it changes nothing. changed: another value was there since the other one's. kind: what that did. */
static NO_INLINE void report(RaceTouch *t, const RacePage *p, u64 at, u32 lane, u32 word, AccessKind kind, bool same,
                             bool changed)
{
	const Program *program = t->w->code->p;
	const RaceEvent *e = event(t, word);
	const Access *a = &t->w->code->accesses.v[e->access];
	u32 other = lane_of(word), eb = t->a->elem_bytes ? t->a->elem_bytes : 4;
	RaceClass race = e->group != t->group ? RACE_groups : e->wave != t->wave ? RACE_waves : RACE_lanes;
	race = same ? RACE_same_value : race;
	Finding *f = finding_race(t->w, race, t->a->ins, lane, a->ins);
	if (f->count > 1)
		return;
	Buf place = {0};
	place_print(t->w->code, t->w->worker->m, t->mem->lds ? SPACE_LDS : SPACE_GLOBAL, t->seg, at, eb, &place);
	f->detail = place.v;
	f->space = t->mem->lds ? SPACE_LDS : SPACE_GLOBAL;
	f->address = t->mem->lds ? at : (u64)t->seg << SEG_SHIFT | at;
	f->bytes = t->bytes;
	f->write = t->kind != ACCESS_LOAD;
	f->own = (FindingAccess){
	    .ins = t->a->ins, .write = f->write, .atomic = t->kind == ACCESS_ATOMIC, .type = type_of(program, t->a->ins)};
	f->own.cas = program->ins.v[t->a->ins].op == OP_cas;
	f->other = (FindingAccess){.ins = a->ins, .write = kind != ACCESS_LOAD, .atomic = kind == ACCESS_ATOMIC,
	                           .cas = program->ins.v[a->ins].op == OP_cas,
	                           .group = e->group, .wave = e->wave, .lane = other, .type = f->own.type};
	finding_other(t->w, &f->other);
	/* What the other one left, or saw, is there still, if nothing else was; shown are whole elements. */
	u8 before[LARGEST_ACCESS];
	u32 writer = p->word[WRITER][(u32)(at & (PAGE_BYTES - 1)) >> p->shift];
	const u8 *there = there_now(t, kind == ACCESS_STORE ? writer : 0, lane, at, before);
	u64 inside = at - t->start, head = inside % eb;
	if (!t->a->bytes || eb > 8)
		return;
	f->own.has_value = t->kind != ACCESS_ATOMIC && (t->kind == ACCESS_LOAD || t->own);
	f->other.has_value = kind != ACCESS_ATOMIC && !changed;
	memcpy(&f->own.value, t->own ? t->own + inside - head : memory(t, at) - head, eb);
	memcpy(&f->other.value, there - head, eb);
}

/* ---- races that change nothing ---- */

static bool same_item(const RaceTouch *t, u32 word, u32 lane)
{
	const RaceEvent *e = event(t, word);
	return e->group == t->group && e->epoch == t->epoch && e->wave == t->wave && lane_of(word) == lane;
}

/* Are all of a word ordered before this access, even those that have no word of their own? */
static bool all_before(const RaceTouch *t, u32 word, u32 lane)
{
	if (!word)
		return true;
	const RaceEvent *e = event(t, word);
	if ((word & MANY_GROUPS) || ((word & MANY_ITEMS) && e->group == t->group && e->epoch == t->epoch))
		return false;
	return !meets(t, word, lane);
}

static u32 root_of(const RacePage *p, u32 i) { return p->word[ROOT] ? p->word[ROOT][i] : 0; }

static void set_root(RaceTouch *t, RacePage *p, u32 i, u32 root)
{
	if (p->word[ROOT] || (root && words(t->c, p, ROOT)))
		p->word[ROOT][i] = root;
}

/* A writer of the value that is there, before the others. The oldest serves best. */
static void root_at(RaceTouch *t, RacePage *p, u32 i, u32 lane, u32 word)
{
	u32 root = root_of(p, i), item = root & ITEM_MASK;
	if (root & ROOT_INITIAL)
		return;
	if (!item || meets(t, item, lane))
		set_root(t, p, i, (root & ROOT_STALE) | (word & ITEM_MASK));
}

static u64 place_key(const RaceTouch *t, u64 at)
{
	return t->mem->lds ? ~at : (u64)t->seg << SEG_SHIFT | at;
}

static bool agreed(const RaceTouch *t, u64 at, u32 wave, u32 lane, u64 *hash)
{
	const RaceCheck *c = t->c;
	u64 place = place_key(t, at);
	u32 item = wave * MAX_WAVE + lane;
	*hash = hash_mix((place + item * 0x2545F4914F6CDD1Du) * 0x9E3779B97F4A7C15u);
	for (u32 n = 0, i; hash_index_next(&c->agreed_index, *hash, &n, &i);)
		if (c->agreed.v[i].place == place && c->agreed.v[i].item == item)
			return true;
	return false;
}

static void agree(RaceTouch *t, u64 at, u32 wave, u32 lane)
{
	RaceCheck *c = t->c;
	u64 hash;
	/* What there is no room for, is taken for a race that matters. */
	if (c->agreed.n == MOST_AGREED || agreed(t, at, wave, lane, &hash))
		return;
	hash_index_add(&c->agreed_index, hash, c->agreed.n);
	array_push(&c->agreed, ((RaceAgreed){place_key(t, at), wave * MAX_WAVE + lane}));
}

/* Is a write of the value that is there ordered before this read? */
static bool finds_it(const RaceTouch *t, const RacePage *p, u32 i, u64 at, u32 lane)
{
	u32 root = root_of(p, i), writer = p->word[WRITER][i], second = p->word[WRITER_2] ? p->word[WRITER_2][i] : 0;
	u64 hash;
	if (root & ROOT_INITIAL)
		return true;
	if (!(writer & (MANY_ITEMS | MANY_GROUPS)))
		second = 0;
	return ((root & ITEM_MASK) && !meets(t, root, lane)) || !meets(t, writer, lane) ||
	       (second && !meets(t, second, lane)) || (t->c->agreed.n && agreed(t, at, t->wave, lane, &hash));
}

/* Nothing orders it and the access of word. */
static NO_INLINE void race_with(RaceTouch *t, RacePage *p, u32 i, u64 at, u32 lane, u32 word, AccessKind kind)
{
	u32 root = root_of(p, i), before = p->word[BEFORE] ? p->word[BEFORE][i] : 0;
	bool mixed = (root & ROOT_MIXED) == ROOT_MIXED, same = false, changed = false;
	if (kind == ACCESS_LOAD)
		same = t->kind == ACCESS_STORE && t->same && !(root & ROOT_STALE);
	else if (kind == ACCESS_STORE && t->kind != ACCESS_ATOMIC)
		same = t->kind == ACCESS_STORE ? t->same : !mixed && finds_it(t, p, i, at, lane);
	if (same && kind == ACCESS_STORE && !all_before(t, before, lane)) {
		/* It is the other value before that may be written later, or read. */
		changed = true;
		same = false;
		word = meets(t, before, lane) ? before : word;
	}
	t->raced = true;
	report(t, p, at, lane, word, kind, same, changed);
}

/* An access of kind by those of two words: does nothing order it and one of them? */
static bool against(RaceTouch *t, RacePage *p, u32 i, u64 at, u32 lane, RaceWord k, AccessKind kind)
{
	u32 word = p->word[k] ? p->word[k][i] : 0;
	if (!word)
		return false;
	if (!meets(t, word, lane)) {
		u32 other = p->word[k + 1] ? p->word[k + 1][i] : 0;
		if (!(word & (MANY_ITEMS | MANY_GROUPS)) || !other || !meets(t, other, lane))
			return false;
		word = other;
	}
	race_with(t, p, i, at, lane, word, kind);
	return true;
}

/* One more of a kind. Returns true when those before it in the work-group were before a barrier. */
static bool join(RaceTouch *t, RacePage *p, u32 i, u32 lane, RaceWord k)
{
	u32 *word = words(t->c, p, k), item = t->event << LANE_BITS | lane, was;
	if (!word)
		return false;
	was = word[i];
	const RaceEvent *e = event(t, was);
	if (was && same_item(t, was, lane))
		return false;
	if (!was) {
		word[i] = item;
	} else if (e->group != t->group) {
		word[i] = item | MANY_GROUPS;
		if (words(t->c, p, k + 1))
			p->word[k + 1][i] = was & ITEM_MASK;
		return false;
	} else if (e->epoch != t->epoch) {
		word[i] = item | (was & MANY_GROUPS);
	} else {
		word[i] = was | MANY_ITEMS;
		if (!(was & MANY_GROUPS) && words(t->c, p, k + 1))
			p->word[k + 1][i] = item;
		return false;
	}
	return true;
}

static void join_reader(RaceTouch *t, RacePage *p, u32 i, u32 lane)
{
	u32 root;
	if (join(t, p, i, lane, READER) && !(p->word[READER][i] & MANY_GROUPS) && p->word[ROOT] &&
	    !((root = p->word[ROOT][i]) & ROOT_INITIAL))
		p->word[ROOT][i] = root & ~ROOT_STALE;
}

/* It writes. raced: nothing orders it and who did before. */
static void join_writer(RaceTouch *t, RacePage *p, u32 i, u64 at, u32 lane, bool raced)
{
	u32 was = p->word[WRITER][i];
	const RaceEvent *e = event(t, was);
	if (t->same && was && e->group == t->group && e->epoch != t->epoch)
		root_at(t, p, i, lane, was);
	if (t->same && raced) {
		if (e->group == t->group && e->epoch == t->epoch)
			agree(t, at, e->wave, lane_of(was));
		agree(t, at, t->wave, lane);
		join(t, p, i, lane, WRITER);
		return;
	}
	if (t->same) {
		if (!was)
			set_root(t, p, i, ROOT_INITIAL);
	} else {
		if (was && words(t->c, p, BEFORE))
			p->word[BEFORE][i] = was;
		set_root(t, p, i, p->word[READER][i] ? ROOT_STALE : 0);
	}
	p->word[WRITER][i] = t->event << LANE_BITS | lane;
}

/* Is it there already? What was in local memory first, and what atomics left, counts as another value. */
static bool is_there(const RaceTouch *t, const RacePage *p, u32 i, u64 at, u32 lane)
{
	u32 writer = p->word[WRITER][i], inside = (u32)(at - t->start), bytes = t->bytes - inside;
	u8 before[LARGEST_ACCESS];
	if (!t->own || (!writer && (t->mem->lds || (p->word[ATOMIC] && p->word[ATOMIC][i]))))
		return false;
	bytes = bytes < 1u << p->shift ? bytes : 1u << p->shift;
	return !memcmp(t->own + inside, there_now(t, writer, lane, at, before), bytes);
}

/* One place, by one lane. */
static void touch(RaceTouch *t, RacePage *p, u32 i, u64 at, u32 lane)
{
	t->same = t->kind == ACCESS_STORE && is_there(t, p, i, at, lane);
	bool raced = against(t, p, i, at, lane, WRITER, ACCESS_STORE);
	if (t->kind != ACCESS_ATOMIC)
		against(t, p, i, at, lane, ATOMIC, ACCESS_ATOMIC);
	if (t->kind != ACCESS_LOAD)
		against(t, p, i, at, lane, READER, ACCESS_LOAD);
	if (t->kind == ACCESS_STORE) {
		join_writer(t, p, i, at, lane, raced);
	} else if (t->kind == ACCESS_LOAD) {
		join_reader(t, p, i, lane);
	} else {
		join(t, p, i, lane, ATOMIC);
		if (p->word[WRITER][i])
			set_root(t, p, i, ROOT_MIXED);
	}
}

/* All places of a lane. */
static void touch_lane(RaceTouch *t, u64 at, u32 bytes, u32 lane)
{
	bool odd = (at | bytes) & 3;
	u8 value[LARGEST_ACCESS];
	t->start = at;
	t->bytes = bytes;
	t->own = t->kind == ACCESS_STORE ? stored(t, lane, value) : NULL;
	for (u64 end = at + bytes; at < end;) {
		RacePage *p = page_at(t->c, t->mem, t->seg, at, odd);
		if (!p)
			return;
		u32 step = 1u << p->shift;
		for (u64 stop = (at | (PAGE_BYTES - 1)) + 1 < end ? (at | (PAGE_BYTES - 1)) + 1 : end; at < stop;
		     at += step)
			touch(t, p, (u32)(at & (PAGE_BYTES - 1)) >> p->shift, at, lane);
	}
}

/* ---- many lanes at once ---- */

/* Are the n words those of consecutive lanes, or all nothing? */
static FORCE_INLINE bool consecutive(const u32 *w, u32 n)
{
	u32 bad = 0, step = w[0] ? 1 : 0;
	for (u32 k = 0; k < n; k++)
		bad |= w[k] ^ (w[0] + k * step);
	return !bad;
}

static FORCE_INLINE void fill(u32 *w, u32 first, u32 n)
{
	for (u32 k = 0; k < n; k++)
		w[k] = first + k;
}

/* Words of n places that are written, where nothing races: see join_writer(). value: what is written there. */
static FORCE_INLINE bool write_run(RaceTouch *t, RacePage *p, u32 i, u32 n, u32 item, u64 at, const u8 *value)
{
	u32 *w = p->word[WRITER] + i, *r = p->word[READER] + i, was = w[0], stale = r[0] ? ROOT_STALE : 0;
	bool same[1u << LANE_BITS], lds = t->mem->lds, older;
	u32 some = 0;
	const u8 *there = memory(t, at);
	for (u32 k = 0; k < n; k++) {
		same[k] = (was || !lds) && !memcmp(there + k * 4, value + k * 4, 4);
		some += same[k];
	}
	if (was && some < n && !words(t->c, p, BEFORE))
		return false;
	for (u32 k = 0; was && some < n && k < n; k++)
		p->word[BEFORE][i + k] = same[k] ? p->word[BEFORE][i + k] : w[k];
	older = was && event(t, was)->group == t->group && event(t, was)->epoch != t->epoch;
	if (!p->word[ROOT] && (stale || (some && (!was || older))) && !words(t->c, p, ROOT))
		return false;
	for (u32 k = 0; p->word[ROOT] && k < n; k++) {
		u32 *root = &p->word[ROOT][i + k];
		if (!same[k])
			*root = stale;
		else if (!was)
			*root = ROOT_INITIAL;
		else if (older && !(*root & (ROOT_INITIAL | ITEM_MASK)))
			*root |= w[k] & ITEM_MASK;
	}
	if (was != item)
		fill(w, item, n);
	return true;
}

/* A dword each of n consecutive lanes, in one page: done, where what was there is of consecutive lanes, too, and no
 * race. */
static FORCE_INLINE bool touch_run(RaceTouch *t, RacePage *p, u32 i, u32 n, u32 lane, u64 at, const u8 *value)
{
	u32 *w = p->word[WRITER] + i, *r = p->word[READER] + i, item = t->event << LANE_BITS | lane;
	if (p->word[ATOMIC] || t->kind == ACCESS_ATOMIC || lane + n > 1u << LANE_BITS || !consecutive(w, n) ||
	    !consecutive(r, n) || (w[0] & (MANY_ITEMS | MANY_GROUPS)))
		return false;
	if (w[0] && w[0] != item && meets(t, w[0], lane))
		return false;
	bool many = r[0] & (MANY_ITEMS | MANY_GROUPS);
	const RaceEvent *e = event(t, r[0]);
	if (t->kind == ACCESS_STORE) {
		u32 *o = many && p->word[READER_2] ? p->word[READER_2] + i : NULL;
		if (!value || (r[0] && (meets(t, r[0], lane) ||
		                        (o && (!consecutive(o, n) || (o[0] && meets(t, o[0], lane)))))))
			return false;
		return write_run(t, p, i, n, item, at, value);
	}
	if (!r[0] || (e->group == t->group && e->epoch != t->epoch)) {
		u32 *root = p->word[ROOT];
		for (u32 k = i; root && !(r[0] & MANY_GROUPS) && k < i + n; k++)
			root[k] &= root[k] & ROOT_INITIAL ? ~0u : ~ROOT_STALE;
		fill(r, item | (r[0] & MANY_GROUPS), n);
	} else if (e->group != t->group) {
		return false;
	} else if ((e->wave != t->wave || lane_of(r[0]) != lane) && !(r[0] & MANY_ITEMS)) {
		fill(r, r[0] | MANY_ITEMS, n);
		if (!(r[0] & MANY_GROUPS) && words(t->c, p, READER_2))
			fill(p->word[READER_2] + i, item, n);
	}
	return true;
}

/* Does one more reader change nothing: the last write was before a barrier, and readers of several work-items are
 * noted? */
static FORCE_INLINE bool settled(RaceTouch *t, const RacePage *p, u32 i)
{
	u32 w = p->word[WRITER][i], r = p->word[READER][i], writer = w >> LANE_BITS,
	    reader = (r & ITEM_MASK) >> LANE_BITS;
	if (!(r & MANY_ITEMS))
		return false;
	if (w && writer != t->before) {
		if ((w & MANY_GROUPS) || event(t, w)->group != t->group || event(t, w)->epoch == t->epoch)
			return false;
		t->before = writer;
	}
	if (reader != t->meanwhile) {
		if (event(t, r)->group != t->group || event(t, r)->epoch != t->epoch)
			return false;
		t->meanwhile = reader;
	}
	return true;
}

static void touch_lanes(RaceTouch *t, const WaveAccess *x, u64 base)
{
	bool dwords = t->kind == ACCESS_LOAD && x->bytes == 4 && !((x->first | x->p->bits) & 3);
	for (Mask m = x->mask; m; m = mask_drop(m)) {
		u64 at = access_at(x, mask_lowest(m)) - base;
		const RacePage *p = dwords && t->mem->pages[t->seg] ? t->mem->pages[t->seg][at >> PAGE_SHIFT] : NULL;
		if (!p || p->shift != 2 || p->word[ATOMIC] || !settled(t, p, (u32)(at & (PAGE_BYTES - 1)) >> 2))
			touch_lane(t, at, x->bytes, mask_lowest(m));
	}
}

static void touch_dwords(RaceTouch *t, const WaveAccess *x, u64 at)
{
	const Access *a = x->a;
	u32 lane = x->p->first;
	bool row = t->kind == ACCESS_STORE && a->n == 1 && a->elem_bytes == 4 && !a->data_scalar[0];
	for (u32 left = x->lanes, n; left; left -= n, lane += n, at += n * 4) {
		u32 i = (u32)(at & (PAGE_BYTES - 1)) >> 2;
		n = PAGE_BYTES / 4 - i < left ? PAGE_BYTES / 4 - i : left;
		RacePage *p = page_at(t->c, t->mem, t->seg, at, false);
		if (!p)
			return;
		if (p->shift == 2 && touch_run(t, p, i, n, lane, at, row ? t->w->r + a->data[0] + lane * 4 : NULL))
			continue;
		for (u32 k = 0; k < n; k++)
			touch_lane(t, at + k * 4, 4, lane + k);
	}
}

/* One place for all lanes: of readers the first two matter, unless they race: others may not find what those find. */
static void touch_same(RaceTouch *t, const WaveAccess *x, u64 at)
{
	u32 n = 0;
	for (Mask m = x->mask; m && (n < 2 || t->kind != ACCESS_LOAD || t->raced); m = mask_drop(m), n++)
		touch_lane(t, at, x->bytes, mask_lowest(m));
}

/* What a race could be with; else false. *kind: as what it counts. */
static FORCE_INLINE bool watched(RaceCheck *c, const Wave *w, const Access *a, AccessKind *kind, bool lds, u32 seg)
{
	u8 sync = w->code->p->ins.v[a->ins].sync;
	if (!lds && !c->tracked[seg] && *kind == ACCESS_LOAD)
		return false;
	c->tracked[seg] |= !lds;
	/* Where a kernel has fences, volatile accesses are its atomics. */
	if (sync == SYNC_ATOMIC || sync == SYNC_ORDERED || (sync == SYNC_VOLATILE && c->sync))
		*kind = ACCESS_ATOMIC;
	return true;
}

static bool touch_new(RaceTouch *t, Wave *w, const Access *a, AccessKind kind, bool lds, u32 seg)
{
	RaceCheck *c = w->worker->races;
	*t = (RaceTouch){.c = c, .mem = lds ? &c->lds : &c->global, .w = w, .a = a, .kind = kind, .seg = seg,
	                 .group = (u32)w->group->linear, .wave = w->index};
	t->epoch = t->mem->epoch;
	t->event = event_of(c, t->mem, w, a);
	return t->event;
}

static void synchronise(RaceTouch *t, u64 address, u32 lane);

void race_access(Wave *w, const WaveAccess *x)
{
	RaceTouch t;
	RaceCheck *c = w->worker->races;
	AccessKind kind = (AccessKind)x->kind;
	u32 seg = x->lds ? 0 : (u32)(x->first >> SEG_SHIFT);
	if (x->at || x->lds_at || !watched(c, w, x->a, &kind, x->lds, seg))
		return; /* lane by lane: where the bytes move (memory_slow.c) */
	if (c->screen) {
		screen_access(c->screen, w, x, kind, seg);
		return;
	}
	bool orders = kind == ACCESS_ATOMIC && c->sync, look = c->suspects & race_suspect(x->lds, seg);
	if ((!look && !orders) || !touch_new(&t, w, x->a, kind, x->lds, seg))
		return;
	u64 base = x->lds ? 0 : (u64)seg << SEG_SHIFT;
	t.x = x;
	for (Mask m = orders ? x->mask : 0; m; m = mask_drop(m))
		synchronise(&t, access_at(x, mask_lowest(m)), mask_lowest(m));
	if (!look)
		return;
	if (!x->p || x->p->shape == SHAPE_SAME)
		touch_same(&t, x, x->first - base);
	else if (x->p->shape == SHAPE_RUN && x->p->solid && x->bytes == 4 && !(x->first & 3))
		touch_dwords(&t, x, x->first - base);
	else
		touch_lanes(&t, x, base);
}

void race_lane(Wave *w, const Access *a, AccessKind kind, const Place *p, u32 lane, u32 bytes, const void *value)
{
	RaceTouch t;
	RaceCheck *c = w->worker->races;
	bool lds = p->space == SPACE_LDS;
	u32 seg = lds ? 0 : (u32)(p->address >> SEG_SHIFT);
	u64 at = lds ? (u64)(p->bytes - w->group->lds) : p->address - ((u64)seg << SEG_SHIFT);
	if (p->space == SPACE_PRIVATE || !watched(c, w, a, &kind, lds, seg))
		return;
	if (c->screen) {
		screen_lane(c->screen, w, kind, lds, seg, at, lane, bytes);
		return;
	}
	bool orders = kind == ACCESS_ATOMIC && c->sync, look = c->suspects & race_suspect(lds, seg);
	if ((!look && !orders) || !touch_new(&t, w, a, kind, lds, seg))
		return;
	t.value = value;
	if (orders)
		synchronise(&t, lds ? at : p->address, lane);
	if (look)
		touch_lane(&t, at, bytes, lane);
}

/* ---- atomics that order ---- */

static RaceSync *sync_at(RaceCheck *c, u64 address)
{
	u64 hash = hash_mix(address * 0x9E3779B97F4A7C15u);
	for (u32 at = 0, i; hash_index_next(&c->sync_index, hash, &at, &i);)
		if (c->syncs.v[i].address == address)
			return &c->syncs.v[i];
	u32 *clock = room(c, c->wk->m->ngroups, sizeof *clock);
	if (!clock)
		return NULL;
	hash_index_add(&c->sync_index, hash, c->syncs.n);
	array_push(&c->syncs, ((RaceSync){.address = address, .clock = clock}));
	return &c->syncs.v[c->syncs.n - 1];
}

/* The work-group acquires what was released at the place, and releases what it did so far. */
static void synchronise(RaceTouch *t, u64 address, u32 lane)
{
	RaceCheck *c = t->c;
	u64 n = c->wk->m->ngroups;
	c->synced[t->wave * MAX_WAVE + lane] = c->global.epoch + 1;
	if (t->mem->lds)
		return;
	RaceSync *s = sync_at(c, address);
	if (!s)
		return;
	if (s->last != t->group + 1 || s->news != c->news)
		for (u64 i = 0; i < n; i++) {
			c->news += s->clock[i] > c->acquired[i];
			c->acquired[i] = s->clock[i] > c->acquired[i] ? s->clock[i] : c->acquired[i];
			s->clock[i] = c->acquired[i];
		}
	s->last = t->group + 1;
	s->news = c->news;
	c->acquired[t->group] = s->clock[t->group] = ++c->released;
	t->event = event_of(c, t->mem, t->w, t->a);
}
