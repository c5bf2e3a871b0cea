/* What a kernel reads from the machine besides its arguments.
 *
 * Two read-only segments: the HSA dispatch packet, and the implicit arguments of code
 * object v4.
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
};

#endif
