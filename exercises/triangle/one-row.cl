kernel void triangle(global const int *in, global int *out, int n)
{
	for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
		int sum = 0;
		for (int k = 0; k <= i; k++)
			sum += in[i * (i + 1) / 2 + k];
		out[i] = sum;
	}
}
