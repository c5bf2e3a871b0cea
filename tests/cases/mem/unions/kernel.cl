// Unions: the same bytes as integers, floats, vectors and structs.
//
// wavesim: --global 128 --local 64 --arg in=random:128 --arg out=zero:1024

typedef union {
	ulong whole;
	struct {
		uint low, high;
	} part;
	uchar byte[8];
	float2 pair;
} Bits;

kernel void unions(global const float *in, global uint *out)
{
	uint gid = get_global_id(0);
	Bits b;
	b.pair = (float2)(in[gid], -in[gid]);
	out[gid * 8] = b.part.low;
	out[gid * 8 + 1] = b.part.high;
	out[gid * 8 + 2] = b.byte[3] + b.byte[7] * 256;
	b.byte[gid & 7] ^= 0xff;
	out[gid * 8 + 3] = (uint)(b.whole >> 20);
	b.whole += 0x100000001ul * gid;
	out[gid * 8 + 4] = b.part.high ^ b.part.low;
	Bits list[3] = {b, {.whole = 77}, {.part = {gid, 5}}};
	out[gid * 8 + 5] = list[gid % 3].byte[0];
	out[gid * 8 + 6] = list[(gid + 1) % 3].part.high;
}
