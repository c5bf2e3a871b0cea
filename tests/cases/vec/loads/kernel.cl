// vload and vstore of every width at places that suit no vector, in all address spaces.
//
// wavesim: --global 64 --local 32 --arg bytes=random(0,255):2048 --arg words=random:1200
// wavesim: --arg out=zero:2048 --arg wide=zero:1200

constant uint table[20] = {
	9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 11, 22, 33, 44, 55, 66, 77, 88, 99, 100,
};

kernel void loads(global const uchar *bytes, global const uint *words, global uchar *out,
                  global uint *wide)
{
	uint gid = get_global_id(0), lid = get_local_id(0);
	local uint tile[32 * 17];
	uchar private_bytes[24];
	uchar16 a = vload16(gid, bytes + 5);
	uchar3 b = vload3(gid, bytes + 1);
	uchar2 c = vload2(gid, bytes + 7);
	uint8 d = vload8(gid, words + 3);
	uint4 e = vload4(gid & 3, table + 1);
	vstore8(d, 0, tile + lid * 17);
	vstore4(e, 1, tile + lid * 17 + 5);
	tile[lid * 17 + 8] = gid;
	barrier(CLK_LOCAL_MEM_FENCE);
	uint8 f = vload8(0, tile + (31 - lid) * 17 + 1);
	vstore16(a, 0, private_bytes + 1);
	vstore3(b, 0, private_bytes + 18);
	private_bytes[0] = c.x;
	private_bytes[17] = c.y;
	private_bytes[21] = private_bytes[22] = private_bytes[23] = 1;
	uchar8 g = vload8(1, private_bytes + (gid & 7));
	vstore16(a.sfedcba9876543210, gid, out + 3);
	vstore3(g.s012, 0, out + gid * 16 + 4);
	vstore8(f + (uint)g.s7, gid, wide + 2);
	vstore2(d.s06, 0, wide + 8 * gid + 3);
}
