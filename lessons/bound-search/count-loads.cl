// The same result as chain-loads.cl: all bounds are loaded, once for the whole wave, and counted
// without a branch.
//
// wavesim: --global 16384 --local 256 --arg bounds=iota:5
// wavesim: --arg in=random(-1,5):16384 --arg out=zero:16384

uint slot(float x, global const float *bounds)
{
	uint s = 0;
	for (uint i = 0; i < 5; i++)
		s += x < bounds[i] ? 1 : 0;
	return s;
}

kernel void slots(global const float *in, global const float *bounds, global uint *out)
{
	uint gid = get_global_id(0);
	out[gid] = slot(in[gid], bounds);
}
