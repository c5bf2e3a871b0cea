// A dense switch with work in every case, and one whose cases only choose a number.
//
// wavesim: --global 256 --local 64 --arg out=zero:512

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}


uint work(uint x, uint n)
{
	for (uint i = 0; i < n; i++)
		x = hash(x) + n;
	return x;
}

kernel void dense(global uint *out)
{
	uint gid = get_global_id(0), h = hash(gid), r = 1, k = 0;
	switch (h % 12) {
	case 0: r = work(h, 1); break;
	case 1: r = work(h, 5) * 3; break;
	case 2: r = work(gid, 2); break;
	case 3: r = h / 3; break;
	case 4: r = work(h, 4) ^ 1; break;
	case 5: r = work(h ^ gid, 3); break;
	case 6: r += h; /* falls through */
	case 7: r = work(r, 2); break;
	case 8: r = ~h; break;
	case 9: r = work(7, gid & 3); break;
	}
	switch (h >> 4 & 7) {
	case 0: k = 31; break;
	case 1: k = 12; break;
	case 2: k = 5; break;
	case 3: k = 99; break;
	case 4: k = 1; break;
	case 5: k = 64; break;
	case 6: k = 77; break;
	case 7: k = 8; break;
	}
	out[gid * 2] = r;
	out[gid * 2 + 1] = k;
}
