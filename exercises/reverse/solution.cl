kernel void reverse(global int *data)
{
	local int tile[256];
	uint l = get_local_id(0), i = get_global_id(0);
	tile[l] = data[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	data[i] = tile[255 - l];
}
