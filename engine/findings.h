/* What is found wrong with a launch, in its Result (private to engine/). */
#ifndef WAVESIM_FINDINGS_H
#define WAVESIM_FINDINGS_H

#include "engine/result.h"

/* Fills r->findings, the worst first. Requires sources, reference and checks of r. */
void findings_build(Result *r, const ResultInput *in);

/* What to do about one (finding_hint.c); NULL: nothing is said. */
const char *finding_hint(const Result *r, const ResultInput *in, const Finding *f);
/* Of a race: is one access the first guess of a loop around compare and swap, which may be any value? */
bool finding_first_guess(const Finding *f);
bool finding_one_reads(const Finding *f);

#endif
