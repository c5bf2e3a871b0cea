// wavesim: --global 1048576 --local 256 --arg n=24 --arg in=random:1048576 --arg out=zero:1048576
kernel void million(global const float *in, global float *out, uint n)
{
	local float tile[256 * 8];
	uint gid = get_global_id(0), lid = get_local_id(0);
	float sum = 0.0f;
	for (uint k = 0; k < 8; k++)
		tile[lid * 8 + k] = in[(gid * 17 + k) & 1048575];
	barrier(CLK_LOCAL_MEM_FENCE);
	uint x = gid * 2654435761u;
	for (uint k = 0; k < 64; k++) {
		x = x * 1664525u + 1013904223u;
		if (x >> 31)
			sum += tile[x >> 21];
		else
			sum *= 0.5f;
	}
	out[gid] = sum;
}
