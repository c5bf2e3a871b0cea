// wavesim: --global 512x512 --local 64x4 --arg c=range:0:0.000003814697265625:0.999996185302735 --arg out=zero:262144
kernel void escape(global const float *c, global int *out)
{
	int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
	float x = 0, a = c[i] + 0.25f;
	int k = 0;
	for (; k < 200 && x < 4; k++)
		x = x * x + a;
	out[i] = k;
}
