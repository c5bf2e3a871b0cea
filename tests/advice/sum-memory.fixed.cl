// device: mi210
// wavesim: --global 8192 --local 256 --arg a=random:2097152 --arg b=random:512 --arg out=zero:8192 --arg n=256
kernel void product(global const float *a, global const float *b, global float *out, int n)
{
	int g = get_global_id(0), items = get_global_size(0);
	float sum = out[g];
#pragma unroll 8
	for (int k = 0; k < n; k++)
		sum += a[k * items + g] * b[k];
	out[g] = sum;
}
