/* The formats of a crosscheck (engine/crosscheck.h). */
#ifndef WAVESIM_REPORT_CROSSCHECK_H
#define WAVESIM_REPORT_CROSSCHECK_H

#include "engine/crosscheck.h"

void crosscheck_text(const Crosscheck *c, bool all_points, Buf *out);
/* Estimated against measured, both logarithmic, as SVG alone or as a page with the tables. */
void crosscheck_svg(const Crosscheck *c, Buf *out);
void crosscheck_html(const Crosscheck *c, Buf *out);
void crosscheck_json(const Crosscheck *c, Buf *out);

#endif
