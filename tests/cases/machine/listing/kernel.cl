// The machine code beside the source: executions and lanes of each instruction, live registers. Half of the lanes take
// the branch; none has anything left at the end.
//
// wavesim: --global 256 --local 64 --arg in=random:256 --arg out=zero:256
kernel void k(global const float *in, global float *out)
{
	uint i = get_local_id(0), g = get_global_id(0);
	float x = in[g];
	if (i < 32)
		out[g] = native_sin(x);
}
