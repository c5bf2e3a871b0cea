// not: split_branch
// A sum by a tree: fewer and fewer lanes take each step, and no other work can take their places, for a barrier comes
// behind it. Whole wavefronts that skip steps wait there.
// wavesim: --global 1024 --local 256
kernel void tree(global const float *in, local float *part, global float *out)
{
	uint lid = get_local_id(0), n = get_local_size(0);
	part[lid] = in[get_global_id(0)];
	for (uint step = 1; step < n; step *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (!(lid & (2 * step - 1)))
			part[lid] += part[lid + step];
	}
	if (!lid)
		out[get_group_id(0)] = part[0];
}
