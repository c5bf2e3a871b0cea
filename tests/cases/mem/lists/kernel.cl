// A linked list and a tree kept in arrays: every load depends on the one before, lanes leave early.
//
// wavesim: --global 128 --local 64 --arg key=random:128 --arg out=zero:384

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

kernel void lists(global const uint *key, global uint *out)
{
	uint gid = get_global_id(0);
	uchar next[32];
	ushort tree[64];
	for (uint i = 0; i < 32; i++)
		next[i] = (uchar)(hash(gid + i) % 33);
	for (uint i = 0; i < 64; i++)
		tree[i] = (ushort)(hash(i ^ 0x55) & 0xfff);
	uint at = gid & 31, steps = 0, sum = 0;
	while (at != 32 && steps < 50) {
		sum = sum * 3 + at;
		at = next[at];
		steps++;
	}
	uint node = 1;
	while (node < 64 && tree[node] != (key[gid] & 0xfff))
		node = 2 * node + (tree[node] < (key[gid] & 0xfff));
	out[gid * 3] = sum;
	out[gid * 3 + 1] = steps;
	out[gid * 3 + 2] = node;
}
