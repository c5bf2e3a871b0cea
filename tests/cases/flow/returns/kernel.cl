// Early returns from the kernel, from inside loops, and from called functions.
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


uint find(uint seed, uint limit)
{
	for (uint i = 0; i < limit; i++) {
		if (hash(seed + i) % 11 == 0)
			return i;
		for (uint j = 0; j < i; j++)
			if (hash(seed ^ j * 77) % 97 == 1)
				return i * 100 + j;
	}
	return ~0u;
}

kernel void returns(global uint *out)
{
	uint gid = get_global_id(0);
	if (gid % 9 == 8)
		return;
	uint f = find(gid, gid % 20);
	if (f == ~0u) {
		out[gid] = 1;
		return;
	}
	for (uint i = 0;; i++) {
		if (i == (f & 15)) {
			out[gid] = f + i;
			if (i & 1)
				return;
			break;
		}
	}
	out[gid] += 1000;
}
