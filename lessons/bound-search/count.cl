// The rewrite done right: five independent tests count the bounds above x. Each test is one
// comparison and one addition, and all lanes do all of them.
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
	if (x < BOUND0)
		s++;
	if (x < BOUND1)
		s++;
	if (x < BOUND2)
		s++;
	if (x < BOUND3)
		s++;
	if (x < BOUND4)
		s++;
	return s;
}

kernel void slots(global const float *in, global uint *out)
{
	uint gid = get_global_id(0);
	out[gid] = slot(in[gid]);
}
