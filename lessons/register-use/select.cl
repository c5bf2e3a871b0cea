// The same result as branch.cl without an if: both buffers are written, one with what it held.
//
// wavesim: --global 1024 --local 64 --arg a=random:1024 --arg b=random:1024

kernel void mark(global int *a, global int *b)
{
	uint gid = get_global_id(0);
	bool larger = a[gid] > b[gid];
	a[gid] = larger ? gid : a[gid];
	b[gid] = larger ? b[gid] : gid;
}
