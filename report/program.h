/* The launches of a whole program (engine/program.h) as text and as JSON. */
#ifndef WAVESIM_REPORT_PROGRAM_H
#define WAVESIM_REPORT_PROGRAM_H

#include "engine/program.h"
#include "report/report.h"

/* Sizes as "64x8", right-aligned (left-aligned: a negative width); "?" where they are not known. */
void program_text_sizes(const u64 v[3], u32 dims, int width, Buf *out);
/* A line for one launch (with a heading before the first), and the tables. */
void program_text_launch(const ProgramLaunch *l, bool first, Buf *out);
void program_text(const ProgramResult *p, const SinkStyle *style, Buf *out);
/* JSON in pieces, so that a program of many launches needs little memory: the start, each launch, the
 * end. */
void program_json_start(const ProgramResult *p, Buf *out);
void program_json_launch(const ProgramLaunch *l, bool first, Buf *out);
/* more: findings that are of no launch, or NULL. */
void program_json_end(const ProgramResult *p, const Result *more, Buf *out);
/* All of a program of which one launch is shown; of is new. */
typedef struct ProgramOne {
	ProgramResult *of;
	ProgramLaunch launch; /* without its result */
} ProgramOne;
void program_json_one(const ProgramOne *one, const Result *r, Buf *out);

#endif
