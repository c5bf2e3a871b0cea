/* Texture units: see texture.h. */
#include "models/timing/texture.h"

/* Texels lie in blocks of so many bytes, bits of x and y in turn (sim/image.c): are both of a pair in one column? Over
 * an edge of blocks y differs within them; blocks side by side are no column. */
static bool same_column(u64 x, u64 y, u32 bytes)
{
	enum { BLOCK = 256, COLUMN = 0x55 };
	u64 differ = x % BLOCK / bytes ^ y % BLOCK / bytes;
	return x == y || (differ && !(differ & COLUMN));
}

enum { TURN_BYTES = 4 };

static u32 turns_of(u32 bytes) { return (bytes + TURN_BYTES - 1) / TURN_BYTES; }

/* Hopper's turns for the texels of a pair of lanes: where they are in one column, of whatever rows, 8 bytes of it a
 * turn; else 4 bytes of each, and those of 4 or 8 bytes twice as many turns unless both are in the place of two on
 * their boundary. */
static u32 pair_turns(u64 x, u64 y, u32 bytes)
{
	enum { COLUMN = 2 * TURN_BYTES };
	if (bytes < TURN_BYTES)
		return 1;
	if (same_column(x, y, bytes))
		return (bytes + COLUMN - 1) / COLUMN;
	bool near = bytes > COLUMN || x / (2 * bytes) == y / (2 * bytes);
	return near ? turns_of(bytes) : 2 * turns_of(bytes);
}

double texture_fetch_cycles(const Device *dev, const LaneShape *s, u64 address, u32 bytes, u32 lanes)
{
	enum { PAIR = 2 };
	u32 turns = 0, at = 0, pairs = 0;
	for (Mask m = s ? s->mask : 0; m; m = mask_drop(m)) {
		pairs++;
		u32 lane = mask_lowest(m);
		u64 x = address + (u64)s->offset[at++];
		if (lane % PAIR == 0 && s->mask >> (lane + 1) & 1) {
			turns += pair_turns(x, address + (u64)s->offset[at++], bytes);
			m = mask_drop(m);
		} else {
			turns += turns_of(bytes); /* one that is alone was not measured */
		}
	}
	u32 all = (lanes + PAIR - 1) / PAIR;
	turns += all > pairs ? (all - pairs) * turns_of(bytes) : 0;
	return (double)PAIR * turns / dev->texture_fetch_lanes;
}

/* A filter takes 4 texels at once, and wide ones in parts. */
double texture_read_cycles(const Device *dev, u32 lanes, u32 bytes, u32 texels)
{
	enum { FILTERED = 4 };
	if (!dev->texture_lanes) /* the program is another chip's */
		return 0;
	double cycles = (double)lanes / dev->texture_lanes;
	if (texels == 1)
		return cycles * ((bytes + dev->texture_near_bytes - 1) / dev->texture_near_bytes);
	u32 turns = (texels + FILTERED - 1) / FILTERED, parts = (bytes + dev->texture_bytes - 1) / dev->texture_bytes;
	return cycles * turns * parts;
}
