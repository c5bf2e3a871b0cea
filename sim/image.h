/* Reads and writes of images by a texture unit (OP_image).
 *
 * The function that it calls is run as any other, but counts nothing. What it accesses of the images' own memory is
 * collected lane by lane, and is one access of the instruction when the function ends: of so many texels of each lane,
 * one for a read of the nearest, 4 or 8 of one that interpolates. Texels do not lie in memory as the host wrote them
 * but in blocks of 256 bytes that are as wide as high (SimImage), so that neighbours in both directions share a line.
 */
#ifndef WAVESIM_SIM_IMAGE_H
#define WAVESIM_SIM_IMAGE_H

#include "sim/wave.h"

/* Bytes that the blocks of an image take; of one dimension, or of texels that are no power of two: those it has. */
u64 image_span(const SimBuffer *b);
ImageCall *image_call_new(Arena *a);
/* The access of a function that a texture unit does. */
void image_access(Wave *w, const WaveAccess *x);
/* The function was left: its texels are an access of the instruction. */
void image_end(Wave *w);

#endif
