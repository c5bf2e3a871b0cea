kernel void strided_sum(global const int *in, global int *out)
{
	int i = get_global_id(0), sum = 0;
	for (int k = 0; k < 32; k++)
		sum += in[32 * i + k];
	out[i] = sum;
}
