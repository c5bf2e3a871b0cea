/* What is found wrong with a launch, in its Result (private to engine/). */
#ifndef WAVESIM_FINDINGS_H
#define WAVESIM_FINDINGS_H

#include "engine/result.h"

/* Fills r->findings, the worst first. Requires sources, reference and checks of r. */
void findings_build(Result *r, const ResultInput *in);

#endif
