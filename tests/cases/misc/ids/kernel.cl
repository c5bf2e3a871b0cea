// All work-item functions in three dimensions.
//
// wavesim: --global 12,6,4 --local 4,3,2 --arg out=zero:6912

kernel void ids(global uint *out)
{
	size_t at = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +
	            get_global_id(0);
	global uint *o = out + at * 24;
	for (uint d = 0; d < 3; d++) {
		o[d * 7] = (uint)get_global_id(d);
		o[d * 7 + 1] = (uint)get_local_id(d);
		o[d * 7 + 2] = (uint)get_group_id(d);
		o[d * 7 + 3] = (uint)get_global_size(d);
		o[d * 7 + 4] = (uint)get_local_size(d);
		o[d * 7 + 5] = (uint)get_num_groups(d);
		o[d * 7 + 6] = (uint)get_global_offset(d);
	}
	o[21] = get_work_dim();
	// 1 each, as OpenCL and AMD's library have it; PoCL has 0
	o[22] = (uint)(get_global_size(3) + get_local_size(7) + get_num_groups(3)) % 3;
	o[23] = (uint)(get_global_id(3) + get_local_id(5) + get_group_id(4) + get_global_offset(3));
}
