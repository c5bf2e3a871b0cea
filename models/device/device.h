/* Device descriptions: what a chip looks like, each figure with its source.
 *
 * A description is a text file (models/device/shipped/NAME.ini). The ones of this
 * project are part of the program; any other can be named by its path. */
#ifndef WAVESIM_DEVICE_H
#define WAVESIM_DEVICE_H

#include "base/diag.h"
#include "models/device/lds_rule.h"

/* Chips that are built alike. What a rule of its own says, as of LDS or of compilers, is no part of it. */
#define DEVICE_FAMILIES(X) \
	X(gcn, "AMD's GCN and CDNA") \
	X(evergreen, "AMD's VLIW chips") \
	X(rdna, "AMD's RDNA") \
	X(nvidia, "NVIDIA's")
/* Whose code generator knows a chip. */
#define DEVICE_CODEGENS(X) \
	X(amdgcn, "LLVM's amdgcn back end") \
	X(r600, "LLVM's r600 back end (Evergreen, Northern Islands)") \
	X(none, "no back end here")
/* Whose compiler's rules say what the IR becomes, where no code generator does. */
#define DEVICE_IR_RULES(X) \
	X(amd, "AMD's") \
	X(nvidia, "NVIDIA's")
/* Where accumulation registers (AGPRs) come from. */
#define DEVICE_AGPR_RULES(X) \
	X(none, "there are none") \
	X(separate, "a file like the vector registers': the larger count decides") \
	X(unified, "the vector file, behind the vector registers at a multiple of 4")
/* What works on transcendental functions. */
#define DEVICE_TRANS_UNITS(X) \
	X(shared, "the vector unit itself") \
	X(own, "a unit beside it")
/* Which of the wavefronts that wait for a unit gets it. */
#define DEVICE_ISSUE_ORDERS(X) \
	X(oldest, "the one that began first") \
	X(turn, "the one that came first")
#define X_DEVICE_FAMILY(name, doc) DEVICE_FAMILY_##name,
typedef enum { DEVICE_FAMILIES(X_DEVICE_FAMILY) } DeviceFamily;
#define X_DEVICE_CODEGEN(name, doc) DEVICE_CODEGEN_##name,
typedef enum { DEVICE_CODEGENS(X_DEVICE_CODEGEN) } DeviceCodegen;
/* Which set of a cache a line goes to. */
#define DEVICE_CACHE_SETS(X) \
	X(plain, "the lower bits") \
	X(folded, "with the upper bits folded in")
#define X_CACHE_SETS(name, doc) CACHE_SETS_##name,
typedef enum { DEVICE_CACHE_SETS(X_CACHE_SETS) } DeviceCacheSets;
/* What L2 does with a write of a part of what memory is read and written by. */
#define DEVICE_PARTIAL_WRITES(X) \
	X(masked, "the bytes that are not written stay as they are in memory") \
	X(fetched, "they are fetched first")
#define X_PARTIAL_WRITES(name, doc) PARTIAL_WRITES_##name,
typedef enum { DEVICE_PARTIAL_WRITES(X_PARTIAL_WRITES) } DevicePartialWrites;
/* What becomes of a 32-bit atomic of integers where the compiler sees that all lanes have one address. */
#define DEVICE_UNIFORM_ATOMICS(X) \
	X(apart, "each lane does its own") \
	X(joined, "the lanes add up their values first, and one does it for all")
#define X_UNIFORM_ATOMICS(name, doc) UNIFORM_ATOMICS_##name,
typedef enum { DEVICE_UNIFORM_ATOMICS(X_UNIFORM_ATOMICS) } DeviceUniformAtomics;
#define X_DEVICE_IR_RULES(name, doc) DEVICE_IR_RULES_##name,
typedef enum { DEVICE_IR_RULES(X_DEVICE_IR_RULES) } DeviceIrRules;
#define X_AGPR(name, doc) AGPR_##name,
typedef enum { DEVICE_AGPR_RULES(X_AGPR) } DeviceAgprRule;
#define X_TRANS_UNIT(name, doc) TRANS_UNIT_##name,
typedef enum { DEVICE_TRANS_UNITS(X_TRANS_UNIT) } DeviceTransUnit;

#define X_ISSUE_ORDER(name, doc) ISSUE_ORDER_##name,
typedef enum { DEVICE_ISSUE_ORDERS(X_ISSUE_ORDER) } DeviceIssueOrder;

/* A table of thresholds, upto ascending: what holds for up to so many. n = 0: no threshold. */
enum { DEVICE_STEPS = 12 };
typedef struct Steps {
	u32 n;
	struct {
		u32 upto, value;
	} v[DEVICE_STEPS];
} Steps;

typedef enum {
#define TEXT(key, doc) DEVICE_##key,
#define NUM(key, unit, min, max, doc) DEVICE_##key,
#define CHOICE(key, list, doc) DEVICE_##key,
#define STEPS(key, doc) DEVICE_##key,
#include "models/device/device.def"
	DEVICE_FIELDS
} DeviceField;

typedef struct Device {
	const char *name; /* of the file, without .ini */
#define TEXT(key, doc) const char *key;
#define NUM(key, unit, min, max, doc) u32 key;
#define CHOICE(key, list, doc) u32 key;
#define STEPS(key, doc) Steps key;
#include "models/device/device.def"
	/* Where each figure comes from: mark and source, "D GPUSPEC"; of a user's file "-" where it does not say.
	 * NULL for texts. */
	const char *source[DEVICE_FIELDS];
} Device;

static inline LdsChip device_lds(const Device *d)
{
	return (LdsChip){(LdsFamily)d->lds_rule, (LdsPairs)d->lds_pairs, d->wave, d->lds_banks};
}

/* Read a user's description from its text; strings are the arena's. Adds every error. `base = NAME`
 * in it takes what it does not say from another one. */
bool device_parse(Device *dev, const char *name, const char *file, const char *text, Arena *a,
                  Diag *d);
/* The device of that name or alias, or the file when it ends in .ini. at: the place of the
 * name, for the message. */
bool device_load(Device *dev, const char *name, Loc at, Arena *a, Diag *d);
/* The same for the base of another description, depth bases away from the first; ours: a figure without its
 * source is an error. */
bool device_parse_base(Device *dev, const char *name, const char *file, const char *text, Arena *a,
                       u32 depth, bool ours, Diag *d);
bool device_load_base(Device *dev, const char *name, Loc at, Arena *a, u32 depth, Diag *d);
/* to's strings are the arena's. */
void device_copy(Device *to, const Device *from, Arena *a);
/* Names of the descriptions in the program, sorted. */
u32 device_count(void);
const char *device_name(u32 i);
/* Every field with unit, source and meaning. */
void device_print(const Device *dev, Buf *out);
/* What the marks of sources mean (the letters of the list in hardware tables). */
const char *device_mark(char mark);

/* The texts of models/device/shipped, put into the program by the Makefile. */
typedef struct DeviceText {
	const char *name, *text;
} DeviceText;
extern const DeviceText device_texts[];
extern const u32 device_ntexts;
/* Those of models/device/generations: bases (`base = gcn`), but no devices. */
extern const DeviceText device_bases[];
extern const u32 device_nbases;

#endif
