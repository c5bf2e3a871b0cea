// wavesim: --global 256 --local 128 --arg n=40
// One of everything that the annotated source has a column for.
float halve(float x, uint rounds)
{
	for (uint i = 0; i < rounds; i++)
		x = x * 0.5f + 1.0f;
	return x;
}

kernel void columns(global const float *in, global float *out, local float *tile, uint n)
{
	uint lid = get_local_id(0), gid = get_global_id(0);
	tile[lid] = in[gid * 4 & 255];
	barrier(CLK_LOCAL_MEM_FENCE);
	float x = tile[lid * 4 & 127];
	if ((lid & 63) < n)
		x = halve(x, 8);
	else
		x = halve(x + 1.0f, 4);
	out[gid] = x;
}
