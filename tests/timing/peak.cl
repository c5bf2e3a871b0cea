// Arithmetic alone: chains of multiply-adds, several of them side by side, as any peak benchmark
// runs them. One kernel for each rate in the hardware tables.
//
// TURNS multiply-adds times 16 a work-item.

#define TURNS 32
#define CHAIN(T, MAD) \
	T x = (T)a, y = (T)get_local_id(0); \
	for (int i = 0; i < TURNS; i++) { \
		MAD(y, x, y) MAD(x, y, x) MAD(y, x, y) MAD(x, y, x) \
		MAD(y, x, y) MAD(x, y, x) MAD(y, x, y) MAD(x, y, x) \
		MAD(y, x, y) MAD(x, y, x) MAD(y, x, y) MAD(x, y, x) \
		MAD(y, x, y) MAD(x, y, x) MAD(y, x, y) MAD(x, y, x) \
	}

#define FLOAT(d, p, q) d = p * q + d;
#define DOUBLE(d, p, q) d = fma(p, q, d);
#define INT(d, p, q) d = p * q + d;
#define INT24(d, p, q) d = mad24(p, q, d);

kernel void f32(global float *out, float a)
{
	CHAIN(float, FLOAT)
	out[get_global_id(0)] = y;
}

kernel void f32x4(global float *out, float a)
{
	CHAIN(float4, FLOAT)
	out[get_global_id(0)] = y.x + y.y + y.z + y.w;
}

#ifdef cl_khr_fp64
kernel void f64(global double *out, float a)
{
	CHAIN(double, DOUBLE)
	out[get_global_id(0)] = y;
}
#endif

kernel void i32(global int *out, float a)
{
	CHAIN(int, INT)
	out[get_global_id(0)] = y;
}

kernel void i24(global int *out, float a)
{
	CHAIN(int, INT24)
	out[get_global_id(0)] = y;
}
