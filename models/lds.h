/* Which lanes an LDS access serves together. */
#ifndef WAVESIM_MODELS_LDS_H
#define WAVESIM_MODELS_LDS_H

#include "isa/lds.h"

/* Rules of chips. */
#define LDS_FAMILIES(X) X(gcn, "GCN and CDNA, 64 lanes on 32 banks; 128-bit reads in eight crossed groups")
typedef enum {
#define X(name, doc) LDS_FAMILY_##name,
	LDS_FAMILIES(X)
#undef X
	LDS_FAMILY_COUNT
} LdsFamily;

/* The rule for a machine of wave lanes and banks (a power of two). The chip's own
 * when it has exactly this width and these banks; otherwise phases are consecutive lanes,
 * banks / dwords per lane of them. Returns whether it is the chip's own. */
bool lds_rule(LdsRule *r, LdsFamily family, u32 device_wave, u32 device_banks, u32 wave, u32 banks);

#endif
