/* The LDS bank rule: see lds_rule.h.
 *
 * Most rules are one: a phase takes as many neighbouring lanes as ask for one dword a bank.
 * That is what Evergreen does (32 lanes, two quarters of a wavefront, on 32 banks; 16 on the
 * 16 banks of small chips; half as many 8-byte and a quarter as many 16-byte accesses), what
 * NVIDIA does (a warp, half warps, quarter warps), and what any width or bank count gets that
 * a chip does not have. NVIDIA's serve two phases of a wide read as one when lanes read one address in pairs, l and
 * l ^ 1 or l and l ^ 2: where all read one address, 8 bytes take one cycle on an H100 and 16 bytes two (probes
 * lds-read-64, -128).
 *
 * GCN, CDNA and RDNA differ in 16-byte reads. Their groups of eight lanes are crossed:
 *
 *   {0-3,20-23} {4-7,16-19} {8-11,28-31} {12-15,24-27} and, with 64 lanes, the same plus 32
 *
 * In the bits of the lane number t these are  t5 | (t2 ^ t4) << 1 | t3 << 2 (on 32 lanes t5 is
 * dropped). So a row of 16-byte elements padded by 4 bytes, which would be free in consecutive
 * groups, is not free on the chip. 12-byte accesses behave as 16-byte ones.
 *
 * GCN's reads of two 4-byte addresses are crossed in groups of sixteen lanes (LdsPairs):
 *
 *   {0-7,16-23} {8-15,24-31} and, with 64 lanes, the same plus 32
 *
 * Composable Kernel's pages say that they are served as 8-byte reads are, sixteen neighbours at a time.
 * But 28 pairs of padded and unpadded convolutions on an MI50 take the times of the crossed groups
 * within 7 %, of neighbours within 11 %, of halves of a wavefront within 47 %. */
#include "models/device/lds_rule.h"

const char *const lds_family_doc[LDS_FAMILY_COUNT] = {LDS_FAMILIES(X_DOC)};

bool lds_family_fits(LdsFamily family, u32 wave, u32 banks)
{
	switch (family) {
	case LDS_FAMILY_gcn: return wave == 64 && banks == 32;
	case LDS_FAMILY_evergreen: return wave == 64 && (banks == 16 || banks == 32);
	case LDS_FAMILY_rdna:
	case LDS_FAMILY_nvidia: return wave == 32 && banks == 32;
	case LDS_FAMILY_COUNT: break;
	}
	return false;
}

static void consecutive(LdsRule *r, u32 width, u32 write, u32 wave, u32 lanes)
{
	for (u32 t = 0; t < MAX_WAVE; t++)
		r->width[width][write].phase_of[t] = (u8)(t < wave ? t / lanes : 0);
	r->width[width][write].phases = (wave + lanes - 1) / lanes;
}

static void crossed_reads(LdsRule *r, u32 wave)
{
	for (u32 t = 0; t < wave; t++) {
		u32 t2 = t >> 2 & 1, t3 = t >> 3 & 1, t4 = t >> 4 & 1, t5 = t >> 5 & 1;
		u32 quarter = (t2 ^ t4) | t3 << 1;
		r->width[LDS_B128][0].phase_of[t] = (u8)(wave == 64 ? t5 | quarter << 1 : quarter);
	}
}

/* Two quarters of 32 lanes, each every other group of eight. */
static void crossed_pairs(LdsRule *r, u32 wave)
{
	for (u32 t = 0; t < wave; t++)
		r->width[LDS_2B32][0].phase_of[t] = (u8)((t >> 5) << 1 | (t >> 3 & 1));
}

bool lds_rule(LdsRule *r, LdsChip chip, u32 wave, u32 banks)
{
	static const u32 dwords[LDS_WIDTHS] = {[LDS_B32] = 1, [LDS_B64] = 2, [LDS_B128] = 4, [LDS_2B32] = 2};
	memset(r, 0, sizeof *r);
	r->banks = banks;
	for (u32 w = 0; w < LDS_WIDTHS; w++) {
		u32 lanes = banks / dwords[w] ? banks / dwords[w] : 1;
		consecutive(r, w, 0, wave, lanes);
		consecutive(r, w, 1, wave, lanes);
	}
	bool twice = chip.family == LDS_FAMILY_rdna && wave == 2 * chip.wave;
	bool own = (wave == chip.wave || twice) && banks == chip.banks &&
	           lds_family_fits(chip.family, chip.wave, chip.banks);
	if (own && (chip.family == LDS_FAMILY_gcn || chip.family == LDS_FAMILY_rdna))
		crossed_reads(r, wave);
	if (own && chip.pairs == LDS_PAIRS_crossed && banks == 32)
		crossed_pairs(r, wave);
	r->pairs = own && chip.family == LDS_FAMILY_nvidia;
	for (u32 w = 0; w < LDS_WIDTHS; w++)
		for (u32 k = 0; k < 2 * wave; k++)
			r->width[w][k % 2].lanes[r->width[w][k % 2].phase_of[k / 2]] |= mask_lane(k / 2);
	return own;
}

/* ---- serving ---- */

enum { WIDEST = 16 }; /* bytes of a lane that one pass serves */

static u32 passes_of(u32 bytes) { return (bytes + WIDEST - 1) / WIDEST; }

static bool one_pass(const LdsIns *ins) { return ins->pair && ins->bytes <= 8; }

u32 lds_passes(const LdsIns *ins)
{
	if (one_pass(ins))
		return 1;
	return ins->pair ? 2 * passes_of(ins->bytes / 2) : passes_of(ins->bytes);
}

LdsPass lds_pass(const LdsIns *ins, u32 k)
{
	if (one_pass(ins))
		return (LdsPass){.width = LDS_2B32, .n = 2, .at = {0, ins->distance}};
	u32 bytes = ins->pair ? ins->bytes / 2u : ins->bytes, from = 0;
	if (k >= passes_of(bytes)) { /* the second address */
		k -= passes_of(bytes);
		from = ins->distance;
	}
	u32 left = bytes - k * WIDEST, n = left < WIDEST ? left : WIDEST;
	LdsPass out = {.width = n <= 4 ? LDS_B32 : n <= 8 ? LDS_B64 : LDS_B128, .n = (n + 3) / 4};
	for (u32 q = 0; q < out.n; q++)
		out.at[q] = from + k * WIDEST + 4 * q;
	return out;
}

static const LdsPhases *phases_of(const LdsRule *rule, const LdsPass *pass, const LdsLanes *lanes)
{
	return &rule->width[pass->width][lanes->write && !lanes->atomic];
}

/* The dwords that each bank gives, in the order of their cycles. */
typedef struct Banks {
	u16 last[MOST_BANKS], given[MOST_BANKS]; /* LdsPhase.ask + 1 */
} Banks;

static inline void ask(LdsPhase *p, Banks *b, u32 lane, u32 dword, u32 bank, bool atomic)
{
	LdsAsk *x = &p->ask[p->n++];
	*x = (LdsAsk){.dword = dword, .bank = (u16)bank, .lane = (u8)lane};
	for (u32 i = atomic ? 0 : b->last[bank]; i; i = p->ask[i - 1].next)
		if (p->ask[i - 1].dword == dword) {
			x->shared = true;
			x->cycle = p->ask[i - 1].cycle;
			return;
		}
	x->next = b->last[bank];
	b->last[bank] = (u16)p->n;
	x->cycle = b->given[bank]++;
	if (b->given[bank] > p->cycles)
		p->cycles = b->given[bank];
}

static void ask_lane(const LdsRule *rule, const LdsPass *pass, const LdsLanes *lanes, u32 lane, LdsPhase *p, Banks *b)
{
	for (u32 q = 0; q < pass->n; q++) {
		u32 dword = (lanes->addr[lane] + pass->at[q]) >> 2;
		ask(p, b, lane, dword, dword & (rule->banks - 1), lanes->atomic);
	}
}

/* Do lanes ask for one address in pairs, of neighbours or of every second ones? */
static bool in_pairs(const LdsLanes *lanes, u32 apart)
{
	for (Mask m = lanes->mask; m; m = mask_drop(m)) {
		u32 l = mask_lowest(m), other = l ^ apart;
		if (lanes->mask & mask_lane(other) && lanes->addr[l] != lanes->addr[other])
			return false;
	}
	return true;
}

/* May two phases go at a time? Those of wide reads, where lanes are in pairs. */
static bool both_phases(const LdsRule *rule, const LdsPass *pass, const LdsLanes *lanes)
{
	bool wide = pass->width == LDS_B64 || pass->width == LDS_B128;
	return rule->pairs && wide && !lanes->write && !lanes->atomic;
}

/* Lanes of a phase, or of two. */
static Mask phase_lanes(const LdsRule *rule, const LdsPass *pass, const LdsLanes *lanes, Mask left)
{
	const LdsPhases *phases = phases_of(rule, pass, lanes);
	u32 phase = phases->phase_of[mask_lowest(left)];
	bool both = both_phases(rule, pass, lanes) && (in_pairs(lanes, 1) || in_pairs(lanes, 2));
	return left & (phases->lanes[phase] | (both && (phase ^ 1) < phases->phases ? phases->lanes[phase ^ 1] : 0));
}

void lds_phase(const LdsRule *rule, const LdsPass *pass, const LdsLanes *lanes, Mask *left, LdsPhase *out)
{
	Banks banks;
	memset(banks.last, 0, rule->banks * sizeof *banks.last);
	memset(banks.given, 0, rule->banks * sizeof *banks.given);
	out->lanes = phase_lanes(rule, pass, lanes, *left);
	out->cycles = out->n = 0;
	for (Mask m = out->lanes; m; m = mask_drop(m))
		ask_lane(rule, pass, lanes, mask_lowest(m), out, &banks);
	*left &= ~out->lanes;
}

/* All lanes at one address: every phase is as one that serves lane 0 alone. */
static void add_same(const LdsRule *rule, const LdsPass *pass, const LdsLanes *lanes, LdsPhase *p, LdsCycles *out)
{
	const LdsPhases *phases = phases_of(rule, pass, lanes);
	const u32 zero = 0;
	Mask first = 1;
	u32 n = 0;
	lds_phase(rule, pass, &(LdsLanes){.mask = 1, .addr = &zero, .write = lanes->write}, &first, p);
	u32 step = both_phases(rule, pass, lanes) ? 2 : 1;
	for (u32 i = 0; i < phases->phases; i += step) {
		Mask served = phases->lanes[i] | (step > 1 && i + 1 < phases->phases ? phases->lanes[i + 1] : 0);
		n += (served & lanes->mask) != 0;
	}
	out->ideal += n;
	out->actual += n * p->cycles;
	out->max_way = p->cycles > out->max_way ? p->cycles : out->max_way;
}

LdsCycles lds_cycles(const LdsRule *rule, const LdsIns *ins, const LdsLanes *lanes)
{
	LdsCycles out = {0};
	LdsPhase p;
	for (u32 k = 0, n = lds_passes(ins); k < n; k++) {
		LdsPass pass = lds_pass(ins, k);
		if (!lanes->addr) {
			add_same(rule, &pass, lanes, &p, &out);
			continue;
		}
		for (Mask left = lanes->mask; left;) {
			lds_phase(rule, &pass, lanes, &left, &p);
			out.ideal++;
			out.actual += p.cycles;
			out.max_way = p.cycles > out.max_way ? p.cycles : out.max_way;
		}
	}
	return out;
}
