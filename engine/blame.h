/* Why a kernel's results may differ from run to run, by what its program does. */
#ifndef WAVESIM_BLAME_H
#define WAVESIM_BLAME_H

#include "isa/isa.h"
#include "isa/words.h"

/* The reasons that apply, in words that end without a stop; NULL: none does. checked: it does not race, and reads
 * nothing that was not written. own: the native run is the helper's, whose work-items wait at barriers as they
 * should. addresses: the source makes numbers of addresses. unset: it uses components of vectors that have no
 * value. loose: the build option that lets compilers round as they like, or NULL. */
const char *blame_reasons(const Program *p, bool checked, bool own, bool addresses, bool unset, const char *loose,
                          const SourceWords *w, Arena *a);

/* The arguments that a branch out of a loop depends on, a bit for each; the last bit stands for all from 63 on. */
u64 blame_loop_args(const Program *p);

/* The arguments that an operand of n instructions is made of. The first is the address of an access, or the condition
 * of a branch; the second the divisor. */
u64 blame_operand_args(const Program *p, const u32 *ins, u32 n, u32 operand);

/* Of each register: is it made of what only the run knows, arguments, ids or memory that is written? Else it is made of
 * constants, as a loop's counter is. free() it. */
bool *blame_known_by_run(const Program *p);

#endif
