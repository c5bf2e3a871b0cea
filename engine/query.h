/* Numbers of a report by their place in its JSON, for pages whose text shows them.
 *
 * A path is keys between dots: divergence.lane_utilization, reference.status. In lines[…] stands a
 * number of a source line of the input, or two with a dash: numbers of these lines are summed. */
#ifndef WAVESIM_REPORT_QUERY_H
#define WAVESIM_REPORT_QUERY_H

#include "report/report.h"

typedef struct ReportQuery ReportQuery;
ReportQuery *report_query_new(const Report *r);
void report_query_free(ReportQuery *q);

/* One of the two; text is the query's. False: there is no such value. */
typedef struct ReportValue {
	const char *text; /* NULL: a number */
	double number;
} ReportValue;
bool report_query(const ReportQuery *q, const char *path, ReportValue *out);

#endif
