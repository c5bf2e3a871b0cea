kernel void weigh(global const int *in, constant int *weight, global int *out, int n)
{
	int i = get_global_id(0), sum = 0;
	if (i >= n)
		return;
	int first = max(0, 4 - i), end = min(9, n - i + 4);
	for (int k = first; k < end; k++)
		sum += in[i + k - 4] * weight[k - first];
	out[i] = sum;
}
