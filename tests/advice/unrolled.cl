// wavesim: --global 65536 --local 256 --arg a=random:65536 --arg out=zero:65536
kernel void sums(global const float *a, global float *out)
{
	float t[32];
	for (int k = 0; k < 32; k++)
		t[k] = a[get_global_id(0)] * k;
#pragma unroll 1
	for (int r = 0; r < 8; r++)
#pragma unroll 1
		for (int k = 1; k < 32; k++)
			t[k] = t[k] * 0.5f + t[k - 1]; // flaw: private_array
	float s = 0;
	for (int k = 0; k < 32; k++)
		s += t[k];
	out[get_global_id(0)] = s;
}
