// wavesim: --global 256x256 --local 16x16 --arg n=256 --arg a=random:65536 --arg b=random:65536 --arg c=zero:65536
kernel void matmul(global const float *a, global const float *b, global float *c, int n)
{
	int row = get_global_id(0), col = get_global_id(1);
	float sum = 0;
#pragma unroll 8
	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + col]; // flaw: exchanged_indices
	c[row * n + col] = sum;
}
