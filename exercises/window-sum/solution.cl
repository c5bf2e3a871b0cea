kernel void window(global const int *in, global int *out, uint n)
{
	uint i = get_global_id(0);
	if (i >= n)
		return;
	int sum = in[i];
	if (i >= 1)
		sum += in[i - 1];
	if (i >= 2)
		sum += in[i - 2];
	out[i] = sum;
}
