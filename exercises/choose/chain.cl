kernel void choose(global const int *kind, global const int *in, global int *out, uint n)
{
	uint i = get_global_id(0);
	if (i >= n)
		return;
	if (kind[i] == 0)
		out[i] = in[i] * 3;
	else if (kind[i] == 1)
		out[i] = in[i];
	else if (kind[i] == 2)
		out[i] = in[i] * 4;
	else if (kind[i] == 3)
		out[i] = in[i];
	else if (kind[i] == 4)
		out[i] = in[i] * 5;
	else
		out[i] = in[i] * 9;
}
