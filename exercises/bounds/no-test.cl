kernel void classify(global const int *in, constant int *bounds, global int *out, int n)
{
	int i = get_global_id(0), count = 0;
	int value = in[i];
	for (int k = 0; k < 16; k++)
		count += value >= bounds[k];
	out[i] = count;
}
