/* Copies of a work-group (async_work_group_copy, async_work_group_strided_copy) as AMD's device library has them: a
 * loop in which, of n work-items, number i copies elements i, i + n, i + 2n …; for NVIDIA's devices n and i are
 * those of dimension 0, as its compiler has them (private to frontend/).
 *
 * The loop is put in before anything is optimised, as AMD's compiler does, so what runs is what the code generator
 * gets: lines, banks, instructions and time of a copy are those of any loop. The call stays in front of it and says for
 * the machine's findings what is under way; a call of FE_COPIED behind it says that the loop ends there. */
#ifndef WAVESIM_FRONTEND_COPIES_H
#define WAVESIM_FRONTEND_COPIES_H

#include "frontend/module/module.h"

/* requires workitem_drop_runtime, and that AMD's library, or what stands for its work-item functions, is linked later.
 * Not for checks, which follow a copy as one access of the group, nor for native runs. */
bool copies_expand(FeModule *m, Diag *d);

#endif
