/* Machine code of a VLIW chip in a report: what AMD's KernelAnalyzer printed of a kernel. */
#ifndef WAVESIM_REPORT_R600_H
#define WAVESIM_REPORT_R600_H

#include "models/timing/r600.h"

struct cJSON;

typedef struct R600Report {
	const R600Code *code; /* without its steps; NULL: nothing known */
	const char *missing;  /* then the reason */
	u32 vliw_slots;
	R600Rate best, all;
} R600Report;

/* The result does not refer to c. */
const R600Report *r600_report(const R600Code *c, const Device *dev, Arena *a);
/* A table; lines after the first begin with indent. */
void r600_report_text(const R600Report *r, const char *indent, Buf *out);
struct cJSON *r600_report_object(const R600Report *r);

#endif
