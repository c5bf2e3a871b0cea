/* Cycles that a compute unit's texture unit takes for an access of an image, its lines in L1 aside (memory.c). */
#ifndef WAVESIM_TEXTURE_H
#define WAVESIM_TEXTURE_H

#include "isa/event.h"
#include "models/device/device.h"

/* Texels at integer coordinates of a read_only 2-D image, one of each lane: `bytes` at its offset from the address. For
 * devices with Device.texture_fetch_lanes. lanes: that take part; those that are not in the shape (NULL: none is) are
 * outside the image, where a border is. */
double texture_fetch_cycles(const Device *dev, const LaneShape *s, u64 address, u32 bytes, u32 lanes);
/* Other reads, and writes: so many texels of each lane, as many as a filter takes; the shape is the first one's. */
double texture_read_cycles(const Device *dev, const LaneShape *s, u64 address, u32 lanes, u32 bytes, u32 texels);

#endif
