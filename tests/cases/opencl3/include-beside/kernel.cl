// A file beside the kernel, by <...>, in what only clang compiles.
//
// wavesim: --global 64 --local 64 --arg o=random:64
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include <real.h>

kernel void twice(global real *o)
{
	int g = get_global_id(0);
	o[g] = o[g] * (real)2;
}
