/* Do the outputs hold what they should? Integers exactly; floats within so many units in the last
 * place, because a device may fuse or order operations in its own way; every NaN equals another. */
#include "runner/runner.h"

static bool is_nan(u64 bits, u32 bytes)
{
	u32 fraction = bytes == 2 ? 10 : bytes == 4 ? 23 : 52;
	u64 magnitude = bits & (((u64)1 << (8 * bytes - 1)) - 1);
	u64 infinity = (((u64)1 << (8 * bytes - 1)) - 1) >> fraction << fraction;
	return magnitude > infinity;
}

/* How many units apart; negative: it cannot be counted in units. */
static double distance(u64 x, u64 y, u32 bytes)
{
	bool nx = is_nan(x, bytes), ny = is_nan(y, bytes);
	return !nx && !ny ? elem_ulps(x, y, bytes) : nx && ny ? 0 : -1;
}

static bool component_differs(Check *c, const ElemShape *s, u64 x, u64 y, double max_ulp)
{
	if (x == y)
		return false;
	if (s->elem_class != ELEM_FLOAT)
		return true;
	double far = distance(x, y, s->elem_bytes);
	c->max_ulp = far > c->max_ulp ? far : c->max_ulp;
	return far < 0 || far > max_ulp;
}

void check_buffer(Check *c, const ElemShape *s, const u8 *have, const u8 *want, u64 bytes, double max_ulp)
{
	c->done = true;
	for (u64 at = 0; s->stride && at + s->stride <= bytes; at += s->stride) {
		bool differs = false;
		for (u32 i = 0; i < s->width; i++) {
			u64 p = at + i * s->elem_bytes;
			differs |= component_differs(c, s, elem_bits(have + p, s->elem_bytes),
			                             elem_bits(want + p, s->elem_bytes), max_ulp);
		}
		c->elements++;
		c->mismatches += differs;
	}
}
