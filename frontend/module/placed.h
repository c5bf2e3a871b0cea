/* Variables of a HIP program's device memory (private to frontend/). */
#ifndef WAVESIM_FRONTEND_PLACED_H
#define WAVESIM_FRONTEND_PLACED_H

#include "frontend/module/module.h"

/* Is a variable of a module for amdgcn one that its program's run time places: it can change, or the host sets it? */
bool placed_is(LLVMValueRef variable);
/* The addresses that m->src has for variables take the place of these. */
void placed_replace(FeModule *m);

#endif
