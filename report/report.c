/* The table of formats. */
#include "report/report.h"

const Sink sinks[SINK_COUNT] = {
#define SINK(name, option, doc) {#name, option, doc, sink_##name},
#include "report/sinks.def"
};
