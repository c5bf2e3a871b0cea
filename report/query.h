/* Numbers of a report by their place in its JSON, for pages whose text shows them.
 *
 * A path is keys between dots: divergence.lane_utilization, reference.status; a number is an index of a list:
 * launch.global.0. In lines[…] is a number of a source line of the input, or two with a dash: numbers of these lines
 * are summed. */
#ifndef WAVESIM_REPORT_QUERY_H
#define WAVESIM_REPORT_QUERY_H

#include "report/report.h"

typedef struct ResultQuery ResultQuery;
ResultQuery *result_query_new(const Result *r);
/* Of a report as text. file: whose lines "lines[…]" means; NULL: none. NULL: it is no JSON, or too long for the memory.
 */
ResultQuery *result_query_text(const char *json, const char *file);
void result_query_free(ResultQuery *q);

/* One of the two; text is the query's. False: there is no such value. */
typedef struct ResultValue {
	const char *text; /* NULL: a number */
	double number;
} ResultValue;
bool result_query(const ResultQuery *q, const char *path, ResultValue *out);
/* Elements of the list, or members of the object; 0: there is none. */
u32 result_query_length(const ResultQuery *q, const char *path);

#endif
