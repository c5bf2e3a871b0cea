// A global offset in two dimensions moves get_global_id and nothing else.
//
// wavesim: --global 16,8 --local 8,4 --arg out=zero:1024

kernel void offset(global uint *out)
{
	uint x = (uint)(get_global_id(0) - get_global_offset(0));
	uint y = (uint)(get_global_id(1) - get_global_offset(1));
	global uint *o = out + (y * 16 + x) * 8;
	o[0] = (uint)get_global_id(0);
	o[1] = (uint)get_global_id(1);
	o[2] = (uint)get_global_offset(0);
	o[3] = (uint)get_global_offset(1);
	o[4] = (uint)get_group_id(0) + 16 * (uint)get_group_id(1);
	o[5] = (uint)get_local_id(0) + 16 * (uint)get_local_id(1);
	o[6] = get_work_dim();
	o[7] = (uint)(get_global_id(2) + get_global_offset(2) * 10);
}
