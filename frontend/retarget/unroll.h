/* Loops as another maker's compiler would leave them. */
#ifndef WAVESIM_UNROLL_H
#define WAVESIM_UNROLL_H

#include "frontend/module/module.h"

/* Ask LLVM to put iterations of each innermost loop into one, as NVIDIA's compiler and assembler would: all of them, or
 * with `parts` some, up to so many where only the run knows how many there are. For a pass over m->mod that comes
 * after. Returns whether there is such a loop. */
bool unroll_mark(FeModule *m, u32 copies, bool parts);
/* Before -O3, for that: notes what it makes unknown, and keeps LLVM from unrolling by its rules for AMD's chips. */
void unroll_note(FeModule *m);

/* PoCL has clang forbid the unrolling of each loop that has no hint of its own. Allow it, but where the source asks for
 * that: whether it does is read there, since clang writes down the same for both. */
void unroll_allow(FeModule *m);

#endif
