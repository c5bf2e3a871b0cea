/* What single wavefronts did, for pictures: a bounded part of the record (isa/event.h) in terms
 * of source lines.
 *
 * A wavefront is a list of steps: a block entered by some lanes, or a barrier. A block is a list
 * of runs: so many wave instructions of one line. An access is at a site (one memory instruction
 * of the Program) and has a pattern: where its lanes lie. Equal masks and patterns are kept once.
 * How much is kept does not depend on the launch (the MOST_… of detail.c). */
#ifndef WAVESIM_REPORT_DETAIL_H
#define WAVESIM_REPORT_DETAIL_H

#include "models/device/lds_rule.h"
#include "isa/profile.h"

#define NO_LINE UINT32_MAX
#define STEP_BARRIER UINT32_MAX

typedef struct DetailRun {
	u32 line; /* Result.lines index, or NO_LINE */
	u32 n;    /* wave instructions */
} DetailRun;

typedef struct DetailBlock {
	u32 first, n; /* runs */
} DetailBlock;

typedef struct DetailStep {
	u32 block; /* blocks index, or STEP_BARRIER */
	u32 mask;  /* masks index */
} DetailStep;

typedef struct DetailSite {
	u32 line;   /* Result.lines index, or NO_LINE */
	bool lds, write, atomic;
	u32 bytes;  /* of one lane */
	const LdsIns *ins; /* of LDS: the machine's instructions that do it, nins of them … */
	u32 nins;
	bool known; /* … when that is what is counted; else it is one access of `bytes` */
	LdsPass *passes; /* of LDS: what these instructions are served in, one after the other */
	u32 npasses;
} DetailSite;

/* Lanes that LDS serves together. */
typedef struct DetailPhase {
	u32 pass, mask; /* DetailSite.passes, masks index */
	u32 cycles, n;
	const LdsAsk *ask; /* of each lane and dword of the pass */
} DetailPhase;

typedef struct DetailPattern {
	u32 site, mask;
	u64 address; /* of the first active lane, the first time: in the group's LDS, or in its buffer */
	const i64 *offset; /* of each active lane from it */
	u32 lanes;
	u64 seen;    /* times among the wavefronts kept */
	const DetailPhase *phases; /* of LDS, the first time */
	u32 nphases;
} DetailPattern;

typedef struct DetailUse {
	u32 step, pattern;
	u64 address;
} DetailUse;

typedef struct DetailWave {
	u64 group;
	u32 wave, lanes; /* of the group; that began */
	DetailStep *steps;
	u32 nsteps;
	DetailUse *uses;
	u32 nuses;
	bool cut; /* it did more than is kept */
} DetailWave;

typedef struct ResultDetail {
	bool has; /* else all is empty: not asked for, or nothing was recorded */
	u32 banks;
	ARRAY(DetailRun) runs;
	DetailBlock *blocks;
	u32 nblocks;
	ARRAY(Mask) masks;
	ARRAY(DetailSite) sites;
	ARRAY(DetailPattern) patterns;
	ARRAY(DetailWave) waves;
	u32 worst; /* of these: the recorded wavefront that lost most lane slots */
} ResultDetail;

struct Result;
struct ResultInput;
/* From the record in in->profile; r has its lines. Memory is r->arena's, arrays are freed by
 * result_detail_free. */
void result_detail_build(ResultDetail *d, const struct Result *r, const struct ResultInput *in);
void result_detail_free(ResultDetail *d);

#endif
