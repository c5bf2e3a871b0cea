// Groups of local size 1 in x, a barrier under a condition that is the same for all: PoCL 3.1's
// loops over the work-items run what follows twice for the first one. Its copy of the code for
// each work-item does not, and agrees.
// wavesim: --global 1,66 --local 1,33 --arg out=zero:66 --arg sum=zero:1 --arg n=3
kernel void test(global uint *out, volatile global uint *sum, int n)
{
	uint lid = (uint)get_local_id(1), gid = (uint)get_global_id(1);
	local uint tile[33];
	uint v = gid;
	if (n == 7) {
		tile[lid] = v * 3;
		barrier(CLK_LOCAL_MEM_FENCE);
		v = tile[32 - lid];
	} else {
		atomic_inc(sum);
	}
	out[gid] = v;
}
