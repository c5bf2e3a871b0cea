// Barriers inside functions, called once, called in a loop, and called by each other.
//
// wavesim: --global 256 --local 64 --arg in=random:256 --arg out=zero:256

uint exchange(local uint *tile, uint lid, uint value, uint with)
{
	tile[lid] = value;
	barrier(CLK_LOCAL_MEM_FENCE);
	uint other = tile[lid ^ with];
	barrier(CLK_LOCAL_MEM_FENCE);
	return other;
}

uint butterfly(local uint *tile, uint lid, uint value)
{
	for (uint with = 1; with < 64; with *= 2)
		value += exchange(tile, lid, value, with);
	return value;
}

/* Sorts 64 values, one per work-item. */
uint bitonic(local uint *tile, uint lid, uint value)
{
	for (uint k = 2; k <= 64; k *= 2)
		for (uint j = k / 2; j > 0; j /= 2) {
			uint other = exchange(tile, lid, value, j);
			bool up = (lid & k) == 0, low = (lid & j) == 0;
			value = up == low ? min(value, other) : max(value, other);
		}
	return value;
}

kernel void functions(global const uint *in, global uint *out)
{
	local uint tile[64];
	uint gid = get_global_id(0), lid = get_local_id(0);
	uint sorted = bitonic(tile, lid, in[gid]);
	out[gid] = sorted * 7 + butterfly(tile, lid, in[gid]);
}
