// wavesim: --global 262144 --local 256 --arg a=random:262144 --arg out=zero:262144 --arg m=3714566311 --arg shift=5
kernel void share(global const uint *a, global uint *out, uint m, uint shift)
{
	uint x = a[get_global_id(0)], s = 0;
	for (uint k = 0; k < 64; k++)
		s += mul_hi(x + k, m) >> shift;
	out[get_global_id(0)] = s;
}
