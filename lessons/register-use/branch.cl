// The larger of two elements is overwritten: an if/else picks the buffer to write.
//
// wavesim: --global 1024 --local 64 --arg a=random:1024 --arg b=random:1024

kernel void mark(global int *a, global int *b)
{
	uint gid = get_global_id(0);
	if (a[gid] > b[gid])
		a[gid] = gid;
	else
		b[gid] = gid;
}
