// wavesim: --global 62464 --local 128 --arg a=random:62464 --arg out=zero:62464
kernel void tail(global const float *a, global float *out)
{
	float x = a[get_global_id(0)];
	for (int k = 0; k < 2000; k++)
		x = x * 0.5f + 0.25f * x * x;
	out[get_global_id(0)] = x;
}
