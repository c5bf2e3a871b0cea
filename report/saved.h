/* A report that was saved as JSON (sink_json), read back to be compared with another: a Result with what
 * engine/comparison.h asks for, and nothing else. It has no sources, buffers or wavefronts. */
#ifndef WAVESIM_REPORT_SAVED_H
#define WAVESIM_REPORT_SAVED_H

#include "engine/comparison.h"

/* NULL: it cannot be read, or is no report, which d says. result_free(). */
Result *saved_read(const char *path, Diag *d);
/* The same of text; path: what it is called. */
Result *saved_parse(const char *json, const char *path, Diag *d);
/* Why its buffers cannot be compared, and where its launch is not the other's. Notes are a's. */
CompareResults saved_results(const Result *before, const Result *after, Arena *a);

#endif
