#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void lane_sum(global const int *in, global int *out, uint n)
{
	uint i = get_global_id(0);
	int sum = sub_group_reduce_add(in[i]);
	if (get_sub_group_local_id() == 0)
		out[4 * get_group_id(0) + get_sub_group_id()] = sum;
}
