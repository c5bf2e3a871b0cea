// Kernel attributes: a required work-group size and a vector hint.
//
// wavesim: --global 24,8 --arg out=zero:192

__attribute__((reqd_work_group_size(8, 4, 1), vec_type_hint(float4)))
kernel void attributes(global uint *out)
{
	local uint tile[32];
	uint lid = get_local_id(1) * 8 + get_local_id(0);
	tile[31 - lid] = (uint)(get_group_id(0) * 100 + get_group_id(1));
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(1) * 24 + get_global_id(0)] = tile[lid] + lid;
}
