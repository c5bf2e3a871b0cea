/* The words of one access: see check_screen.h. A file that includes this says how wide they are: WORD, and SCREEN, the
 * function's name. Compiled for each level of the host, as the lane operations are (lanes.h). */
#include "sim/check_screen.h"
#include "sim/lane_level.h"

typedef struct Now {
	WORD now, first, lane_0, kind;
} Now;

enum { GLOBAL = sizeof(WORD) > 2, INTERVAL = GLOBAL ? SCREEN_INTERVAL_32 : SCREEN_INTERVAL_16 };

/* All bits, or none: choices are made with these, so that the compiler sees one block. */
#define IF(condition) ((WORD)-(WORD)(condition))

static FORCE_INLINE WORD who(const Now t, WORD lane)
{
	return (WORD)(((t.lane_0 + lane) & (WORD)~IF(lane == SCREEN_LANES)) | (SCREEN_MANY & IF(lane == SCREEN_LANES)));
}

/* Not 0: of two work-items that nothing keeps apart, one did `was`. */
static FORCE_INLINE WORD clash(const Now t, WORD was) { return IF(was != 0) & IF((was | t.kind) == SCREEN_ANY); }

/* The word of a unit after an access by `me`. *bad: not 0 where somebody else was there whom nothing keeps apart. */
static FORCE_INLINE WORD joined(const Now t, WORD word, WORD me, WORD *bad)
{
	const WORD when = word >> INTERVAL, last = word >> SCREEN_KINDS & SCREEN_ANY, now = last & IF(when == t.now),
		   other = IF((word & SCREEN_MANY) != me) | IF(me == SCREEN_MANY);
	WORD past = 0, found = clash(t, now & other);
	if (GLOBAL) {
		const WORD old = IF(when < t.first),
			   group = (word >> SCREEN_GROUP & SCREEN_ANY) | (last & IF(when != t.now)),
			   earlier = (word >> SCREEN_EARLIER & SCREEN_ANY) | (group & old);
		past = (WORD)((group & (WORD)~old) << SCREEN_GROUP | earlier << SCREEN_EARLIER);
		found |= clash(t, earlier);
	}
	*bad = found;
	return (WORD)(t.now << INTERVAL | past | (now | t.kind) << SCREEN_KINDS | me |
	              (SCREEN_MANY & other & IF(now != 0)));
}

/* Units that follow each other. One writes; that several do is a race by itself. *blank: not 0 where there was nothing
 * yet. */
static FORCE_INLINE WORD join_run(const Now t, WORD *word, const u16 *lane, size_t n, WORD *blank)
{
	WORD bad = 0, twice = 0, empty = 0;
	INDEPENDENT for (size_t i = 0; i < n; i++)
	{
		const WORD l = lane[i], was = word[i], some = IF(l != SCREEN_NOBODY);
		WORD found;
		const WORD is = joined(t, was, who(t, l), &found);
		word[i] = (is & some) | (was & (WORD)~some);
		bad |= found & some;
		empty |= IF(was == 0) & some;
		twice |= IF(l == SCREEN_LANES);
	}
	*blank |= empty;
	return bad | (t.kind == SCREEN_ANY && twice);
}

/* Units anywhere, up to SIDE_BY_SIDE of them together. Where two lanes have one, what the first leaves there is lost,
 * so all take their turns. */
enum { SIDE_BY_SIDE = 64 };

static FORCE_INLINE WORD join_part(const Now t, WORD *word, const u32 *index, const u16 *lane, size_t n, WORD *blank)
{
	WORD was[SIDE_BY_SIDE], is[SIDE_BY_SIDE], lost = 0;
	for (size_t i = 0; i < n; i++)
		was[i] = is[i] = word[index[i]];
	WORD bad = join_run(t, is, lane, n, blank);
	for (size_t i = 0; i < n; i++)
		word[index[i]] = is[i];
	for (size_t i = 0; i < n; i++)
		lost |= word[index[i]] ^ is[i];
	if (!lost)
		return bad;
	for (size_t i = 0; i < n; i++)
		word[index[i]] = was[i];
	for (size_t i = 0; i < n; i++) {
		WORD found;
		word[index[i]] = joined(t, word[index[i]], who(t, lane[i]), &found);
		bad |= found;
	}
	return bad;
}

extern u32 LEVEL(SCREEN)(const ScreenRow *s, u32 kind);
u32 LEVEL(SCREEN)(const ScreenRow *s, u32 kind)
{
	const Now t = {(WORD)s->now, (WORD)s->first, (WORD)s->item,
	               kind == ACCESS_LOAD ? SCREEN_READ : kind == ACCESS_ATOMIC ? SCREEN_ATOMIC : SCREEN_ANY};
	WORD *const word = (WORD *)s->word + s->at;
	WORD bad = 0, blank = 0;
	if (!s->index)
		bad = join_run(t, word, s->lane, s->n, &blank);
	for (u32 k = 0; s->index && k < s->n; k += SIDE_BY_SIDE)
		bad |= join_part(t, word, s->index + k, s->lane + k, s->n - k < SIDE_BY_SIDE ? s->n - k : SIDE_BY_SIDE,
		                 &blank);
	return (bad ? SCREEN_RACE : 0) | (blank ? SCREEN_BLANK : 0);
}
