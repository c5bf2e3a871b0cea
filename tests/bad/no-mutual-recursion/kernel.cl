int odd(int n);
int even(int n)
{
	return n == 0 ? 1 : odd(n - 1);
}
int odd(int n)
{
	return n == 0 ? 0 : even(n - 1) * 3 + n;
}

// wavesim: --global 64 --local 32 --arg n=64 --arg a=iota:64 --arg out=zero:64

kernel void scale(global const int *a, global int *out, int n)
{
	int gid = get_global_id(0);
	if (gid < n)
		out[gid] = even(a[gid] & 7);
}
