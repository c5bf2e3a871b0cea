/* Coverage records for editors and genhtml: how many work-items ran each line.
 *
 * A line with code that no work-item ran has count 0; lines without code have no record, as
 * gcov's. Instructions without a source line belong to no file and are left out. */
#include "report/report.h"

/* Tools look for the file from their own folder. */
static void put_file(const char *name, Buf *out)
{
	char *full = realpath(name, NULL);
	buf_printf(out, "SF:%s\n", full ? full : name);
	free(full);
}

void sink_lcov(const Result *r, const SinkStyle *style, Buf *out)
{
	(void)style;
	for (u32 i = 0, to; i < r->nlines; i = to) {
		u32 file = r->lines[i].file, found = 0, hit = 0;
		for (to = i; to < r->nlines && r->lines[to].line && r->lines[to].file == file; to++)
			;
		if (to == i) {
			to++;
			continue;
		}
		buf_printf(out, "TN:%s\n", r->kernel);
		put_file(r->sources[file].name, out);
		for (u32 k = i; k < to; k++) {
			buf_printf(out, "DA:%u,%" PRIu64 "\n", r->lines[k].line, r->lines[k].lane_executions);
			found++;
			hit += r->lines[k].lane_executions > 0;
		}
		buf_printf(out, "LF:%u\nLH:%u\nend_of_record\n", found, hit);
	}
}
