// Code that runs straight through, and how long it may be: PARTS times 256 multiply-adds, `rounds` times over.
// Eight chains, so that a wavefront need not wait for its own results. -D PARTS=1 to 127.
#ifndef PARTS
#define PARTS 1
#endif
#define STEP(x) x = fma(x, b, c);
#define M8 STEP(x0) STEP(x1) STEP(x2) STEP(x3) STEP(x4) STEP(x5) STEP(x6) STEP(x7)
#define M64 M8 M8 M8 M8 M8 M8 M8 M8
#define M256 M64 M64 M64 M64

kernel void straight(global float *out, uint rounds, float b, float c)
{
	float x0 = get_local_id(0), x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3;
	float x4 = x0 + 4, x5 = x0 + 5, x6 = x0 + 6, x7 = x0 + 7;
	for (uint r = 0; r < rounds; r++) {
#if PARTS & 1
		M256
#endif
#if PARTS & 2
		M256 M256
#endif
#if PARTS & 4
		M256 M256 M256 M256
#endif
#if PARTS & 8
		M256 M256 M256 M256 M256 M256 M256 M256
#endif
#if PARTS & 16
		M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256
#endif
#if PARTS & 32
		M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256
		M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256
#endif
#if PARTS & 64
		M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256
		M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256
		M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256
		M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256 M256
#endif
	}
	out[get_global_id(0)] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
