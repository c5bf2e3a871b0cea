// No float is in here but the result: integers of 64 bits become doubles, whose numbers a float does not hold.
// not: double_math
// wavesim: --global 4096 --local 256 --arg n=3
kernel void double_bits(global float *out, int n)
{
	long r = get_global_id(0) + n;
	for (int k = 0; k < 100; k++)
		r *= r + as_double(r);
	out[get_global_id(0)] = (float)r;
}
