kernel void stencil(global const int *in, global int *out, int n)
{
	int i = get_global_id(0), sum = 0;
	for (int k = i - 8; k <= i + 8; k++)
		if (k >= 0 && k < n)
			sum += in[k];
	if (i < n)
		out[i] = sum;
}
