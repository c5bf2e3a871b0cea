/* Cache lines of one wave access to global memory: the distinct lines that the active lanes touch. */
#include "base/hash.h"
#include "sim/wave.h"

enum { LENT = 1024 }; /* slots for 512 lines: more are rare */

/* Lanes in any order. */
static NO_INLINE u32 lines_apart(const u64 *addr, u32 bytes, Mask mask, u32 shift)
{
	u64 lent[LENT] = {0};
	HashSet seen = hash_set_lent(lent, LENT);
	for (Mask m = mask; m; m = mask_drop(m)) {
		u64 first = addr[mask_lowest(m)];
		for (u64 line = first >> shift; line <= (first + bytes - 1) >> shift; line++)
			hash_set_add(&seen, line);
	}
	u32 lines = (u32)seen.n;
	hash_set_free(&seen);
	return lines;
}

u32 lines_count(const u64 *addr, u32 bytes, Mask mask, u32 shift)
{
	u64 next = 0; /* behind the last line */
	u32 lines = 0;
	for (Mask m = mask; m; m = mask_drop(m)) {
		u64 at = addr[mask_lowest(m)], first = at >> shift, end = ((at + bytes - 1) >> shift) + 1;
		if (first + 1 < next)
			return lines_apart(addr, bytes, mask, shift);
		lines += (u32)(end - (first < next ? next : first));
		next = end;
	}
	return lines;
}
