// Macros from the command line, and an include file found with -I.
//
// wavesim: --global 64 --local 32 --arg out=zero:64

#include "twice.h"

#ifndef FACTOR
#error FACTOR must be given
#endif
#if defined(NAMED) && NAMED != 3
#error NAMED must be 3
#endif

kernel void macros(global uint *out)
{
	uint gid = get_global_id(0);
	out[gid] = TWICE(gid) * FACTOR + NAMED + sizeof(TYPE);
}
