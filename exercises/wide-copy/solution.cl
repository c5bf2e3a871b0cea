kernel void invert(global const uchar *in, global uchar *out, uint n)
{
	uint i = get_global_id(0);
	if (4 * i + 3 < n)
		vstore4((uchar4)255 - vload4(i, in), i, out);
	else
		for (uint k = 4 * i; k < n; k++)
			out[k] = 255 - in[k];
}
