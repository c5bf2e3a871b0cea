kernel void reverse(global int *data)
{
	uint l = get_local_id(0), i = get_global_id(0);
	data[i] = data[i - l + 255 - l];
}
