kernel void classify(global const int *in, constant int *bounds, global int *out, int n)
{
	int i = get_global_id(0), k = 0;
	if (i >= n)
		return;
	int value = in[i];
	while (k < 16 && bounds[k] <= value)
		k++;
	out[i] = k;
}
