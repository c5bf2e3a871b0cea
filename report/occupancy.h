/* The occupancy of a launch as part of a report, and `wavesim occupancy`'s page alone. */
#ifndef WAVESIM_REPORT_OCCUPANCY_H
#define WAVESIM_REPORT_OCCUPANCY_H

#include "models/device/occupancy.h"
#include "report/r600.h"

struct SinkStyle;
struct cJSON;

enum { OCC_CURVES = 3 };
extern const OccLimiter occ_curve_over[OCC_CURVES]; /* vgprs, lds, group_size */

typedef struct OccReport {
	const Device *device;
	const char *file, *kernel, *source; /* NULL when the numbers came from the command line */
	const R600Report *r600; /* NULL: not a chip of LLVM's r600 back end */
	Occupancy o;
	const char *next; /* what gives more, as text, or "" */
	OccStep *curve[OCC_CURVES];
	u32 ncurve[OCC_CURVES];
} OccReport;

void occ_report_build(OccReport *r, const Device *dev, const OccInput *in, Arena *a);
/* "9 of 10 waves per SIMD, 36 per compute unit; …", one or two lines. */
void occ_report_summary(const OccReport *r, const char *indent, Buf *out);
/* The page: what is taken, what limits, and the three curves as bars. */
void occ_report_text(const OccReport *r, const struct SinkStyle *style, Buf *out);
/* The report's `occupancy`, to be added to it. */
struct cJSON *occ_report_object(const OccReport *r);
void occ_report_json(const OccReport *r, Buf *out);

#endif
