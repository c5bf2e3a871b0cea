// Members, vectors and arrays in a struct among the live values.
// wavesim: --global 64 --local 64 --arg o=zero:64 --arg a=iota:65 --arg n=3
typedef struct { float x; float2 v; int t[2][2]; } P;
kernel void k(global float *o, global const float *a, int n)
{
	int g = get_global_id(0);
	P p = {a[g], (float2)(a[g + 1], 1), {{g, 2}, {3, g}}};
#pragma unroll 1
	for (int i = 0; i < n; i++) {
		p.x += p.v.y;
		p.v.x *= p.x * 0.25f;
		p.v.y -= p.v.x * 0.125f;
		p.t[0][1] ^= p.t[1][1];
		p.t[1][1] += p.t[0][1];
	}
	o[g] = p.x + p.v.x + p.v.y + p.t[0][1] + p.t[1][1];
}
