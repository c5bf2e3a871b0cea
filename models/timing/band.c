/* How far estimates are off, by what cross-checks showed: models/timing/bands.def, one row for each family
 * of devices and each thing that limits a launch. */
#include "models/timing/estimate.h"

/* Of equal chips and launches, clocks and the time to start a kernel differ by as much. */
static const double least_band = 0.1;

/* Where no launches were measured (RDNA and VLIW chips): assumed, wider than all that were found. */
static const double assumed_low = 0.5, assumed_high = 2;

/* Where nine of ten measured times lie, seen from an estimate that is bound so (bands.def). */
void time_band(const Device *dev, TimeBound bound, double *low, double *high)
{
	static const struct {
		LdsFamily family;
		i32 bound; /* BOUND_COUNT: any other */
		double low, high;
	} rows[] = {
#define BAND(family, bound, points, low, high) {LDS_FAMILY_##family, BOUND_##bound, low, high},
#define REST(family, points, low, high) {LDS_FAMILY_##family, BOUND_COUNT, low, high},
#include "models/timing/bands.def"
	};
	*low = assumed_low;
	*high = assumed_high;
	for (u32 i = COUNT(rows); i-- > 0;) {
		if (rows[i].family != (LdsFamily)dev->lds_rule ||
		    (rows[i].bound != (i32)bound && rows[i].bound != BOUND_COUNT))
			continue;
		*low = rows[i].low;
		*high = rows[i].high;
		if (rows[i].bound == (i32)bound)
			break;
	}
	*low = *low < 1 - least_band ? *low : 1 - least_band;
	*high = *high > 1 + least_band ? *high : 1 + least_band;
}
