kernel void transpose(global const float *in, global float *out, uint n)
{
	uint x = get_group_id(0) * 32 + get_local_id(0);
	for (uint k = get_local_id(1); k < 32; k += 8) {
		uint y = get_group_id(1) * 32 + k;
		out[y * n + x] = in[x * n + y];
	}
}
