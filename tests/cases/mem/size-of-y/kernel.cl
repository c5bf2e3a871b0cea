// The y size of a work-group is half a dword of the dispatch packet: the scalar unit loads the dword. A short of an
// argument's buffer, which is not known to be aligned to dwords, it cannot load.
kernel void transpose(global const int *in, global int *out, int w)
{
	int x = get_global_id(0), y = get_global_id(1);
	out[x * get_global_size(1) + y] = in[y * w + x];
}

kernel void shorts(constant short *in, global int *out)
{
	out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = in[1];
}
