kernel void window(global const int *in, global int *out, uint n)
{
	uint i = get_global_id(0);
	if (i >= n)
		return;
	out[i] = in[i];
	if (i >= 1)
		out[i] += out[i - 1];
	if (i >= 2)
		out[i] += in[i - 2];
}
