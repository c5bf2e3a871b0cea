// wavesim: --global 65536 --local 256 --arg out=zero:65536
kernel void counts(global float *out)
{
	int g = get_global_id(0);
	float x = 1;
	for (int k = 0; k < (g % 64) * 8; k++) // flaw: uneven_loop
		x = x * 0.5f + 0.25f * x * x;
	out[g] = x;
}
