// The group's sum of 1,024 floats: local memory and size come from the launch.
// wavesim: --global 4096 --local 256 --arg in=iota:4096 --arg out=zero:16
kernel void sum(global const float *in, global float *out)
{
	local float part[256];
	uint i = get_local_id(0);
	part[i] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint half_size = 128; half_size; half_size /= 2) {
		if (i < half_size)
			part[i] += part[i + half_size];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (!i)
		out[get_group_id(0)] = part[0];
}
