// Divisions and roots of doubles that a few steps from a first reciprocal get right (x is 1), and that they do not (0). Each
// needs what the one before it computed.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define FAR(name, operation) \
	kernel void name(global double *out, double x, double y, int rounds) \
	{ \
		double t = 0; \
		for (int r = 0; r < rounds; r++) \
			t = operation; \
		out[get_global_id(0)] = t; \
	}

FAR(quotient, x / (y + t))
FAR(reciprocal, x * (1 / (x + t)))
FAR(root, sqrt(x + x * t))
FAR(inverse_root, x * rsqrt(x + x * t))
