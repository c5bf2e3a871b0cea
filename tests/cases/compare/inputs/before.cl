// Values are the first launch's, buffers have its contents; sizes that the second file gives are its own.
// wavesim: --global 256 --local 64 --arg a=random:256 --arg out=zero:256 --arg n=5 --arg t=local:64
kernel void k(global const int *a, global int *out, int n, local int *t)
{
	int i = get_global_id(0), l = get_local_id(0);
	t[l] = a[i] * n;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = t[l ^ 1];
}
