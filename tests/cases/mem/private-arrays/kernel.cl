// Private arrays with indices known only at run time: sort, stack, two dimensions, all widths.
//
// wavesim: --global 128 --local 64 --arg in=random:128 --arg out=zero:1024

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

kernel void arrays(global const uint *in, global uint *out)
{
	uint gid = get_global_id(0);
	uint list[12];
	uchar bytes[16] = {3, 1, 4, 1, 5, 9, 2, 6};
	ulong wide[5];
	short grid[4][6];
	for (uint i = 0; i < 12; i++)
		list[i] = hash(in[gid] + i) % 1000;
	for (uint i = 1; i < 12; i++) {
		uint x = list[i], j = i;
		while (j > 0 && list[j - 1] > x) {
			list[j] = list[j - 1];
			j--;
		}
		list[j] = x;
	}
	for (uint i = 0; i < 5; i++)
		wide[(i + gid) % 5] = (ulong)list[i] << (i * 7);
	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 6; x++)
			grid[y][x] = (short)(bytes[(y * 6 + x) & 15] * (x - y));
	bytes[gid & 15] = (uchar)gid;
	out[gid * 8] = list[0];
	out[gid * 8 + 1] = list[gid % 12];
	out[gid * 8 + 2] = (uint)(wide[gid % 5] >> 9);
	out[gid * 8 + 3] = (uint)(int)grid[gid & 3][gid % 6];
	out[gid * 8 + 4] = bytes[(gid * 3) & 15];
	uint stack[8], top = 0;
	for (uint h = list[11] | 1; h && top < 8; h >>= 2)
		stack[top++] = h & 3;
	while (top)
		out[gid * 8 + 5] = out[gid * 8 + 5] * 4 + stack[--top];
}
