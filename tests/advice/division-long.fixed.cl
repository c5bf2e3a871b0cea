// wavesim: --global 262144 --local 256 --arg a=random:262144 --arg out=zero:262144 --arg m=2199023256 --arg shift=9
kernel void share(global const ulong *a, global ulong *out, uint m, uint shift)
{
	size_t i = get_global_id(0);
	ulong s = a[i];
	for (uint k = 0; k < 64; k++)
		s += mul_hi((uint)(i + k), m) >> shift;
	out[i] = s;
}
