// wavesim: --global 1024 --local 64 --arg n=1000 --arg kind=random(0,5):1000 --arg in=random:1000 --arg out=zero:1000
kernel void choose(global const int *kind, global const int *in, global int *out, uint n)
{
	uint i = get_global_id(0);
	if (i >= n)
		return;
	if (kind[i] == 0)
		out[i] = in[i] * 3;
	else if (kind[i] == 1)
		out[i] = in[i];
	// and so on: 2 is a factor of 4, 3 of 1, 4 of 5, 5 of 9
}
