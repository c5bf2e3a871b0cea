/* See unit_use.h. */
#include "models/timing/unit_use.h"

const char *const busy_unit_name[BUSY_COUNT] = {BUSY_UNITS(X_NAME)};
const char *const busy_unit_doc[BUSY_COUNT] = {BUSY_UNITS(X_DOC)};

/* Two slots become one. */
static void halve(UnitUse *use)
{
	for (u32 r = 0; r < USE_ROWS; r++) {
		double *v = use->busy[r];
		for (u32 i = 0; i < USE_SLOTS / 2; i++)
			v[i] = v[2 * i] + v[2 * i + 1];
		memset(v + USE_SLOTS / 2, 0, USE_SLOTS / 2 * sizeof *v);
	}
	use->slot *= 2;
	use->n = (use->n + 1) / 2;
}

void unit_use_add(UnitUse *use, u32 row, double from, double cycles)
{
	if (!use || !(cycles > 0))
		return;
	double to = from + cycles;
	if (use->slot <= 0)
		use->slot = 1;
	while (to > use->slot * USE_SLOTS)
		halve(use);
	u32 first = (u32)(from / use->slot);
	for (u32 i = first; i < USE_SLOTS && i * use->slot < to; i++) {
		double a = i * use->slot, b = a + use->slot;
		use->busy[row][i] += (to < b ? to : b) - (from > a ? from : a);
		use->n = i >= use->n ? i + 1 : use->n;
	}
}

void unit_use_share(UnitUse *use, const double n[USE_ROWS])
{
	for (u32 r = 0; r < USE_ROWS; r++)
		for (u32 i = 0; i < use->n; i++) {
			double share = n[r] > 0 ? use->busy[r][i] / (n[r] * use->slot) : 0;
			use->busy[r][i] = share < 1 ? share : 1;
		}
}
