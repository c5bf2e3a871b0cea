// chain.cl with its bounds in memory (rising: bounds[0] is the smallest). An optimiser may make
// selections of chain.cl, but it may not load a bound that the chain might never reach, so here
// every test stays a branch and lanes that are done wait for the rest.
//
// wavesim: --global 16384 --local 256 --arg bounds=iota:5
// wavesim: --arg in=random(-1,5):16384 --arg out=zero:16384

uint slot(float x, global const float *bounds)
{
	uint s = 5;
	if (x >= bounds[4])
		s = 0;
	else if (x >= bounds[3])
		s = 1;
	else if (x >= bounds[2])
		s = 2;
	else if (x >= bounds[1])
		s = 3;
	else if (x >= bounds[0])
		s = 4;
	return s;
}

kernel void slots(global const float *in, global const float *bounds, global uint *out)
{
	uint gid = get_global_id(0);
	out[gid] = slot(in[gid], bounds);
}
