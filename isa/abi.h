/* What a kernel reads from the machine besides its arguments.
 *
 * Three read-only segments: the HSA dispatch packet, and the implicit arguments of code
 * objects v4 and v5 (QUERY_implicitarg_v5_ptr, what LLVM 18 and later make).
 *
 *   dispatch packet (QUERY_dispatch_ptr)       implicit arguments (QUERY_implicitarg_ptr)
 *      2  u16  work dimensions
 *      4  u16  work-group size x                   0  u64  global offset x, y 8, z 16
 *      6  u16  work-group size y                  64  u32  groups x, y 68, z 72
 *      8  u16  work-group size z                  76  u16  work-group size x, y 78, z 80
 *     12  u32  grid size x (work-items)           82  u16  items left over x, y 84, z 86
 *     16  u32  grid size y
 *     20  u32  grid size z                       256       bytes in all
 *     64       bytes in all
 *
 *   of v5                                      0  u32  full groups x, y 4, z 8
 *                                             12  u16  work-group size x, y 14, z 16
 *                                             18  u16  items left over x, y 20, z 22
 *                                             40  u64  global offset x, y 48, z 56
 *                                             64  u16  work dimensions
 *                                            240  u32  all groups x, y 244, z 248 (our own)
 *
 * Bytes not named read as 0. */
#ifndef WAVESIM_ABI_H
#define WAVESIM_ABI_H

enum {
	DISPATCH_SETUP = 2,
	DISPATCH_LOCAL_SIZE = 4,
	DISPATCH_GLOBAL_SIZE = 12,
	DISPATCH_BYTES = 64,
	IMPLICIT_GROUPS = 64,
	IMPLICIT_LOCAL_SIZE = 76,
	IMPLICIT_REMAINDER = 82,
	IMPLICIT_GLOBAL_OFFSET = 0,
	IMPLICIT_BYTES = 256,
	V5_GROUPS = 0,
	V5_LOCAL_SIZE = 12,
	V5_REMAINDER = 18,
	V5_GLOBAL_OFFSET = 40,
	V5_DIMS = 64,
	V5_ALL_GROUPS = 240,
};

#endif
