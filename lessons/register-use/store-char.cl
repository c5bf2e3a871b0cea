// Two float stores and one of a byte. Hardware without byte stores must read, change and write
// the whole dword.
//
// wavesim: --global 1024 --local 64 --arg a=zero:1024 --arg b=zero:1024 --arg c=zero:1024

kernel void stores(global float *a, global float *b, global char *c)
{
	uint gid = get_global_id(0);
	a[gid] = gid;
	b[gid] = gid;
	c[gid] = gid;
}
