// Divergence: what it costs when some lanes go another way. The two sides differ in a constant, so
// that no compiler merges them, and each is a chain that must run in order.
#define SIDE(v, c) \
	for (uint k = 0; k < 16; k++) \
		v = mad(v, 0.999f, c);

// The first `taking` of 64 lanes take the branch.
kernel void branch_lanes(global float *out, uint taking, uint rounds)
{
	uint lane = get_local_id(0) & 63;
	float v = (float)lane;
	for (uint r = 0; r < rounds; r++) {
		if (lane < taking) {
			SIDE(v, 0.5f)
			v = v * v;
		} else {
			SIDE(v, 0.25f)
			v = v - 1.0f;
		}
	}
	out[get_global_id(0)] = v;
}

// `ways` different ways, lane by lane: a switch that compilers keep as branches.
kernel void branch_ways(global float *out, uint ways, uint rounds)
{
	uint way = get_local_id(0) % ways;
	float v = (float)get_local_id(0);
	for (uint r = 0; r < rounds; r++) {
		for (uint w = 0; w < 8; w++)
			if (way == w) {
				SIDE(v, 0.5f)
				v += (float)w;
			}
	}
	out[get_global_id(0)] = v;
}

// Branches inside branches: at depth n, 2^n paths.
kernel void branch_nested(global float *out, uint depth, uint rounds)
{
	uint lane = get_local_id(0) & (1u << depth) - 1;
	float v = (float)get_local_id(0);
	for (uint r = 0; r < rounds; r++) {
		if (lane & 1) {
			SIDE(v, 0.5f)
			if (lane & 2) {
				SIDE(v, 0.25f)
				if (lane & 4) {
					SIDE(v, 0.125f)
				} else {
					SIDE(v, 0.75f)
				}
			} else {
				SIDE(v, 0.375f)
			}
		} else {
			SIDE(v, 0.625f)
			if (lane & 2) {
				SIDE(v, 0.875f)
			} else {
				SIDE(v, 0.0625f)
			}
		}
	}
	out[get_global_id(0)] = v;
}

// Loops that end lane by lane: lane l runs l % span + 1 times.
kernel void branch_loop(global float *out, uint span, uint rounds)
{
	uint times = get_local_id(0) % span + 1;
	float v = (float)get_local_id(0);
	for (uint r = 0; r < rounds; r++)
		for (uint t = 0; t < times; t++)
			SIDE(v, 0.5f)
	out[get_global_id(0)] = v;
}
