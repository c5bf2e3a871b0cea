// wavesim: --global 262144 --local 256 --arg a=random:262144 --arg out=zero:262144
kernel void scale(global const float *a, global float *out)
{
	float x = a[get_global_id(0)];
	for (int k = 0; k < 200; k++)
		x = x * 0.999 + 0.25 * x; // flaw: double_math
	out[get_global_id(0)] = x;
}
