// wavesim: --global 256 --local 128 --arg a=zero:512 --arg out=zero:256 --arg n=7 --arg t=local:132
kernel void k(local int *t, int n, global int *out, global const int *a)
{
	int i = get_global_id(0), l = get_local_id(0);
	t[l + l / 32] = a[i] * n;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = t[(l ^ 1) + (l ^ 1) / 32];
}
