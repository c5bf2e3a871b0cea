/* What a kernel reads from the machine besides its arguments.
 *
 * Two read-only segments, laid out as AMD's run time lays them out (the HSA
 * dispatch packet; the implicit arguments of code object v5).
 *
 *   dispatch packet (QUERY_dispatch_ptr)       implicit arguments (QUERY_implicitarg_ptr)
 *      4  u16  work-group size x                   0  u32  groups x
 *      6  u16  work-group size y                   4  u32  groups y
 *      8  u16  work-group size z                   8  u32  groups z
 *     12  u32  grid size x (work-items)           12  u16  work-group size x, y 14, z 16
 *     16  u32  grid size y                        18  u16  items left over x, y 20, z 22
 *     20  u32  grid size z                        40  u64  global offset x, y 48, z 56
 *     64       bytes in all                       64  u16  work dimensions
 *                                                256       bytes in all
 *
 * Bytes not named read as 0. */
#ifndef WAVESIM_ABI_H
#define WAVESIM_ABI_H

enum {
	DISPATCH_LOCAL_SIZE = 4,
	DISPATCH_GLOBAL_SIZE = 12,
	DISPATCH_BYTES = 64,
	IMPLICIT_GROUPS = 0,
	IMPLICIT_LOCAL_SIZE = 12,
	IMPLICIT_REMAINDER = 18,
	IMPLICIT_GLOBAL_OFFSET = 40,
	IMPLICIT_WORK_DIM = 64,
	IMPLICIT_BYTES = 256,
};

#endif
