// wavesim: --global 262144 --local 256 --arg a=random:262144 --arg out=zero:262144 --arg n=1000
kernel void share(global const ulong *a, global ulong *out, ulong n)
{
	size_t i = get_global_id(0);
	ulong s = a[i];
	for (uint k = 0; k < 64; k++)
		s += (i + k) / n; // flaw: integer_division
	out[i] = s;
}
