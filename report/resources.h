/* Machine code and occupancy (engine/resources.h) as text and as JSON: parts of every report, and the page of
 * `wavesim occupancy`. */
#ifndef WAVESIM_REPORT_RESOURCES_H
#define WAVESIM_REPORT_RESOURCES_H

#include "engine/resources.h"

struct SinkStyle;
struct cJSON;

/* ---- machine.c, machine_json.c ---- */
/* One line of text for the summary, with its line feed. */
void machine_summary(const MachineResult *m, Buf *out);
struct cJSON *machine_object(const MachineResult *m);
/* Adds the keys of a line: machine_instructions and machine (null when not known). */
void machine_line_keys(struct cJSON *line, const MachineResult *m, const u64 *count);

/* ---- r600.c ---- */
/* A table; lines after the first begin with indent. */
void r600_text(const R600Result *r, const char *indent, Buf *out);
struct cJSON *r600_object(const R600Result *r);

/* ---- occupancy.c, occupancy_json.c ---- */
/* "9 of 10 waves per SIMD, 36 per compute unit; …", one or two lines. */
void occ_summary(const OccResult *r, const char *indent, Buf *out);
/* The page: what is taken, what limits, and the three curves as bars. */
void occ_text(const OccResult *r, const struct SinkStyle *style, Buf *out);
/* ", which leaves … bytes of L1" behind a work-group's local memory, where that takes any; else nothing. */
void occ_l1_left(const Occupancy *o, Buf *out);
/* The report's `occupancy`, to be added to it. */
struct cJSON *occ_object(const OccResult *r);
void occ_json(const OccResult *r, Buf *out);

#endif
