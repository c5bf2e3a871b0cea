/* The launches of a whole program: added up per kernel and in all. */
#ifndef WAVESIM_REPORT_PROGRAM_H
#define WAVESIM_REPORT_PROGRAM_H

#include "report/report.h"

/* Launches of one kernel, or of all. Counts are of those that were simulated. */
typedef struct ProgramRow {
	const char *kernel;
	u64 launches;   /* that the program made */
	u64 simulated, failed; /* failed: it could not be; the others were not asked for */
	u64 equal, different, unchecked; /* against the reference */
	u64 findings;
	u64 items, lanes; /* lanes: wave instructions times the width */
	ProfileTotals t;
	/* In microseconds. Launches of a size that was simulated at least once are taken to last as long as
	 * those; timed counts them. */
	u64 timed;
	double time_us, low_us, high_us;
	u64 measured; /* launches with event times, and their sum */
	double measured_us;
} ProgramRow;

typedef struct ProgramLaunch {
	u64 number, shape; /* equal shapes: the same kernel and sizes */
	const char *kernel;
	u64 global[3], local[3];
	u32 dims;
	double measured_us; /* negative: unknown */
	const Result *report; /* NULL: not simulated */
	const char *failed;   /* why it could not be, or NULL */
} ProgramLaunch;

typedef struct ProgramReport ProgramReport;
/* shown: launches to print, a line each, as they come; 0: none. */
ProgramReport *program_report_new(const char *file, const char *command, const char *device);
void program_report_free(ProgramReport *p);
/* Count one launch. */
void program_report_add(ProgramReport *p, const ProgramLaunch *l);
/* Sum up: to be called once, after the last. Rows are sorted by time, the total is the last. */
const ProgramRow *program_report_rows(ProgramReport *p, u32 *n);

/* Sizes as "64x8", right-aligned (left-aligned: a negative width); "?" where they are not known. */
void program_text_sizes(const u64 v[3], u32 dims, int width, Buf *out);
/* A line for one launch (with a heading before the first), and the tables. */
void program_text_launch(const ProgramLaunch *l, bool first, Buf *out);
void program_text(ProgramReport *p, const SinkStyle *style, Buf *out);
/* JSON in pieces, so that a program of many launches needs little memory: the start, each launch, the
 * end. */
void program_json_start(const ProgramReport *p, Buf *out);
void program_json_launch(const ProgramLaunch *l, bool first, Buf *out);
void program_json_end(ProgramReport *p, Buf *out);

#endif
