// Loads in a loop that keeps LIVE values in registers. The fewer registers are left, the fewer loads a compiler starts
// before it waits for the first.
#define LOADS 32
#define AHEAD(name, type, address) \
	kernel void name(global const float *in, global float *out, type n, int turns, float by) \
	{ \
		float live[LIVE], sum = 0; \
		for (int k = 0; k < LIVE; k++) \
			live[k] = in[get_global_id(0) + k * 7]; \
		for (int t = 0; t < turns; t++) { \
			type at = get_global_id(0) + t * 1000; \
			for (int k = 0; k < LOADS; k++) \
				sum += in[address] * by; \
			for (int k = 0; k < LIVE; k++) \
				live[k] = live[k] * sum + live[(k + 1) % LIVE]; \
		} \
		for (int k = 0; k < LIVE; k++) \
			sum += live[k]; \
		out[get_global_id(0)] = sum; \
	}

AHEAD(shared, int, at + k)
AHEAD(own, int, at + k * n)
AHEAD(unsigned_sums, uint, at + (uint)k * n)
