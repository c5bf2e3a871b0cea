// Branches and loops that all lanes take alike, steered by arguments and group numbers.
//
// wavesim: --global 192 --local 48 --arg n=7 --arg mode=2 --arg out=zero:192

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}


kernel void uniform(global uint *out, int n, uint mode)
{
	uint gid = get_global_id(0), group = get_group_id(0), r = gid;
	for (int i = 0; i < n; i++) {
		if (mode == 2)
			r = r * 3 + (uint)i;
		else
			r = hash(r);
		if (group == 3 && i == 4)
			break;
		for (uint j = 0; j < group; j++)
			r ^= j << (i & 7);
	}
	switch (mode + group) {
	case 2:
		r += 1;
		break;
	case 4:
		r = hash(r);
	case 5:
		r -= 9;
	}
	out[gid] = r;
}
