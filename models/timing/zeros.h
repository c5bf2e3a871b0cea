/* What is known of the bits of registers, whatever the launch. LLVM writes a sum as `or` where the bits of one are 0 in
 * the other. */
#ifndef WAVESIM_ZEROS_H
#define WAVESIM_ZEROS_H

#include "isa/isa.h"

/* Per register: how many of its lowest bits are always 0, up to 64. The arena's. */
u8 *low_zeros(const Program *p, Arena *a);
/* Is an instruction such an `or` of a constant, its second operand? */
bool adds_bits(const Program *p, const u8 *zeros, const Ins *i);
/* Does it add one to 32 bits, either way? */
bool adds_constant(const Program *p, const u8 *zeros, const Ins *i);

#endif
