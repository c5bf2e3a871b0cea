// Local memory: arrays, a scalar, a struct, two dimensions, and two local arguments.
//
// wavesim: --global 128 --local 32 --arg in=random:128 --arg out=zero:512
// wavesim: --arg pool=local:64 --arg bytes=local:40

typedef struct {
	uint sum;
	ushort seen[32];
} Shared;

kernel void locals(global const uint *in, global uint *out, local uint *pool, local uchar *bytes)
{
	local uint grid[4][9];
	local uint total;
	local Shared shared;
	uint gid = get_global_id(0), lid = get_local_id(0);
	pool[lid] = in[gid];
	pool[lid + 32] = in[gid] ^ 0xffff;
	bytes[lid] = (uchar)gid;
	if (lid < 8)
		bytes[32 + lid] = 7;
	grid[lid / 8][lid % 8] = lid * lid;
	shared.seen[lid] = (ushort)(in[gid] >> 2);
	if (lid == 0) {
		total = 0;
		shared.sum = 5;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid == 31) {
		for (uint i = 0; i < 32; i++) {
			total += pool[i];
			shared.sum += shared.seen[i];
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[gid * 4] = total;
	out[gid * 4 + 1] = shared.sum + grid[lid % 4][lid / 4];
	out[gid * 4 + 2] = pool[63 - lid];
	out[gid * 4 + 3] = bytes[(lid * 3) % 40];
}
