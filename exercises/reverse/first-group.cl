kernel void reverse(global int *data)
{
	local int tile[256];
	uint l = get_local_id(0);
	tile[l] = data[l];
	barrier(CLK_LOCAL_MEM_FENCE);
	data[l] = tile[255 - l];
}
