// Chains of ?:, of calls with side effects, and conditions that are themselves selections.
//
// wavesim: --global 192 --local 64 --arg out=zero:576

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}


uint note(global uint *to, uint v)
{
	*to = *to * 2 + 1;
	return v;
}

kernel void ternaries(global uint *out)
{
	uint gid = get_global_id(0), h = hash(gid);
	global uint *seen = &out[gid * 3];
	uint a = h % 10 < 3 ? 1 : h % 10 < 6 ? note(seen, 2) : h % 10 < 8 ? hash(h) : 4;
	uint b = (h & 16 ? h > 1u << 31 : (h & 32) != 0) ? note(seen, a + 1) : note(seen, a * 2);
	uint c = (h & 64) && note(seen, h & 128) ? b : (note(seen, 1), a);
	out[gid * 3 + 1] = b;
	out[gid * 3 + 2] = c;
}
