// device: mi210
// wavesim: --global 8192 --local 256 --arg a=random:2097152 --arg out=zero:8192 --arg n=256
kernel void sums(global const float *a, global float *out, int n)
{
	int g = get_global_id(0), items = get_global_size(0);
	float sum = 0;
	for (int k = 0; k < n; k++) // flaw: waiting_loop
		sum += a[k * items + g];
	out[g] = sum;
}
