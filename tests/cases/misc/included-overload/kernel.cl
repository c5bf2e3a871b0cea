// Built-in functions that only another file names, however it comes in. As a float 20000001 is 20000000.
//
// wavesim: --global 4 --local 4 --arg out=zero:4

#\
include "bounds.h"

kernel void limits(global int *out)
{
	out[get_global_id(0)] = limit(20000001 + 2 * get_local_id(0));
}
