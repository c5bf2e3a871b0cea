// wavesim: --global 64 --local 32 --arg n=64 --arg a=iota:64 --arg out=zero:64

kernel void scale(global const int *a, global int *out, int n)
{
	int gid = get_global_id(0);
	if (gid < n)
		out[gid] = a[gid] * 3;
}
