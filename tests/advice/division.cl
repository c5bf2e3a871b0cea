// wavesim: --global 262144 --local 256 --arg a=random:262144 --arg out=zero:262144 --arg n=37
kernel void share(global const uint *a, global uint *out, uint n)
{
	uint x = a[get_global_id(0)], s = 0;
	for (uint k = 0; k < 64; k++)
		s += (x + k) / n; // flaw: integer_division
	out[get_global_id(0)] = s;
}
