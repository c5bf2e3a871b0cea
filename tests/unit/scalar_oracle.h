/* A second machine, as simple as can be: one work-item at a time, one lane, no mask,
 * lane operations through lane_eval. What it leaves in memory is what the wave
 * machine must leave for any program whose lanes do not talk to each other. */
#ifndef WAVESIM_SCALAR_ORACLE_H
#define WAVESIM_SCALAR_ORACLE_H

#include "isa/isa.h"

/* One lane operation on values as bits. The result is cut to the result's type; k is the immediate. (lane_eval.c) */
u128 lane_eval(u32 op, u128 a, u128 b, u128 c, i64 k);

typedef struct OracleSeg {
	u8 *data;
	u64 size;
} OracleSeg;

/* Segments by number, 0 unused. Global memory holds the program's own objects, then
 * the launch's buffers in order; LDS and private memory are zeroed by
 * oracle_memory_new only: clear or renew the memory for another work-group. */
typedef struct OracleMemory {
	OracleSeg *global, *lds, *priv;
	u32 nglobal, nlds, npriv;
	u32 own; /* global segments that are the program's objects */
	Arena *arena;
} OracleMemory;

typedef enum { ORACLE_OK, ORACLE_STEPS, ORACLE_UNSUPPORTED } OracleEnd;

typedef struct OracleItem {
	u32 local_id[3], group_id[3];
	u32 lane, wave_size;
	const u128 *params; /* the value of each Program.params register */
	u64 dispatch_ptr, implicitarg_ptr, implicitarg_v5_ptr;
	u64 max_steps; /* instructions */
	/* filled in by oracle_run */
	u64 steps;
	u32 faults; /* accesses outside any object (they read 0 and write nothing), unreachable */
	u32 stopped_at; /* instruction, when the end is not ORACLE_OK */
} OracleItem;

/* buffers stay the caller's and are changed in place. */
OracleMemory *oracle_memory_new(const Program *p, const OracleSeg *buffers, u32 nbuffers);
void oracle_memory_free(OracleMemory *m);
u64 oracle_buffer_address(const OracleMemory *m, u32 buffer);
/* Zero LDS or private memory. */
void oracle_memory_clear(OracleMemory *m, Space space);

/* Run one work-item to its end. A barrier does nothing; operations across lanes,
 * work-group copies and recursion deeper than the program's functions are
 * ORACLE_UNSUPPORTED. */
OracleEnd oracle_run(const Program *p, OracleMemory *m, OracleItem *item);

#endif
