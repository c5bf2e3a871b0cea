/* What `wavesim watch --watch-json` says of a run, for editors. */
#ifndef WAVESIM_REPORT_WATCH_H
#define WAVESIM_REPORT_WATCH_H

#include "base/diag.h"
#include "report/report.h"

/* One line: schema wavesim-watch/1. r NULL: it could not run; d says why. */
void watch_json(u64 run, const Result *r, const Diag *d, Buf *out);

#endif
