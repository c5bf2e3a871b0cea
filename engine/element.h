/* One component of an element of a buffer: its bits, its value as text, distances of floats. */
#ifndef WAVESIM_ELEMENT_H
#define WAVESIM_ELEMENT_H

#include "traces/launch/launch.h"

u64 element_bits(const u8 *p, u32 bytes);
double element_float(u64 bits, u32 bytes);
/* Units in the last place between two floats. */
double element_ulps(u64 a, u64 b, u32 bytes);
const char *element_text(Arena *arena, const ElemShape *s, u64 bits);
/* The shape to compare a buffer of so many bytes by: its own, or bytes where that does not fit. */
ElemShape element_shape(const LaunchArg *arg, u64 size);

#endif
