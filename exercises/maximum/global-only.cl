kernel void maximum(global const int *in, global int *out, int n)
{
	int i = get_global_id(0);
	if (i < n)
		atomic_max(out, in[i]);
}
