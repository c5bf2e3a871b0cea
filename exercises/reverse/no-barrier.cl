kernel void reverse(global int *data)
{
	local int tile[256];
	uint l = get_local_id(0), i = get_global_id(0);
	tile[l] = data[i];
	data[i] = tile[255 - l];
}
