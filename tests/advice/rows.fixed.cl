// wavesim: --global 16384 --local 256 --arg n=64 --arg a=random:1048576 --arg out=zero:16384
kernel void rows(global const float *a, global float *out, int n)
{
	int row = get_global_id(0), all = get_global_size(0);
	float sum = 0;
#pragma unroll 1
	for (int k = 0; k < n; k++)
		sum += a[k * all + row];
	out[row] = sum;
}
