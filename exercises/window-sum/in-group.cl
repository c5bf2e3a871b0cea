kernel void window(global const int *in, global int *out, uint n)
{
	uint i = get_global_id(0), l = get_local_id(0);
	if (i >= n)
		return;
	int sum = in[i];
	if (l >= 1)
		sum += in[i - 1];
	if (l >= 2)
		sum += in[i - 2];
	out[i] = sum;
}
