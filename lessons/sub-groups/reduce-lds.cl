// The sum of each 256 elements, one a work-item: a tree in local memory. At each level half as many work-items add, and
// all wait.
//
// wavesim: --global 1048576 --local 256 --arg tree=local:256
// wavesim: --arg in=random:1048576 --arg out=zero:4096

kernel void sum(global const uint *in, global uint *out, local uint *tree)
{
	uint lid = get_local_id(0);

	tree[lid] = in[get_global_id(0)];
	for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid < half_size)
			tree[lid] += tree[lid + half_size];
	}
	if (lid == 0)
		out[get_group_id(0)] = tree[0];
}
