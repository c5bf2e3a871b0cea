// Which of six slots holds x? An else-if chain stops at the first bound that x reaches.
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
	uint s = 5;
	if (x >= BOUND0)
		s = 0;
	else if (x >= BOUND1)
		s = 1;
	else if (x >= BOUND2)
		s = 2;
	else if (x >= BOUND3)
		s = 3;
	else if (x >= BOUND4)
		s = 4;
	return s;
}

kernel void slots(global const float *in, global uint *out)
{
	uint gid = get_global_id(0);
	out[gid] = slot(in[gid]);
}
