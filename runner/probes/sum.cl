// Sums over memory. Compilers unroll these loops by different rules, because their strides, counters and ends differ.
#ifndef TURNS
#define TURNS 64
#endif
#define SUM(name, stride_type, stride, counter, turns) \
	kernel void name(global const float *in, global float *out, int n, int items) \
	{ \
		counter id = get_global_id(0); \
		stride_type step = stride; \
		float sum = 0; \
		for (counter k = 0; k < turns; k++) \
			sum += in[k * step + id]; \
		out[id] = sum; \
	}

SUM(stride_argument, int, items, int, n)
SUM(stride_size, int, get_global_size(0), int, n)
SUM(stride_unsigned, uint, items, uint, (uint)n)
SUM(counter_long, long, items, long, n)
SUM(turns_known, int, items, int, TURNS)

kernel void stride_constant(global const float *in, global float *out, int n)
{
	int id = get_global_id(0);
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += in[k * 8192 + id];
	out[id] = sum;
}

// Each work-item reads a row of its own.
kernel void rows(global const float *in, global float *out, int n)
{
	int id = get_global_id(0);
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += in[id * n + k];
	out[id] = sum;
}

kernel void pointer(global const float *in, global float *out, int n, int items)
{
	global const float *at = in + get_global_id(0);
	float sum = 0;
	for (int k = 0; k < n; k++, at += items)
		sum += *at;
	out[get_global_id(0)] = sum;
}

// The number of iterations depends on the data.
kernel void until(global const float *in, global float *out, int n, int items)
{
	int id = get_global_id(0), k = 0;
	float sum = 0;
	while (k < n && sum < 1e9f)
		sum += in[k++ * items + id];
	out[id] = sum;
}

kernel void products(global const float *in, global float *out, int n, int items)
{
	int id = get_global_id(0), row = id / 64, column = id % 64;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += in[row * n + k] * in[k * items + column];
	out[id] = sum;
}

kernel void gather(global const float *in, global float *out, int n, int items)
{
	int id = get_global_id(0);
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += in[(int)in[k * items + id] & 1023];
	out[id] = sum;
}
