/* Bodies for OpenCL C's functions of sub-groups and work-groups (frontend/module/collective.h), which PoCL's headers
 * declare where frontend/source/pocl asks for them. Private to frontend/. */
#ifndef WAVESIM_FRONTEND_RETARGET_COLLECTIVE_H
#define WAVESIM_FRONTEND_RETARGET_COLLECTIVE_H

#include "frontend/module/module.h"

/* Take their names from them, so that no library gives them another body. */
void collective_rename(FeModule *m);
/* Give them their bodies. */
bool collective_define(FeModule *m, Diag *d);

#endif
