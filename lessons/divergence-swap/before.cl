// Both sides of an if/else call one long function, with two arguments exchanged.
// n of every 64 work-items take the first side; any n from 0 to 64 works.
//
// wavesim: --global 4096 --local 256 --arg n=24 --arg rounds=40
// wavesim: --arg in=random:4096 --arg out=zero:4096

// The long function: 40 rounds are some 1700 operations. Every value stays between 0 and 1.
float4 work(float4 a, float4 b, float4 c, float4 d, float4 e, float4 f, uint rounds)
{
	float4 sum = (float4)(0.0f);
	for (uint i = 0; i < rounds; i++) {
		a = 0.5f * a + 0.25f * (a * e + b);
		c = 0.5f * c + 0.25f * (c * f + d);
		b = 0.5f * (b + f * a);
		d = 0.5f * (d + e * c);
		sum += a * b - c * d;
	}
	return sum;
}

kernel void swap(global const float4 *in, global float4 *out, uint n, uint rounds)
{
	uint gid = get_global_id(0);
	float4 x = in[gid];
	float4 a = x, b = x.yzwx, c = x.zwxy, d = x.wxyz;
	float4 e = 0.5f * x, f = 1.0f - x;
	float4 sum;

	if ((gid & 63) < n)
		sum = work(a, b, c, d, f, e, rounds);
	else
		sum = work(a, b, c, d, e, f, rounds);
	out[gid] = sum;
}
