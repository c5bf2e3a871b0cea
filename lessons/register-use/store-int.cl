// store-char.cl with a dword in place of the byte.
//
// wavesim: --global 1024 --local 64 --arg a=zero:1024 --arg b=zero:1024 --arg c=zero:1024

kernel void stores(global float *a, global float *b, global int *c)
{
	uint gid = get_global_id(0);
	a[gid] = gid;
	b[gid] = gid;
	c[gid] = gid;
}
