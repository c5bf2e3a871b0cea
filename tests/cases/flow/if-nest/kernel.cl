// Nested if/else with work on every path; each of 64 lanes may take a path of its own.
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


kernel void nest(global uint *out)
{
	uint gid = get_global_id(0), h = hash(gid), r = 0;
	if (h & 1) {
		r = h * 3;
		if (h & 2) {
			r ^= hash(r);
			if (h & 4)
				r += 7;
			else
				r = r % 1001;
		}
		r++;
	} else if (h & 8) {
		if (!(h & 16))
			out[gid] = 5;
		r += out[gid];
	} else {
		r = hash(h) / 3;
		if (h & 32)
			r -= gid;
	}
	if (r > 1000 && r % 3 == 0)
		r /= 3;
	out[gid] = r;
}
