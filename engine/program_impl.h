/* What the files of the program report share (private to report/program*.c). */
#ifndef WAVESIM_REPORT_PROGRAM_IMPL_H
#define WAVESIM_REPORT_PROGRAM_IMPL_H

#include "report/program.h"

/* Launches of equal kernel and sizes. */
typedef struct Shape {
	u64 shape; /* 0: empty slot */
	u64 launches, timed;
	double time_us, low_us, high_us; /* of the timed ones */
	u32 row;
} Shape;

struct ProgramReport {
	Arena *arena;
	const char *file, *command, *device;
	ARRAY(ProgramRow) rows;
	Shape *shapes; /* by hash */
	u64 mask, nshapes;
	bool summed;
};

#endif
