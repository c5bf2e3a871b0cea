/* Values that nothing was written to: where they matter (SimConfig.check).
 *
 * A byte of LDS, of private memory, and of buffers that the host left without contents, was written or not. What is
 * loaded from bytes that were not, and what a variable in registers holds before it is written (OP_undef), is a value
 * that must not matter. It may be moved, computed with and stored to memory of the kernel; it matters where a branch,
 * an address or what the host reads depends on it: that is a finding, with the place where it was read. So padding that
 * is copied, and vectors whose components are written one by one, are none.
 *
 * Most kernels never load such a value. So a first run only looks for one; where it screens for races, too, their words
 * say what was written (check_screen.h). If there is one, the launch runs again, and follows them: a bit for each lane
 * of each register (Wave.unset), in a step of its own before each instruction. Where variables have no value, it
 * follows them at once, and runs again only if one of them gets into memory of which words tell. */
#ifndef WAVESIM_SIM_CHECK_UNSET_H
#define WAVESIM_SIM_CHECK_UNSET_H

#include "sim/memory.h"

/* Of a worker; NULL where they are not looked for. */
UnsetCheck *unset_new(const Worker *wk);
void unset_free(UnsetCheck *u);
void unset_group_start(UnsetCheck *u);
void unset_wave_start(Wave *w);
/* The lanes whose part of the data of an access has no value, where that is followed. */
Mask unset_data(const Wave *w, const Access *a);
/* … of the element with that byte of a lane's data. */
Mask unset_byte(const Wave *w, const Access *a, u32 at);
/* Of a first run: from now on it is kept here what of that memory was written: the units of 1 << shift bytes whose word
 * (a u16 of LDS, else a u32) is not 0. */
void unset_take(UnsetCheck *u, bool lds, u32 seg, u32 shift, const void *word);
/* Was such a value loaded, and not followed from there on? */
bool unset_seen(const UnsetCheck *u);
/* A value of a register that has none is stored where words say that something was written. */
void unset_stored(Wave *w, bool lds, u32 seg);

/* An access of one lane (of a wavefront: unset_access(), observe.h), with its data where that is in registers. */
void unset_lane(Wave *w, const Access *a, AccessKind kind, const Place *p, u32 lane, u32 bytes);
/* The lanes in which operands of an atomic have no value. It is about to happen: its result has one from now on. */
typedef struct UnsetOperands {
	Mask lanes;
	u32 from;
} UnsetOperands;
UnsetOperands unset_operands(Wave *w, const Sys *sys);
void unset_atomic(Wave *w, const Access *a, const UnsetOperands *operands, const Place *p, u32 lane, u32 bytes);
/* n bytes are written as those at from. */
void unset_copied(Wave *w, const Place *to, const Place *from, u32 lane, u64 n);
/* An async copy, of instruction ins, of one element, which has no padding. */
void unset_element(Wave *w, u32 ins, const Place *to, const Place *from, u32 lane, u32 bytes);
/* n bytes are written with what is known. */
void unset_written(Wave *w, const Place *p, u32 lane, u64 n);

/* The steps that follow values: see decode.c. d, a, b, c: as in Step; x: Code.sys. */
extern StepFn unset_any, unset_both, unset_select, unset_mov, unset_clear, unset_start, unset_branch, unset_address,
    unset_pick, unset_poke, unset_first, unset_permute,
    unset_matrix;

#endif
