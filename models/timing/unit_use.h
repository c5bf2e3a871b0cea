/* How busy units were over time: slots of equal length from the start, which double in length when time goes on past
 * the last of them. */
#ifndef WAVESIM_UNIT_USE_H
#define WAVESIM_UNIT_USE_H

#include "base/base.h"

/* Units whose work is timed. */
#define BUSY_UNITS(X) \
	X(vector, "vector units") X(scalar, "scalar units") X(lds, "LDS") X(address, "address units") \
	X(constant, "constant caches") X(l2, "L2") X(l3, "L3") X(dram, "DRAM") \
	X(contention, "contended addresses")
#define X_BUSY(name, doc) BUSY_##name,
typedef enum { BUSY_UNITS(X_BUSY) BUSY_COUNT } BusyUnit;
extern const char *const busy_unit_name[BUSY_COUNT];
extern const char *const busy_unit_doc[BUSY_COUNT];

/* Rows: the units, and pipes that are busy beside one of them. */
enum { USE_LOGIC = BUSY_COUNT, USE_BRANCH, USE_ROWS, USE_SLOTS = 256 };

typedef struct UnitUse {
	double slot; /* its cycles */
	u32 n;       /* slots until the last that anything was busy in */
	double end;  /* of what was played, in cycles: memory may be busy behind the last wavefront */
	double busy[USE_ROWS][USE_SLOTS]; /* cycles; after unit_use_share the share of the slot, 0 … 1 */
} UnitUse;

/* From a time on so many cycles; use may be NULL. */
void unit_use_add(UnitUse *use, u32 row, double from, double cycles);
/* n: the units of each row that were played, all of which add to it. */
void unit_use_share(UnitUse *use, const double n[USE_ROWS]);

#endif
