/* The words that races are screened with (sim/check_screen.h), against a list of all accesses of each unit. */
#include "base/hash.h"
#include "sim/check_screen.h"

#include <CUnit/Basic.h>

void suite_screen(void);

enum { UNITS = 48, LANES = 16, ITEMS = 3 * LANES, ROUNDS = 3000, ACCESSES = 24,
       MOST_INTERVALS = 7 /* in 16 bits */ };

typedef struct Did {
	u32 group, interval, item;
	AccessKind kind;
} Did;

typedef struct Kit {
	const LaneKit *lanes;
	u16 w16[UNITS];
	u32 w32[UNITS];
} Kit;

typedef struct Scene {
	Kit kit[2]; /* of any host, and of this one */
	bool lds;
	u64 rng;
	u32 now, first, group, interval, ndid[UNITS];
	Did did[UNITS][ACCESSES * LANES];
} Scene;

static u32 below(Scene *s, u32 n) { return (u32)((s->rng = hash_mix(s->rng + 0x9E3779B97F4A7C15u)) >> 33) % n; }

/* Does nothing keep them apart? Groups of LDS never meet. */
static bool race(const Scene *s, const Did *a, const Did *b)
{
	if (a->kind != ACCESS_STORE && a->kind == b->kind)
		return false;
	return a->group != b->group ? !s->lds : a->interval == b->interval && a->item != b->item;
}

static bool note(Scene *s, u32 unit, u32 item, AccessKind kind)
{
	Did d = {s->group, s->interval, item, kind};
	bool bad = false;
	for (u32 i = 0; i < s->ndid[unit]; i++)
		bad |= race(s, &s->did[unit][i], &d);
	s->did[unit][s->ndid[unit]++] = d;
	return bad;
}

static u32 screened(const Scene *s, Kit *k, ScreenRow row, AccessKind kind)
{
	row.word = s->lds ? (void *)k->w16 : (void *)k->w32;
	return (s->lds ? k->lanes->screen16 : k->lanes->screen32)(&row, kind);
}

/* One access of a wavefront to a few units each lane; did anything race? */
static bool access_some(Scene *s)
{
	AccessKind kind = below(s, 3) ? ACCESS_LOAD : below(s, 2) ? ACCESS_STORE : ACCESS_ATOMIC;
	u32 wave = below(s, 3), stride = below(s, 4), base = below(s, 8), n = 1 + below(s, LANES), index[LANES],
	    bad = false, blank = false;
	u16 lane[LANES], dense[UNITS];
	ScreenRow row = {.at = base, .n = n, .now = s->now, .first = s->lds ? 0 : s->first, .item = wave * LANES};
	bool any = below(s, 2); /* anywhere */
	memset(dense, 0xFF, sizeof dense);
	for (u32 l = 0; l < n; l++) {
		u32 at = any ? below(s, UNITS - base) : l * stride % (UNITS - base);
		index[l] = at;
		blank |= !s->ndid[base + at];
		lane[l] = (u16)l;
		dense[at] = (u16)(dense[at] == SCREEN_NOBODY ? l : SCREEN_LANES);
		bad |= note(s, base + at, row.item + l, kind);
	}
	row.lane = any ? lane : dense;
	row.index = any ? index : NULL;
	row.n = any ? n : UNITS - base;
	for (u32 k = 0; k < COUNT(s->kit); k++)
		CU_ASSERT(screened(s, &s->kit[k], row, kind) == ((bad ? SCREEN_RACE : 0) | (blank ? SCREEN_BLANK : 0)));
	CU_ASSERT(!memcmp(s->kit[0].w16, s->kit[1].w16, sizeof s->kit[0].w16));
	CU_ASSERT(!memcmp(s->kit[0].w32, s->kit[1].w32, sizeof s->kit[0].w32));
	return bad;
}

static void finds_what_races(void)
{
	extern const LaneKit lane_kit_base;
	u32 races = 0;
	Scene *s = xcalloc(1, sizeof *s);
	for (u32 round = 0; round < ROUNDS; round++) {
		memset(s, 0, sizeof *s);
		s->kit[0].lanes = &lane_kit_base;
		s->kit[1].lanes = lane_kit();
		s->lds = round % 2;
		s->rng = round;
		s->now = s->first = 1;
		for (u32 i = 0; i < ACCESSES; i++) {
			bool more = s->now < MOST_INTERVALS, group = more && !below(s, 9);
			if (more && (group || !below(s, 3)))
				s->now++;
			s->interval = s->now;
			s->group += group;
			s->first = group ? s->now : s->first;
			if (access_some(s)) {
				races++;
				break;
			}
		}
	}
	CU_ASSERT(races > ROUNDS / 4 && races < ROUNDS);
	free(s);
}

void suite_screen(void)
{
	CU_pSuite suite = CU_add_suite("screen", NULL, NULL);
	CU_add_test(suite, "finds what races, and nothing else", finds_what_races);
}
