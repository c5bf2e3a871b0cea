kernel void weigh(global const int *in, constant int *weight, global int *out, int n)
{
	int i = get_global_id(0), sum = 0;
	if (i >= n)
		return;
	for (int k = 0; k < 9; k++)
		sum += in[i + k - 4] * weight[k];
	out[i] = sum;
}
