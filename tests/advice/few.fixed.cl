// wavesim: --global 16384 --local 256 --arg a=random:16384 --arg out=zero:16384
kernel void few(global const float *a, global float *out)
{
	float x = a[get_global_id(0)];
	for (int k = 0; k < 2000; k++)
		x = x * 0.5f + 0.25f * x * x;
	out[get_global_id(0)] = x;
}
