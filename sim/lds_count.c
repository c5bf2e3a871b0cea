/* LDS bank cycles of one wave access (design.md section 6; the rule is data, models/device/lds_rule.h).
 *
 * Lanes are served phase by phase. In a phase every bank gives one dword a
 * cycle, so the phase takes as many cycles as the busiest bank has distinct
 * dwords to give; lanes that want the same dword share it, except in atomics,
 * where each lane needs its own turn. An access wider than 16 bytes is several
 * instructions on the machine and counts as such.
 *
 * The same access is counted twice: at the Program's width, and as the device's compiler
 * does it, alone, in parts, or together with its neighbours (LdsPlan). */
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

/* Dwords of one lane that are served together, as bytes from its address. */
typedef struct Piece {
	u32 n, at[4];
} Piece;

static void count_piece(const LdsRule *rule, u32 width, bool write, bool atomic, Mask mask, const u32 *addr,
                        const Piece *piece, LdsCycles *out)
{
	const u8 *phase_of = rule->width[width][write].phase_of;
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
			for (u32 q = 0; q < piece->n; q++) {
				u32 dword = (addr[l] + piece->at[q]) >> 2;
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

/* All lanes at one address: every phase is like the next. */
static void count_same_piece(const LdsRule *rule, u32 width, bool write, Mask mask, const Piece *piece,
                             LdsCycles *out)
{
	Mask seen = 0;
	u32 way = 0;
	for (u32 q = 0; q < piece->n; q++) {
		u32 same = 1; /* dwords of this bank: itself and other ones behind it */
		for (u32 r = q + 1; r < piece->n; r++)
			same += piece->at[r] != piece->at[q] &&
			        !((piece->at[r] - piece->at[q]) >> 2 & (rule->banks - 1));
		way = same > way ? same : way;
	}
	for (Mask m = mask; m; m = mask_drop(m))
		seen |= mask_lane(rule->width[width][write].phase_of[mask_lowest(m)]);
	out->ideal += mask_count(seen);
	out->actual += mask_count(seen) * way;
	if (way > out->max_way)
		out->max_way = way;
}

/* How an access of so many bytes a lane goes through the banks; addr NULL: all lanes at one address. */
static void count_bytes(const LdsRule *rule, u32 bytes, u32 from, bool write, bool atomic, Mask mask,
                        const u32 *addr, LdsCycles *out)
{
	for (u32 part = 0; part < bytes; part += 16) {
		u32 n = bytes - part < 16 ? bytes - part : 16;
		Piece piece = {.n = (n + 3) / 4};
		for (u32 q = 0; q < piece.n; q++)
			piece.at[q] = from + part + 4 * q;
		if (addr)
			count_piece(rule, lds_width(n), write, atomic, mask, addr, &piece, out);
		else
			count_same_piece(rule, lds_width(n), write, mask, &piece, out);
	}
}

LdsCycles lds_count(const LdsRule *rule, u32 bytes, bool write, bool atomic, Mask mask, const u32 *addr)
{
	LdsCycles out = {0};
	count_bytes(rule, bytes, 0, write, atomic, mask, addr, &out);
	return out;
}

static void count_ins(const LdsRule *rule, const LdsIns *x, bool write, Mask mask, const u32 *addr,
                      LdsCycles *out)
{
	Piece two = {.n = 2, .at = {0, x->apart}};
	if (!x->pair) {
		count_bytes(rule, x->bytes, 0, write, false, mask, addr, out);
	} else if (x->bytes > 8) {
		count_bytes(rule, x->bytes / 2u, 0, write, false, mask, addr, out);
		count_bytes(rule, x->bytes / 2u, x->apart, write, false, mask, addr, out);
	} else if (addr) {
		count_piece(rule, LDS_B64, write, false, mask, addr, &two, out);
	} else {
		count_same_piece(rule, LDS_B64, write, mask, &two, out);
	}
}

LdsCount lds_count_access(const LdsRule *rule, u32 bytes, const LdsWay *way, bool write, bool atomic,
                          Mask mask, const u32 *addr)
{
	LdsCount out = {0};
	count_bytes(rule, bytes, 0, write, atomic, mask, addr, &out.ir);
	if (!way->known)
		out.machine = out.ir;
	for (u32 i = 0; i < way->n; i++)
		count_ins(rule, &way->ins[i], write, mask, addr, &out.machine);
	return out;
}

LdsCount lds_count_same(const LdsRule *rule, u32 bytes, const LdsWay *way, bool write, Mask mask)
{
	return lds_count_access(rule, bytes, way, write, false, mask, NULL);
}

/* An access that the machine does just so needs no second count. */
LdsWay lds_way(const LdsPlan *plan, u32 ins, u32 bytes)
{
	const LdsAccess *x = plan ? &plan->of[ins] : NULL;
	if (!x || !x->known)
		return (LdsWay){0};
	const LdsIns *first = plan->ins + x->first;
	if (x->n == 1 && !first->pair && first->bytes == bytes)
		return (LdsWay){0};
	return (LdsWay){first, x->n, true};
}

void lds_add(AccessProf *p, const LdsWay *way, LdsCount c)
{
	p->lds_accesses++;
	p->lds_ideal += c.ir.ideal;
	p->lds_actual += c.ir.actual;
	if (c.ir.max_way > p->lds_max_way)
		p->lds_max_way = c.ir.max_way;
	p->lds_ins += way->known ? way->n : 1;
	p->lds_ins_ideal += c.machine.ideal;
	p->lds_ins_actual += c.machine.actual;
	if (c.machine.max_way > p->lds_ins_max_way)
		p->lds_ins_max_way = c.machine.max_way;
}
