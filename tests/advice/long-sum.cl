// wavesim: --global 256 --local 64 --arg a=random:256 --arg out=zero:256
kernel void sums(global const float *a, global float *out)
{
	float x = a[get_global_id(0)], sum = 0;
	for (int k = 0; k < 2000; k++) // flaw: few_waves
		sum += sqrt(x + k) * (x - k);
	out[get_global_id(0)] = sum;
}
