/* The passes over the module, in order (private to frontend/). */
#ifndef WAVESIM_FRONTEND_PIPELINE_H
#define WAVESIM_FRONTEND_PIPELINE_H

#include "frontend/module/module.h"

/* requires fe_retarget. The module becomes what module.h says of it. False on errors. */
bool fe_pipeline(FeModule *m, Diag *d);

#endif
