// The doubles are data: bits that memory holds.
// not: double_math
// wavesim: --global 4096 --local 256 --arg bits=random:4096
kernel void double_load(global const long *bits, global float *out)
{
	double r = as_double(bits[get_global_id(0)]);
	for (int k = 0; k < 100; k++)
		r = r * r + 0.5;
	out[get_global_id(0)] = (float)r;
}
