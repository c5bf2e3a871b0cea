// Work-groups that do not fill their last wave, with divergence in it.
//
// wavesim: --global 210 --local 70 --arg out=zero:210

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}


kernel void partial(global uint *out)
{
	local uint tile[70];
	uint gid = get_global_id(0), lid = get_local_id(0), r = 0;
	tile[lid] = hash(gid);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid >= 64)
		r = tile[lid - 64];
	else if (lid & 1)
		for (uint i = lid; i < 70; i += 9)
			r += tile[i];
	out[gid] = r ^ tile[69 - lid];
}
