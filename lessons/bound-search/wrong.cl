// The article's rewrite, in our own words: count the bounds above x. Two of the tests are still
// `else if`, so at most three bounds are counted: every x below BOUND1 gets another slot than in
// chain.cl. With --arg in=random(0.87,1):16384 the two agree, with random:16384 they do not.
//
// wavesim: --global 16384 --local 256
// wavesim: --arg in=random:16384 --arg out=zero:16384

// Cosines of 15, 30, 45, 60 and 75 degrees.
#define BOUND0 0.965926f
#define BOUND1 0.866025f
#define BOUND2 0.707107f
#define BOUND3 0.5f
#define BOUND4 0.258819f

uint slot(float x)
{
	uint s = 0;
	if (x < BOUND4)
		s++;
	if (x < BOUND3)
		s++;
	if (x < BOUND2)
		s++;
	else if (x < BOUND1)
		s++;
	else if (x < BOUND0)
		s++;
	return s;
}

kernel void slots(global const float *in, global uint *out)
{
	uint gid = get_global_id(0);
	out[gid] = slot(in[gid]);
}
