/* How a machine's LDS serves one wave access: which lanes go together.
 * models/ builds the rule from a device description, sim/ counts with it. */
#ifndef WAVESIM_LDS_H
#define WAVESIM_LDS_H

#include "base/base.h"

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

/* An LDS instruction of the machine, counted with the addresses of one access of the Program: what
 * it adds to all of them does not matter, because that only rotates the banks. A pair of 4-byte
 * addresses is served like one 8-byte access, a pair of 8-byte ones like two after each other. */
typedef struct LdsIns {
	u8 bytes;  /* of one lane, both halves of a pair together */
	bool pair;
	u16 apart; /* bytes from the first to the second address */
} LdsIns;

/* A variable or argument in the local memory of a work-group. */
typedef struct LdsPart {
	const char *name;
	u64 offset, size; /* bytes */
	u32 row;          /* of an array of arrays: bytes of the innermost; else 0 */
} LdsPart;

/* What the device's compiler made of an LDS access of the Program. */
typedef struct LdsAccess {
	bool known;
	u32 first, n; /* LdsPlan.ins; 0 when an instruction of another access does this one too */
} LdsAccess;
typedef struct LdsPlan {
	const LdsAccess *of; /* per Program.ins; .known is false also of what is no LDS access */
	const LdsIns *ins;
} LdsPlan;

#endif
