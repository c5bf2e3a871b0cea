// The same sums as reduce-lds.cl: each sub-group adds its own elements without local memory, and leaves one value there;
// the first sub-group adds these.
//
// wavesim: --global 1048576 --local 256 --arg parts=local:256
// wavesim: --arg in=random:1048576 --arg out=zero:4096

kernel void sum(global const uint *in, global uint *out, local uint *parts)
{
	uint lid = get_local_id(0);

	uint part = sub_group_reduce_add(in[get_global_id(0)]);
	if (get_sub_group_local_id() == 0)
		parts[get_sub_group_id()] = part;
	barrier(CLK_LOCAL_MEM_FENCE);

	if (get_sub_group_id() == 0) {
		uint all = sub_group_reduce_add(lid < get_num_sub_groups() ? parts[lid] : 0);
		if (lid == 0)
			out[get_group_id(0)] = all;
	}
}
