// Four slots, of which none is for transcendental functions. The figures are those of LLVM 15.
//
// wavesim: --global 1024 --local 64

kernel void k(global const float *in, global float *out, int n)
{
	uint gid = get_global_id(0);
	float x = in[gid];
	for (int i = 0; i < (n & 7); i++)
		x = native_sin(x) * 0.5f + native_cos(x);
	if (x > 0.3f)
		out[gid] = native_sqrt(x) / 3;
	else
		out[gid] = x * x - in[gid ^ 1];
}
