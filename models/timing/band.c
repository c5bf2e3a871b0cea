/* How far estimates are off, by what cross-checks showed: models/timing/bands.def, one row for each class of launches
 * and each thing that limits one. */
#include "models/timing/estimate.h"

/* Of equal chips and launches, clocks and the time to start a kernel differ by as much. */
static const double least_band = 0.1;

/* Where no launches were measured: assumed. */
static const double assumed_low = 0.5, assumed_high = 2;

/* Launches whose estimates are off alike: of a family of chips; of any of AMD's when registers spill. */
typedef enum {
	CLASS_evergreen = DEVICE_FAMILY_evergreen,
	CLASS_gcn = DEVICE_FAMILY_gcn,
	CLASS_rdna = DEVICE_FAMILY_rdna,
	CLASS_nvidia = DEVICE_FAMILY_nvidia,
	CLASS_spills,
} BandClass;

static bool has(u32 doubts, TimeDoubt d) { return doubts >> d & 1; }

static u32 class_of(const Device *dev, u32 doubts)
{
	return has(doubts, DOUBT_spills) ? (u32)CLASS_spills : (u32)dev->family;
}

const double ratio_near =
#define BAND(class, bound, points, kernels, low, high)
#define REST(class, points, kernels, low, high)
#define RATIO(class, kind, pairs, kernels, factor)
#define NEAR(times) times;
#include "models/timing/bands.def"

double ratio_factor(const Device *dev, RatioKind kind, u32 doubts)
{
	static const struct {
		BandClass class;
		RatioKind kind;
		double factor;
	} rows[] = {
#define BAND(class, bound, points, kernels, low, high)
#define REST(class, points, kernels, low, high)
#define NEAR(times)
#define RATIO(class, kind, pairs, kernels, factor) {CLASS_##class, RATIO_##kind, factor},
#include "models/timing/bands.def"
	};
	for (u32 i = 0; i < COUNT(rows) && !has(doubts, DOUBT_ir); i++) /* no estimates from the IR were compared */
		if (rows[i].class == class_of(dev, doubts) && rows[i].kind == kind)
			return rows[i].factor;
	return 0;
}

void time_band(const Device *dev, TimeBound bound, u32 doubts, double *low, double *high)
{
	static const struct {
		BandClass class;
		i32 bound; /* BOUND_COUNT: any other */
		double low, high;
	} rows[] = {
#define BAND(class, bound, points, kernels, low, high) {CLASS_##class, BOUND_##bound, low, high},
#define REST(class, points, kernels, low, high) {CLASS_##class, BOUND_COUNT, low, high},
#define RATIO(class, kind, pairs, kernels, factor)
#define NEAR(times)
#include "models/timing/bands.def"
	};
	u32 class = class_of(dev, doubts);
	bool measured = false;
	*low = assumed_low;
	*high = assumed_high;
	for (u32 i = 0; i < COUNT(rows); i++) {
		bool own = rows[i].bound == (i32)bound;
		if (rows[i].class != class || (!own && rows[i].bound != BOUND_COUNT))
			continue;
		*low = rows[i].low;
		*high = rows[i].high;
		measured = true;
		if (own)
			break;
	}
	bool assumed = !measured || has(doubts, DOUBT_ir) || has(doubts, DOUBT_contention);
	double least_low = assumed ? assumed_low : 1 - least_band;
	double least_high = assumed ? assumed_high : 1 + least_band;
	*low = *low < least_low ? *low : least_low;
	*high = *high > least_high ? *high : least_high;
}
