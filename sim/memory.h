/* Shared by the files of the memory path. */
#ifndef WAVESIM_MEMORY_H
#define WAVESIM_MEMORY_H

#include "sim/observe.h"

/* ---- memory.c ---- */
u32 private_offset(const Code *c, u32 a, u64 bytes);

/* ---- memory_slow.c: lane by lane, any space, with findings ---- */
extern StepFn mem_ld_slow, mem_st_slow;

/* Where a lane's address leads: global and LDS as bytes, private as an offset. */
typedef struct Place {
	u32 space; /* SPACE_GLOBAL, SPACE_LDS or SPACE_PRIVATE */
	u64 address; /* in that space */
	u8 *bytes;   /* of global and LDS */
	u32 offset;  /* of private */
} Place;

/* Resolve n bytes at a lane's address; false after adding a finding. space may
 * be flat. */
bool place_find(Wave *w, u32 space, u64 address, u64 n, bool write, u32 ins, u32 lane, Place *out);
/* The same without saying anything; FINDING_COUNT: the bytes are there. */
FindingKind place_peek(const Wave *w, u32 space, u64 address, u64 n, bool write, Place *out);
void place_read(const Wave *w, const Place *p, u32 lane, void *to, u64 n);
void place_write(Wave *w, const Place *p, u32 lane, const void *from, u64 n);

/* ---- debug.c ---- */
/* Bytes are moved there that no access of a wavefront moves. */
void debug_moved(Wave *w, u32 ins, const Place *to, u32 lane, u32 bytes);

/* Lanes of an access that reached global memory and LDS. */
typedef struct Reached {
	Mask global, lds, private;
	u64 global_at[MAX_WAVE];
	u32 lds_at[MAX_WAVE], private_at[MAX_WAVE];
} Reached;
void reached_add(Reached *r, const Wave *w, const Place *p, u32 lane);
/* Observe the access of so many bytes by each of them. */
void reached_observe(const Reached *r, Wave *w, const Access *a, u32 bytes, AccessKind kind);
/* Lanes compare and swap there: noted where the launch is recorded. */
void record_swaps(Wave *w, const Reached *r);

#endif
