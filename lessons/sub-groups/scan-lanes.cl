// The same running sums as scan-lds.cl: those of a sub-group by its lanes, then the sums of the sub-groups before it.
//
// wavesim: --global 1048576 --local 256 --arg parts=local:256
// wavesim: --arg in=random:1048576 --arg out=zero:1048576

kernel void scan(global const uint *in, global uint *out, local uint *parts)
{
	uint x = sub_group_scan_inclusive_add(in[get_global_id(0)]);
	if (get_sub_group_local_id() == get_sub_group_size() - 1)
		parts[get_sub_group_id()] = x;
	barrier(CLK_LOCAL_MEM_FENCE);

	for (uint i = 0; i < get_sub_group_id(); i++)
		x += parts[i];
	out[get_global_id(0)] = x;
}
