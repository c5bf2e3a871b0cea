// Divisions and square roots of doubles. With x = 1 they take the fast path, with x = 0 the slow one. Each operation
// depends on the result of the one before it.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define CHAIN(name, operation) \
	kernel void name(global double *out, double x, double y, int rounds) \
	{ \
		double t = 0; \
		for (int r = 0; r < rounds; r++) \
			t = operation; \
		out[get_global_id(0)] = t; \
	}

CHAIN(quotient, x / (y + t))
CHAIN(reciprocal, x * (1 / (x + t)))
CHAIN(root, sqrt(x + x * t))
CHAIN(inverse_root, x * rsqrt(x + x * t))
