// Functions that take pointers to each address space, and pointers chosen lane by lane.
//
// wavesim: --global 128 --local 32 --arg a=random:128 --arg b=random:128 --arg out=zero:512

constant uint fixed[4] = {10, 20, 30, 40};

uint of_global(global const uint *p, uint i) { return p[i] + 1; }
uint of_local(local const uint *p, uint i) { return p[i] + 2; }
uint of_constant(constant uint *p, uint i) { return p[i] + 3; }
uint of_private(const uint *p, uint i) { return p[i] + 4; }
void swap_private(uint *x, uint *y)
{
	uint t = *x;
	*x = *y;
	*y = t;
}

kernel void spaces(global const uint *a, global const uint *b, global uint *out)
{
	local uint left[32], right[32];
	uint gid = get_global_id(0), lid = get_local_id(0);
	uint mine[4] = {gid, gid + 1, gid * 2, 7};
	left[lid] = a[gid];
	right[lid] = b[gid];
	barrier(CLK_LOCAL_MEM_FENCE);
	swap_private(&mine[0], &mine[gid & 3]);
	global const uint *g = gid % 3 ? a : b;
	local uint *l = gid % 5 ? left : right;
	uint *p = gid & 1 ? mine : mine + 1;
	out[gid * 4] = of_global(g, gid);
	out[gid * 4 + 1] = of_local(l, 31 - lid);
	out[gid * 4 + 2] = of_constant(fixed, gid & 3);
	out[gid * 4 + 3] = of_private(p, gid % 3);
}
