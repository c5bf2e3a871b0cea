/* The words of one access: see check_screen.h. A file that includes this says how wide they are: WORD, and SCREEN, the
 * function's name. Compiled for each level of the host, as the lane operations are (lanes.h). */
#include "sim/check_screen.h"
#include "sim/lane_level.h"

typedef struct Now {
	WORD now, first, many, lane_0;
} Now;

static const WORD before = (WORD)~((WORD)-1 >> 1);

static FORCE_INLINE WORD who(const Now t, u16 lane) { return lane == SCREEN_LANES ? t.many : (WORD)(t.lane_0 + lane); }

/* Not 0: somebody was there whom nothing keeps apart from `me`. */
static FORCE_INLINE WORD foreign(const Now t, WORD word, WORD me)
{
	const WORD last = word & (WORD)~before, earlier = last < t.first ? last : 0;
	const WORD other = last != me ? last : 0, beside = last == t.many ? last : other;
	return (WORD)((word & before) | (last >= t.now ? beside : earlier));
}

static FORCE_INLINE WORD joined(const Now t, WORD word, WORD me)
{
	const WORD last = word & (WORD)~before, all = last == me ? me : t.many,
		   earlier = last && last < t.first ? before : 0;
	return (WORD)((word & before) | earlier | (last >= t.now ? all : me));
}

/* To each unit: word[i], of lane l. Where there is an index, two lanes may meet. */
#define EACH_UNIT(...) \
	do { \
		WORD *const word = (WORD *)words + s->at; \
		const u16 *const lane = s->lane; \
		const u32 *const index = s->index; \
		const size_t n = s->n; \
		if (!index) \
			INDEPENDENT for (size_t i = 0; i < n; i++) \
			{ \
				const u16 l = lane[i]; \
				__VA_ARGS__ \
			} \
		else \
			for (size_t k = 0; k < n; k++) { \
				const size_t i = index[k]; \
				const u16 l = lane[k]; \
				__VA_ARGS__ \
			} \
	} while (0)

static WORD look(const ScreenRow *s, const Now t, void *words)
{
	WORD bad = 0;
	EACH_UNIT(const WORD found = foreign(t, word[i], who(t, l)); bad |= l == SCREEN_NOBODY ? 0 : found;);
	return bad;
}

static void join(const ScreenRow *s, const Now t, void *words)
{
	EACH_UNIT(const WORD was = word[i], is = joined(t, was, who(t, l)); word[i] = l == SCREEN_NOBODY ? was : is;);
}

/* One writes; that several do is a race by itself. */
static WORD put(const ScreenRow *s, const Now t, void *words)
{
	WORD bad = 0;
	EACH_UNIT(const WORD was = word[i], is = who(t, l), found = foreign(t, was, is) | (l == SCREEN_LANES);
	          word[i] = l == SCREEN_NOBODY ? was : is;
	          bad |= l == SCREEN_NOBODY ? 0 : found;);
	return bad;
}

extern bool LEVEL(SCREEN)(const ScreenRow *s, u32 kind);
bool LEVEL(SCREEN)(const ScreenRow *s, u32 kind)
{
	const Now t = {(WORD)s->now, (WORD)s->first, (WORD)(s->now | SCREEN_MANY), (WORD)(s->now + s->item)};
	WORD bad = 0;
	if (s->word[SCREEN_WRITER] && kind != ACCESS_STORE)
		bad |= look(s, t, s->word[SCREEN_WRITER]);
	if (s->word[SCREEN_READERS] && kind != ACCESS_LOAD)
		bad |= look(s, t, s->word[SCREEN_READERS]);
	if (s->word[SCREEN_ATOMIC] && kind != ACCESS_ATOMIC)
		bad |= look(s, t, s->word[SCREEN_ATOMIC]);
	if (kind == ACCESS_STORE)
		return bad | put(s, t, s->word[SCREEN_WRITER]);
	join(s, t, s->word[kind == ACCESS_LOAD ? SCREEN_READERS : SCREEN_ATOMIC]);
	return bad;
}
