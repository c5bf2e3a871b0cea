// wavesim: --global 1024 --local 256 --arg n=1024 --arg in=random(0,99):1024 --arg out=zero:16
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void lane_sum(global const int *in, global int *out, uint n)
{
	uint i = get_global_id(0);
	// …
}
