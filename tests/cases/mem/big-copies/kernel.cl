// Structs large enough to be copied and cleared as memory, in all address spaces.
//
// wavesim: --global 64 --local 16 --arg in=random:4096 --arg out=zero:4096

typedef struct {
	uint word[48];
	uchar byte[60];
	float last;
} Block;

kernel void copies(global const uint *in, global uint *out)
{
	uint gid = get_global_id(0), lid = get_local_id(0);
	local Block shared[16];
	Block a = {{0}}, b;
	for (uint i = 0; i < 48; i++)
		a.word[i] = in[gid * 64 + i];
	for (uint i = 0; i < 60; i++)
		a.byte[i] = (uchar)(in[gid * 64 + i] >> 3);
	a.last = (float)gid;
	b = a;
	b.word[gid % 48] = 1;
	shared[lid] = b;
	barrier(CLK_LOCAL_MEM_FENCE);
	Block c = shared[(lid + 5) & 15];
	global Block *whole = (global Block *)(out + gid * 64);
	*whole = c;
	whole->byte[gid % 60] = a.byte[gid % 60];
	if (gid & 1) {
		Block zero = {{0}};
		zero.last = whole->last;
		*whole = zero;
	}
}
