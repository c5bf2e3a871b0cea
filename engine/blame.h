/* Why a kernel's results may differ from run to run, by what its program does. */
#ifndef WAVESIM_BLAME_H
#define WAVESIM_BLAME_H

#include "isa/isa.h"

/* The reasons that apply, in words that end without a stop; NULL: none does. */
const char *blame_reasons(const Program *p, Arena *a);

#endif
