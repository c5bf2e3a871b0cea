/* Reads and writes of images, where the device has texture units (FeOptions.images): PoCL's function stays one of its
 * own, called by FE_IMAGE and its name. The wave machine runs it as that unit's (OP_image); the device's code has AMD's
 * function in its place (amdlib_adapt_images), whose body is image instructions. Private to frontend/. */
#ifndef WAVESIM_FRONTEND_IMAGES_H
#define WAVESIM_FRONTEND_IMAGES_H

#include "frontend/module/module.h"

/* After amdlib_adapt: those that AMD's library has, too. Of others FeModule.images_missing says why they stay PoCL's
 * software, which is not what a device runs. */
void images_separate(FeModule *m);
/* Are any kept so? */
bool images_used(const FeModule *m);

#endif
