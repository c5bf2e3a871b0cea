/* Which lanes an LDS access serves together. */
#ifndef WAVESIM_MODELS_LDS_H
#define WAVESIM_MODELS_LDS_H

#include "models/device/lds_rule.h"

/* Rules of chips; the words tell which machines a rule is for. */
#define LDS_FAMILIES(X) \
	X(gcn, "64 lanes on 32 banks") \
	X(evergreen, "64 lanes on 16 or 32 banks") \
	X(rdna, "32 lanes on 32 banks") \
	X(nvidia, "32 lanes on 32 banks")
typedef enum {
#define X(name, doc) LDS_FAMILY_##name,
	LDS_FAMILIES(X)
#undef X
	LDS_FAMILY_COUNT
} LdsFamily;

/* Is the family's rule one for chips of wave lanes and banks? */
bool lds_family_fits(LdsFamily family, u32 wave, u32 banks);
extern const char *const lds_family_doc[LDS_FAMILY_COUNT];

/* The rule for a machine of wave lanes and banks (a power of two). The chip's own
 * when it has exactly this width and these banks (RDNA runs 64 lanes as twice 32);
 * otherwise phases are consecutive lanes, banks / dwords per lane of them. Returns
 * whether it is the chip's own. */
bool lds_rule(LdsRule *r, LdsFamily family, u32 device_wave, u32 device_banks, u32 wave, u32 banks);

#endif
