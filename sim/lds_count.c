/* LDS bank cycles of one wave access (design.md section 6; the rule is data, isa/lds.h).
 *
 * Lanes are served phase by phase. In a phase every bank gives one dword a
 * cycle, so the phase takes as many cycles as the busiest bank has distinct
 * dwords to give; lanes that want the same dword share it, except in atomics,
 * where each lane needs its own turn. An access wider than 16 bytes is several
 * instructions on the machine and counts as such. */
#include "sim/wave.h"

enum { MOST_WANTED = MAX_WAVE * 4 }; /* dwords of one phase: 128 lanes of 16 bytes */

/* Dwords wanted in one phase, chained by bank. */
typedef struct Wanted {
	u32 n;
	u32 dword[MOST_WANTED];
	u32 same_slot[MOST_WANTED]; /* next entry of the slot, or 0 */
	u32 slot[256];              /* first entry + 1 by dword modulo 256 */
	u32 bank[MOST_WANTED];
} Wanted;

static bool wanted_add(Wanted *w, u32 dword, u32 bank, bool merge)
{
	u32 *slot = &w->slot[dword & 255];
	if (merge)
		for (u32 i = *slot; i; i = w->same_slot[i - 1])
			if (w->dword[i - 1] == dword)
				return false;
	w->dword[w->n] = dword;
	w->bank[w->n] = bank;
	w->same_slot[w->n] = *slot;
	*slot = ++w->n;
	return true;
}

/* The most often wanted bank. */
static u32 wanted_busiest(const Wanted *w, u32 banks)
{
	u32 most = 0;
	if (banks <= 256) {
		u16 count[256] = {0};
		for (u32 i = 0; i < w->n; i++)
			if (++count[w->bank[i]] > most)
				most = count[w->bank[i]];
		return most;
	}
	for (u32 i = 0; i < w->n; i++) {
		u32 count = 0;
		for (u32 j = 0; j < w->n; j++)
			count += w->bank[j] == w->bank[i];
		if (count > most)
			most = count;
	}
	return most;
}

static void count_part(const LdsRule *rule, u32 bytes, bool write, bool atomic, Mask mask,
                       const u32 *addr, u32 offset, LdsCount *out)
{
	const u32 width = lds_width(bytes);
	const u8 *phase_of = rule->width[width][write].phase_of;
	u32 dwords = (bytes + 3) / 4;
	Wanted want;
	while (mask) {
		u32 phase = phase_of[mask_lowest(mask)];
		want.n = 0;
		memset(want.slot, 0, sizeof want.slot);
		for (Mask m = mask; m; m = mask_drop(m)) {
			u32 l = mask_lowest(m);
			if (phase_of[l] != phase)
				continue;
			mask &= ~mask_lane(l);
			for (u32 q = 0; q < dwords; q++) {
				u32 dword = ((addr[l] + offset) >> 2) + q;
				wanted_add(&want, dword, dword & (rule->banks - 1), !atomic);
			}
		}
		u32 busiest = wanted_busiest(&want, rule->banks);
		out->ideal++;
		out->actual += busiest;
		if (busiest > out->max_way)
			out->max_way = busiest;
	}
}

LdsCount lds_count(const LdsRule *rule, u32 bytes, bool write, bool atomic, Mask mask, const u32 *addr)
{
	LdsCount out = {0};
	for (u32 part = 0; part < bytes; part += 16)
		count_part(rule, bytes - part < 16 ? bytes - part : 16, write, atomic, mask, addr, part, &out);
	return out;
}

void count_lds(Wave *w, const Access *a, LdsCount c)
{
	AccessProf *p = &w->worker->accesses[a - w->code->accesses.v];
	p->lds_accesses++;
	p->lds_ideal += c.ideal;
	p->lds_actual += c.actual;
	if (c.max_way > p->lds_max_way)
		p->lds_max_way = c.max_way;
	w->prof.lds_conflicts += c.actual - c.ideal;
}
