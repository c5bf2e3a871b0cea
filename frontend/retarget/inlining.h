/* Which functions another maker's compiler inlines (private to frontend/). */
#ifndef WAVESIM_INLINING_H
#define WAVESIM_INLINING_H

#include "frontend/module/module.h"

/* NVIDIA's calls no function that it may inline, however large that is; where the code would become too much, LLVM
 * decides. Products of 24 bits are something unknown to it: separate functions, until inline_products. For passes over
 * m->mod that come after. */
void inline_functions(FeModule *m);
void inline_products(FeModule *m);

#endif
