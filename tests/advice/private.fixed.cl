// wavesim: --global 65536 --local 256 --arg a=random:65536 --arg out=zero:65536
kernel void table(global const uint *a, global uint *out)
{
	uint x = a[get_global_id(0)], s = 0;
	for (uint k = 0; k < 64; k++)
		s += x * ((x + k * 7) & 63);
	out[get_global_id(0)] = s;
}
