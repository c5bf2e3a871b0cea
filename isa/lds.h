/* How a machine's LDS serves one wave access: which lanes go together.
 * models/ builds the rule from a device description, sim/ counts with it. */
#ifndef WAVESIM_LDS_H
#define WAVESIM_LDS_H

#include "isa/base.h"

/* Access widths that differ in their phases. Bytes and shorts are served as dwords. */
enum { LDS_B32, LDS_B64, LDS_B128, LDS_WIDTHS };
static inline u32 lds_width(u32 bytes) { return bytes <= 4 ? LDS_B32 : bytes <= 8 ? LDS_B64 : LDS_B128; }

typedef struct LdsRule {
	u32 banks; /* a power of two; bank = address / 4 mod banks */
	struct {
		u32 phases;            /* at most MAX_WAVE */
		u8 phase_of[MAX_WAVE]; /* lane -> phase */
	} width[LDS_WIDTHS][2];    /* [1]: writes */
} LdsRule;

#endif
