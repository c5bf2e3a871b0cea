int row(global const int *in, int i)
{
	int sum = 0;
	for (int k = 0; k <= i; k++)
		sum += in[i * (i + 1) / 2 + k];
	return sum;
}

kernel void triangle(global const int *in, global int *out, int n)
{
	int i = get_global_id(0);
	out[i] = row(in, i);
	out[n - 1 - i] = row(in, n - 1 - i);
}
