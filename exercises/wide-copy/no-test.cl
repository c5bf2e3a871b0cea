kernel void invert(global const uchar *in, global uchar *out, uint n)
{
	uint i = get_global_id(0);
	vstore4((uchar4)255 - vload4(i, in), i, out);
}
