// A switch that jumps into the middle of a loop.
//
// wavesim: --global 192 --local 64 --arg out=zero:192

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}


kernel void duff(global uint *out)
{
	uint gid = get_global_id(0), count = 1 + hash(gid) % 30, n = (count + 3) / 4, r = gid;
	switch (count & 3) {
	case 0:
		do {
			r = r * 3 + 1;
	case 3:
			r ^= r >> 5;
	case 2:
			r += count;
	case 1:
			r = r << 1 | r >> 31;
		} while (--n > 0);
	}
	out[gid] = r;
}
