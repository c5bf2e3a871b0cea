/* LDS phases: the lanes of a wavefront that one access serves in the same cycle.
 * Lanes conflict only inside a phase.
 *
 * GCN and CDNA have 32 banks and 64 lanes. 4-byte accesses go in two halves, 8-byte
 * accesses in four quarters of consecutive lanes, and 16-byte writes in eight groups
 * of consecutive lanes. 16-byte reads also have eight groups, but crossed ones:
 *
 *   {0-3,20-23} {4-7,16-19} {8-11,28-31} {12-15,24-27} and the same plus 32
 *
 * In the bits of the lane number t these are  t5 | (t2 ^ t4) << 1 | t3 << 2. So a row of
 * 16-byte elements padded by 4 bytes, which would be free in consecutive groups, is not
 * free on the chip. 12-byte accesses behave as 16-byte ones.
 *
 * A width or bank count that the chip does not have gets the general rule: a phase
 * asks for as many dwords as there are banks. */
#include "models/lds.h"

static void consecutive(LdsRule *r, u32 width, u32 write, u32 wave, u32 lanes)
{
	for (u32 t = 0; t < MAX_WAVE; t++)
		r->width[width][write].phase_of[t] = (u8)(t < wave ? t / lanes : 0);
	r->width[width][write].phases = (wave + lanes - 1) / lanes;
}

static void gcn_crossed_reads(LdsRule *r)
{
	for (u32 t = 0; t < 64; t++) {
		u32 t2 = t >> 2 & 1, t3 = t >> 3 & 1, t4 = t >> 4 & 1, t5 = t >> 5 & 1;
		r->width[LDS_B128][0].phase_of[t] = (u8)(t5 | (t2 ^ t4) << 1 | t3 << 2);
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
	if (wave != device_wave || banks != device_banks)
		return false;
	switch (family) {
	case LDS_FAMILY_gcn:
		if (wave != 64 || banks != 32)
			return false;
		gcn_crossed_reads(r);
		return true;
	case LDS_FAMILY_COUNT:
		break;
	}
	return false;
}
