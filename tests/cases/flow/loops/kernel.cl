// Nested loops whose lengths differ by lane, with break and continue.
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


kernel void loops(global uint *out)
{
	uint gid = get_global_id(0), r = 0;
	for (uint i = 0; i < hash(gid) % 13; i++) {
		if ((i + gid) % 5 == 4)
			continue;
		uint j = 0;
		while (true) {
			r = r * 5 + j + i;
			if (hash(r) % 7 == 0)
				break;
			if (++j > (gid & 7))
				break;
			if (j & 1)
				continue;
			r ^= i << 4;
		}
		if (r % 61 == 0)
			break;
	}
	do {
		r += 3;
	} while (hash(r) & 3);
	out[gid] = r;
}
