// wavesim: --global 65536 --local 256 --arg n=range:0:1:65535 --arg out=zero:65536
kernel void counts(global const int *n, global float *out)
{
	int g = get_global_id(0);
	float x = 1;
	for (int k = 0; k < (n[g] >> 8); k++)
		x = x * 0.5f + 0.25f * x * x;
	out[g] = x;
}
