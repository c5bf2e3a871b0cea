kernel void window(global const int *in, global int *out, uint n)
{
	uint i = get_global_id(0);
	if (i < n)
		out[i] = in[i] + in[i - 1] + in[i - 2];
}
