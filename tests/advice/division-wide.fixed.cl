// wavesim: --global 262144 --local 256 --arg a=random:262144 --arg out=zero:262144 --arg m=9444732965739290428 --arg shift=9
kernel void share(global const ulong *a, global ulong *out, ulong m, uint shift)
{
	size_t i = get_global_id(0);
	ulong s = a[i];
	for (uint k = 0; k < 64; k++)
		s += mul_hi((i + k) << 32, m) >> shift;
	out[i] = s;
}
