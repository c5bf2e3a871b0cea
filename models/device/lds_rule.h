/* The LDS bank rule: which lanes of a wave access are served together, and in how many cycles.
 *
 * An instruction is served in passes of at most 16 bytes a lane, a pass in phases. In a phase every bank
 * gives one dword a cycle, so a phase takes as many cycles as its busiest bank has distinct dwords to
 * give. Lanes that ask for the same dword share it, except in atomics, where each has its own cycle.
 *
 * lds_rule.c is the only place that knows this: sim/ counts with it, models/timing/ times with it, and the
 * page draws what it says. All functions are pure; addresses are bytes, only their position in the banks
 * and their equality matter. */
#ifndef WAVESIM_LDS_RULE_H
#define WAVESIM_LDS_RULE_H

#include "base/base.h"

/* Rules of chips; the words tell which machines a rule is for. */
#define LDS_FAMILIES(X) \
	X(gcn, "64 lanes on 32 banks") \
	X(evergreen, "64 lanes on 16 or 32 banks") \
	X(rdna, "32 lanes on 32 banks") \
	X(nvidia, "32 lanes on 32 banks")
#define X_LDS_FAMILY(name, doc) LDS_FAMILY_##name,
typedef enum { LDS_FAMILIES(X_LDS_FAMILY) LDS_FAMILY_COUNT } LdsFamily;
extern const char *const lds_family_doc[LDS_FAMILY_COUNT];

/* Lanes of one phase when an instruction reads two 4-byte addresses a lane. */
#define LDS_PAIRS(X) \
	X(consecutive, "as for 8-byte reads: neighbours") \
	X(crossed, "eight lanes and the eight that come sixteen later")
#define X_LDS_PAIRS(name, doc) LDS_PAIRS_##name,
typedef enum { LDS_PAIRS(X_LDS_PAIRS) } LdsPairs;

enum { MOST_BANKS = 1024 };
/* What a machine may be given. */
static inline bool lds_banks_fit(u64 n) { return n && !(n & (n - 1)) && n <= MOST_BANKS; }

/* What decides the rule of a chip. */
typedef struct LdsChip {
	LdsFamily family;
	LdsPairs pairs;
	u32 wave, banks;
} LdsChip;

/* Accesses that differ in their phases, by bytes of a lane; LDS_2B32: two 4-byte addresses. Bytes and
 * shorts are served as dwords. */
enum { LDS_B32, LDS_B64, LDS_B128, LDS_2B32, LDS_WIDTHS };

typedef struct LdsPhases {
	u32 phases;            /* at most MAX_WAVE */
	u8 phase_of[MAX_WAVE]; /* lane -> phase */
	Mask lanes[MAX_WAVE];  /* phase -> its lanes */
} LdsPhases;

typedef struct LdsRule {
	u32 banks; /* a power of two; bank = address / 4 mod banks */
	bool pairs; /* wide reads whose lanes have one address in pairs go two phases at a time */
	LdsPhases width[LDS_WIDTHS][2]; /* [1]: writes */
} LdsRule;

/* Is the family's rule one for chips of wave lanes and banks? */
bool lds_family_fits(LdsFamily family, u32 wave, u32 banks);
/* The rule for a machine of wave lanes and banks (a power of two). The chip's own when it has exactly
 * this width and these banks (RDNA runs 64 lanes as twice 32); otherwise phases are consecutive lanes,
 * banks / dwords per lane of them. Returns whether it is the chip's own. */
bool lds_rule(LdsRule *r, LdsChip chip, u32 wave, u32 banks);

/* An LDS instruction of the machine, served with the addresses of one access of the Program: what
 * it adds to all of them does not matter, because that only rotates the banks. A pair of 4-byte
 * addresses is one pass, a pair of wider ones is a pass (or several) for each. */
typedef struct LdsIns {
	u16 bytes; /* of one lane, both halves of a pair together */
	bool pair;
	u16 distance; /* bytes from the first to the second address */
} LdsIns;

/* The lanes' side of an access. */
typedef struct LdsLanes {
	Mask mask;       /* active lanes */
	const u32 *addr; /* of each lane (MAX_WAVE or fewer, by lane); NULL: all at one address, not for atomics */
	bool write, atomic;
} LdsLanes;

typedef struct LdsCycles {
	u32 ideal, actual, max_way; /* phases; bank cycles; cycles of the longest phase */
} LdsCycles;
/* Bank cycles of one instruction. */
LdsCycles lds_cycles(const LdsRule *rule, const LdsIns *ins, const LdsLanes *lanes);

/* Dwords of a lane that are served together. */
typedef struct LdsPass {
	u32 width;    /* LDS_B32 … */
	u32 n, at[4]; /* bytes from the lane's address */
} LdsPass;
u32 lds_passes(const LdsIns *ins);
LdsPass lds_pass(const LdsIns *ins, u32 k);

/* A dword that a lane asks for. */
typedef struct LdsAsk {
	u32 dword;
	u16 bank, cycle; /* the bank gives it in this cycle of the phase, from 0 */
	u16 next;        /* for lds_phase */
	u8 lane;
	bool shared;     /* with a lane that asked before */
} LdsAsk;
typedef struct LdsPhase {
	Mask lanes;
	u32 cycles, n;
	LdsAsk ask[MAX_WAVE * 4]; /* lane by lane, each in the order of LdsPass.at */
} LdsPhase;
/* The phase of a pass that serves the lowest lane of *left, whose lanes go out of *left. lanes->addr is
 * not NULL. */
void lds_phase(const LdsRule *rule, const LdsPass *pass, const LdsLanes *lanes, Mask *left, LdsPhase *out);

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
