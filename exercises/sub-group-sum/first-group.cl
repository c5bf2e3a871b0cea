#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void lane_sum(global const int *in, global int *out, uint n)
{
	uint i = get_global_id(0);
	int sum = sub_group_reduce_add(i < n ? in[i] : 0);
	if (get_sub_group_local_id() == 0)
		out[get_sub_group_id()] = sum;
}
