/* Texture units: see texture.h. */
#include "models/timing/texture.h"

#include "models/timing/cache.h"

/* Where one of two texels is beside the other: texels lie in blocks of so many bytes, bits of x and y in turn
 * (sim/image.c). Blocks that follow each other are side by side, but for the ends of a row of them; of others no more
 * is known than that they are far apart. */
typedef struct Beside {
	u32 across;  /* columns, or FAR */
	bool level;  /* in one row of a block, or of two */
	bool column; /* in one column of a block; over an edge of blocks y differs within them */
} Beside;

enum { BLOCK = 256, FAR = 1 << 16 };

/* Every second bit, from the lowest on. */
static u32 every_second(u32 bits)
{
	u32 out = 0;
	for (u32 i = 0; bits >> 2 * i; i++)
		out |= (bits >> 2 * i & 1) << i;
	return out;
}

static Beside beside(u64 x, u64 y, u32 bytes)
{
	u32 a = (u32)(x % BLOCK / bytes), b = (u32)(y % BLOCK / bytes), wide = every_second(BLOCK / bytes - 1) + 1;
	u32 from = every_second(a), to = every_second(b);
	Beside p = {.level = every_second(a >> 1) == every_second(b >> 1)};
	p.column = x == y || (from == to && !p.level);
	if (x / BLOCK == y / BLOCK)
		p.across = from < to ? to - from : from - to;
	else if (x / BLOCK + 1 == y / BLOCK)
		p.across = to + wide - from;
	else
		p.across = y / BLOCK + 1 == x / BLOCK ? from + wide - to : FAR;
	return p;
}

enum { PAIR = 2, TURN_BYTES = 4 };

static u32 turns_of(u32 bytes) { return (bytes + TURN_BYTES - 1) / TURN_BYTES; }

/* Hopper's turns for the texels of a pair of lanes: where they are in one column, of whatever rows, 8 bytes of it a
 * turn. Side by side 4 bytes of each, and those of 4 or 8 bytes twice as many turns unless both are in the place of two
 * on their boundary. Further apart as the probes show it (image-apart, image-both). */
static u32 pair_turns(u64 x, u64 y, u32 bytes)
{
	enum { COLUMN = 2 * TURN_BYTES, APART = 8, APART_IN_ROWS = 4, DIAGONAL = 2, NEAR_BYTES = 12, NEAR_WIDE_BYTES = 48 };
	Beside p = beside(x, y, bytes);
	u32 turns = turns_of(bytes);
	if (p.column)
		return (bytes + COLUMN - 1) / COLUMN;
	if (p.across > 1 && !p.level)
		return turns > APART_IN_ROWS ? turns : APART_IN_ROWS;
	if (p.across * bytes > (bytes > COLUMN ? NEAR_WIDE_BYTES : NEAR_BYTES))
		return APART;
	if (!p.level)
		return turns > DIAGONAL ? turns : DIAGONAL;
	bool near = bytes < TURN_BYTES || bytes > COLUMN || x / (2 * bytes) == y / (2 * bytes);
	return near ? turns : 2 * turns;
}

/* The next of those lanes, or the next two where these are a pair; how many it was. At: place in LaneShape.offset. */
static u32 next_pair(const LaneShape *s, u64 address, Mask *left, u32 *at, u64 place[PAIR])
{
	u32 lane = mask_lowest(*left), n = lane % PAIR == 0 && s->mask >> (lane + 1) & 1 ? PAIR : 1;
	for (u32 i = 0; i < n; i++) {
		place[i] = address + (u64)s->offset[(*at)++];
		*left = mask_drop(*left);
	}
	return n;
}

double texture_fetch_cycles(const Device *dev, const LaneShape *s, u64 address, u32 bytes, u32 lanes)
{
	u32 turns = 0, at = 0, pairs = 0;
	u64 place[PAIR];
	for (Mask left = s ? s->mask : 0; left; pairs++) {
		bool two = next_pair(s, address, &left, &at, place) == PAIR;
		turns += two ? pair_turns(place[0], place[1], bytes) : turns_of(bytes); /* (one alone was not measured) */
	}
	u32 all = (lanes + PAIR - 1) / PAIR;
	turns += all > pairs ? (all - pairs) * turns_of(bytes) : 0;
	return (double)PAIR * turns / dev->texture_fetch_lanes;
}

/* The filters of a lane that has none beside it take a cycle, those of wide texels more; of a pair each takes the part
 * of it that its distance is of 32 bytes of a row (image-linear-apart, image-linear-both). */
static double filter_apart(u64 x, u64 y, u32 bytes)
{
	enum { ROW = 32, NARROW = 8, FAR_IN_ROWS = 4 };
	Beside p = beside(x, y, bytes);
	double most = bytes > NARROW ? (double)bytes / NARROW : 1;
	if (p.column)
		return 0;
	if (!p.level)
		return p.across < FAR_IN_ROWS ? most / 2 : most;
	double part = (double)p.across * bytes / ROW;
	return part < most ? part : most;
}

static double filters_apart(const LaneShape *s, u64 address, u32 bytes)
{
	double cycles = 0;
	u64 place[PAIR];
	u32 at = 0;
	for (Mask left = s ? s->mask : 0; left;)
		if (next_pair(s, address, &left, &at, place) == PAIR)
			cycles += PAIR * filter_apart(place[0], place[1], bytes);
	return cycles;
}

/* A filter takes 4 texels at once, and wide ones in parts. */
double texture_read_cycles(const Device *dev, const LaneShape *s, u64 address, u32 lanes, u32 bytes, u32 texels)
{
	enum { FILTERED = 4 };
	if (!dev->texture_lanes) /* the program is another chip's */
		return 0;
	double cycles = (double)lanes / dev->texture_lanes;
	if (texels == 1)
		return cycles * ((bytes + dev->texture_near_bytes - 1) / dev->texture_near_bytes);
	u32 turns = (texels + FILTERED - 1) / FILTERED, parts = (bytes + dev->texture_bytes - 1) / dev->texture_bytes;
	double apart = dev->texture_fetch_lanes ? filters_apart(s, address, bytes) : 0;
	return turns * later(cycles * parts, apart);
}
