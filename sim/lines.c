/* Cache lines of one wave access to global memory: the distinct lines that the
 * active lanes touch, against the fewest that could hold what they asked for. */
#include "sim/wave.h"

enum { SLOTS = 1024 }; /* more than 128 lanes of 128 bytes can touch, so the table never fills */

u32 lines_count(const u64 *addr, u32 bytes, Mask mask, u32 shift)
{
	u64 seen[SLOTS];
	u32 lines = 0;
	u64 last = UINT64_MAX;
	memset(seen, 0xFF, sizeof seen);
	for (Mask m = mask; m; m = mask_drop(m)) {
		u64 first = addr[mask_lowest(m)];
		for (u64 line = first >> shift; line <= (first + bytes - 1) >> shift; line++) {
			if (line == last)
				continue;
			last = line;
			u32 h = (u32)(line * 0x9E3779B97F4A7C15u >> 54);
			while (seen[h] != UINT64_MAX && seen[h] != line)
				h = (h + 1) % SLOTS;
			lines += seen[h] != line;
			seen[h] = line;
		}
	}
	return lines;
}
