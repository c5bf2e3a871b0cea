// Functions that the compiler may not inline: several deep, called under divergence, with loops.
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


__attribute__((noinline)) uint leaf(uint x, uint n)
{
	uint r = x;
	while (n--)
		r = hash(r) ^ n;
	return r;
}

__attribute__((noinline)) uint4 middle(uint4 v, uint n)
{
	if (n & 1)
		v = v.yzwx + leaf(v.x, n);
	else
		v.w = leaf(v.y, 3) + leaf(v.z, n & 7);
	return v;
}

__attribute__((noinline)) void top(global uint *to, uint x)
{
	uint4 v = middle((uint4)(x, x + 1, x + 2, x + 3), x % 9);
	if (v.x % 4 == 0)
		return;
	*to += v.x ^ v.y ^ v.z ^ v.w;
}

kernel void calls(global uint *out)
{
	uint gid = get_global_id(0);
	out[gid] = leaf(gid, gid & 3);
	if (gid % 3)
		top(&out[gid], gid);
	for (uint i = 0; i < gid % 4; i++)
		top(&out[gid], out[gid] + i);
}
