/* How many wavefronts a chip keeps resident, what limits them, and what would give more.
 *
 * Pure functions of a device description and of what one wavefront and one work-group
 * take. The rule is in occupancy.c. */
#ifndef WAVESIM_OCCUPANCY_H
#define WAVESIM_OCCUPANCY_H

#include "models/device/device.h"

/* What decides. In the words of the report's `limiter`. */
#define OCCUPANCY_LIMITERS(X) \
	X(vgprs, "vector registers") \
	X(agprs, "accumulation registers") \
	X(sgprs, "scalar registers") \
	X(lds, "LDS") \
	X(groups, "the number of work-groups that a compute unit can hold") \
	X(group_size, "the size of the work-group") \
	X(waves, "nothing: there are as many as the chip can hold") \
	X(device, "the number of wavefronts that the whole device can hold")
#define X_OCC(name, doc) OCC_##name,
typedef enum { OCCUPANCY_LIMITERS(X_OCC) OCC_LIMITER_COUNT } OccLimiter;
extern const char *const occ_limiter_name[OCC_LIMITER_COUNT];
extern const char *const occ_limiter_doc[OCC_LIMITER_COUNT];

typedef struct OccInput {
	u32 vgprs, agprs, sgprs; /* of a wavefront; more than it can have counts as the most */
	u64 lds_bytes;           /* of a work-group */
	u32 group_size;          /* work-items */
	u32 wave;                /* lanes; 0: the device's */
} OccInput;

/* One thing to change: `less` of the resource, to `to`. For group_size only `to` counts. */
typedef struct OccChange {
	OccLimiter resource;
	u64 less, to;
} OccChange;

typedef struct Occupancy {
	OccInput in; /* wave is never 0 here */
	u32 waves_per_group;
	double groups_per_cu;  /* a work-group processor's share when it holds two compute units */
	double waves_per_cu, max_waves_per_cu;
	double waves_per_simd; /* mean: three waves on four units are 0.75 */
	u32 max_waves_per_simd;
	u32 waves_by_vgprs, waves_by_sgprs; /* per vector unit, at most max_waves_per_simd */
	/* What a unit that holds work-groups (a compute unit, or two together) has room for: the bound
	 * on groups by local memory and barriers, on wavefronts by registers and places. */
	u32 group_places, wave_places;
	u32 l1_bytes, l1_taken; /* of a compute unit: its L1, without what local memory takes of that */
	u32 waves_on_device; /* all compute units busy, and the device's own limit */
	OccLimiter limiter;
	/* The smallest change that gives more; all n together. n = 0: there is none. */
	struct {
		OccChange v[3];
		u32 n;
		double waves_per_simd, waves_per_cu;
	} next;
} Occupancy;

void occupancy(const Device *dev, const OccInput *in, Occupancy *out);
/* "3 fewer VGPRs would allow 9 waves per SIMD"; "" when there is no next step. */
void occupancy_next_text(const Device *dev, const Occupancy *o, Buf *out);

/* Occupancy over one quantity, the others as they are: runs of equal occupancy. */
typedef struct OccStep {
	u32 from, to;
	double waves_per_simd, waves_per_cu;
} OccStep;
typedef ARRAY(OccStep) OccCurve;
/* over: OCC_vgprs, OCC_lds or OCC_group_size. */
void occupancy_curve(const Device *dev, const OccInput *in, OccLimiter over, OccCurve *out);

#endif
