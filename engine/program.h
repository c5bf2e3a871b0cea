/* The launches of a whole program: added up per kernel and in all. */
#ifndef WAVESIM_PROGRAM_H
#define WAVESIM_PROGRAM_H

#include "base/hash.h"
#include "engine/result.h"

/* Launches of one kernel, or of all. Counts are of those that were simulated. */
typedef struct ProgramRow {
	const char *kernel;
	u64 launches;   /* that the program made */
	u64 simulated, failed; /* failed: it could not be; the others were not wanted */
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

/* Launches of equal kernel and sizes. */
typedef struct ProgramShape {
	u64 launches, timed;
	double time_us, low_us, high_us; /* of the timed ones */
	u32 row;
} ProgramShape;

typedef struct ProgramResult {
	Arena *arena;
	const char *file, *command, *device;
	ARRAY(ProgramRow) rows; /* of a kernel each; after program_result_sum sorted by time, the total last */
	ARRAY(ProgramShape *) shapes; /* in the order of their first launch */
	Map *by_shape;
} ProgramResult;

ProgramResult *program_result_new(const char *file, const char *command, const char *device);
void program_result_free(ProgramResult *p);
/* Count one launch. */
void program_result_add(ProgramResult *p, const ProgramLaunch *l);
/* Sum up: to be called once, after the last. */
void program_result_sum(ProgramResult *p);

#endif
