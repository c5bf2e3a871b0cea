// a file that begins with a byte order mark
kernel void k(global int *out)
{
	out[get_global_id(0)] = 1;
}
