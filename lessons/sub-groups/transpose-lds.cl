// Tiles of 8 x 8 elements, a row in each work-item, are transposed through local memory: it writes its row and reads its
// column. PAD=1 puts one unused element behind each row.
//
// wavesim: --global 131072 --local 256 --arg tiles=local:2304
// wavesim: --arg in=random:1048576 --arg out=zero:1048576

#ifndef PAD
#define PAD 0
#endif

kernel void transpose(global const uint8 *in, global uint8 *out, local uint *tiles)
{
	uint lid = get_local_id(0);
	local uint *row = tiles + lid * (8 + PAD);
	local uint *column = tiles + (lid & ~7u) * (8 + PAD) + (lid & 7);

	uint8 x = in[get_global_id(0)];
	row[0] = x.s0, row[1] = x.s1, row[2] = x.s2, row[3] = x.s3, row[4] = x.s4, row[5] = x.s5, row[6] = x.s6, row[7] = x.s7;
	barrier(CLK_LOCAL_MEM_FENCE);

	x.s0 = column[0], x.s1 = column[8 + PAD], x.s2 = column[2 * (8 + PAD)], x.s3 = column[3 * (8 + PAD)];
	x.s4 = column[4 * (8 + PAD)], x.s5 = column[5 * (8 + PAD)], x.s6 = column[6 * (8 + PAD)], x.s7 = column[7 * (8 + PAD)];
	out[get_global_id(0)] = x;
}
