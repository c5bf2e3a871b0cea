// wavesim: --global 16384 --local 256 --arg kind=random:256 --arg out=zero:16384
kernel void choose(global const int *kind, global int *out)
{
	int i = get_global_id(0), s = i, m = kind[i / 64];
	for (int k = 0; k < 300; k++)
		if (m >> (k & 7) & 1) // flaw: uniform_branch
			s = (s * 5 + k) ^ (s >> 3);
		else
			s = (s ^ k) * 3 + (s >> 5);
	out[i] = s;
}
