/* Which device description fits a device that a driver names. */
#ifndef WAVESIM_DEVICE_NAMES_H
#define WAVESIM_DEVICE_NAMES_H

#include "base/base.h"

/* board: the marketing name ("AMD Radeon RX 6900 XT"), or NULL; name: what OpenCL calls it
 * ("gfx1030:sramecc-", "NVIDIA H200"). The name of a description, or NULL. */
const char *device_name_match(const char *board, const char *name, Arena *a);

#endif
