// wavesim: --global 256 --local 128 --arg in=random:256 --arg out=zero:256 --arg t=local:128 --check=races
// Wavefronts read what others write without a barrier, and lanes what others of their wavefront write.
kernel void sum(global const int *in, global int *out, local int *t)
{
	int l = get_local_id(0);
	t[l] = in[get_global_id(0)];
	for (int s = 64; s > 0; s >>= 1)
		if (l < s)
			t[l] += t[l + s];
	out[get_global_id(0)] = t[0];
}
