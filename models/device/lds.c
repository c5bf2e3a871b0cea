/* LDS phases: the lanes of a wavefront that one access serves in the same cycle.
 * Lanes conflict only inside a phase.
 *
 * Most rules are one: a phase takes as many neighbouring lanes as ask for one dword a bank.
 * That is what Evergreen does (32 lanes, two quarters of a wavefront, on 32 banks; 16 on the
 * 16 banks of small chips; half as many 8-byte and a quarter as many 16-byte accesses), what
 * NVIDIA does (a warp, half warps, quarter warps), and what any width or bank count gets that
 * a chip does not have. NVIDIA's merging of lane pairs with equal 8- or 16-byte addresses
 * across half warps is left out: inside a phase equal dwords are merged anyway.
 *
 * GCN, CDNA and RDNA differ in 16-byte reads. Their groups of eight lanes are crossed:
 *
 *   {0-3,20-23} {4-7,16-19} {8-11,28-31} {12-15,24-27} and, with 64 lanes, the same plus 32
 *
 * In the bits of the lane number t these are  t5 | (t2 ^ t4) << 1 | t3 << 2 (on 32 lanes t5 is
 * dropped). So a row of 16-byte elements padded by 4 bytes, which would be free in consecutive
 * groups, is not free on the chip. 12-byte accesses behave as 16-byte ones. */
#include "models/device/lds.h"

#define X(name, doc) doc,
const char *const lds_family_doc[LDS_FAMILY_COUNT] = {LDS_FAMILIES(X)};
#undef X

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

bool lds_rule(LdsRule *r, LdsFamily family, u32 device_wave, u32 device_banks, u32 wave, u32 banks)
{
	static const u32 dwords[LDS_WIDTHS] = {[LDS_B32] = 1, [LDS_B64] = 2, [LDS_B128] = 4};
	memset(r, 0, sizeof *r);
	r->banks = banks;
	for (u32 w = 0; w < LDS_WIDTHS; w++) {
		u32 lanes = banks / dwords[w] ? banks / dwords[w] : 1;
		consecutive(r, w, 0, wave, lanes);
		consecutive(r, w, 1, wave, lanes);
	}
	bool twice = family == LDS_FAMILY_rdna && wave == 2 * device_wave;
	if ((wave != device_wave && !twice) || banks != device_banks ||
	    !lds_family_fits(family, device_wave, device_banks))
		return false;
	if (family == LDS_FAMILY_gcn || family == LDS_FAMILY_rdna)
		crossed_reads(r, wave);
	return true;
}
