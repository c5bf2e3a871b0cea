// wavesim: --global 96x24 --local 32x8 --arg n=96 --arg in=iota:9216 --arg out=zero:9216
kernel void transpose(global const float *in, global float *out, uint n)
{
	uint x = get_group_id(0) * 32 + get_local_id(0), row = get_group_id(1) * 32;
	for (uint y = row + get_local_id(1); y < row + 32; y += 8)
		out[x * n + y] = in[y * n + x];
}
