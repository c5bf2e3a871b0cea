// Memory alone: streams, a chase of pointers, local memory, nothing at all.

kernel void copy(global float *to, global const float *from)
{
	size_t i = get_global_id(0);
	to[i] = from[i];
}

kernel void copy4(global float4 *to, global const float4 *from)
{
	size_t i = get_global_id(0);
	to[i] = from[i];
}

kernel void triad(global double *to, global const double *b, global const double *c, double s)
{
	size_t i = get_global_id(0);
	to[i] = b[i] + s * c[i];
}

// 16 loads a work-item, a whole launch apart, as bandwidth benchmarks read.
kernel void read(global float *to, global const float *from)
{
	float sum = 0;
	size_t i = get_global_id(0), step = get_global_size(0);
	for (int k = 0; k < 16; k++)
		sum += from[i + k * step];
	to[i] = sum;
}

// One work-item follows a list: next[i] is the place of the next element in bytes. Vector loads, as
// the compiler does not know that it is one; nothing but the load between a load and the next.
kernel void chase(global uint *out, global const uint *next, int steps)
{
	global const char *from = (global const char *)next;
	uint at = get_global_id(0) * 4;
	for (int k = 0; k < steps; k += 16)
#pragma unroll
		for (int i = 0; i < 16; i++)
			at = *(global const uint *)(from + at);
	out[0] = at;
}

kernel void nothing(global int *out)
{
	if (get_global_size(0) == 0)
		out[0] = 1;
}

// Local memory: 64 times each work-item writes its place and reads its neighbour's.
#define PASS_ON(name, type, value, sum_of)                                                                     \
	kernel void name(global float *out, local type *pool)                                                  \
	{                                                                                                      \
		int lid = get_local_id(0), next = (lid + 1) % get_local_size(0);                               \
		type mine = value;                                                                             \
		for (int k = 0; k < 64; k++) {                                                                 \
			pool[lid] = mine;                                                                      \
			barrier(CLK_LOCAL_MEM_FENCE);                                                          \
			mine = pool[next];                                                                     \
			barrier(CLK_LOCAL_MEM_FENCE);                                                          \
		}                                                                                              \
		out[get_global_id(0)] = sum_of;                                                                \
	}
PASS_ON(pass_on, float, lid, mine)
PASS_ON(pass_on2, float2, (float2)(lid, 1), mine.x + mine.y)
PASS_ON(pass_on4, float4, (float4)(lid, 1, 2, 3), mine.x + mine.y + mine.z + mine.w)

// 16 loads of 16 bytes a work-item, otherwise as read.
kernel void read4(global float4 *to, global const float4 *from)
{
	float4 sum = 0;
	size_t i = get_global_id(0), step = get_global_size(0);
	for (int k = 0; k < 16; k++)
		sum += from[i + k * step];
	to[i] = sum;
}

kernel void fill(global double *to, double s)
{
	to[get_global_id(0)] = s;
}

kernel void scale(global double *to, global const double *from, double s)
{
	size_t i = get_global_id(0);
	to[i] = s * from[i];
}

kernel void triad4(global double *to, global const double *b, global const double *c, global const double *d)
{
	size_t i = get_global_id(0);
	to[i] = b[i] + c[i] * d[i];
}

// All work-groups read one region again and again: what a cache delivers. mask: its elements - 1.
kernel void again(global float *to, global const float4 *from, int mask)
{
	float4 sum = 0;
	int at = get_global_id(0);
	for (int k = 0; k < 256; k++) {
		sum += from[at & mask];
		at += 4096 + 256;
	}
	to[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}

// Loads that hit L1 with neighbours `stride` elements apart.
kernel void strided(global float *to, global const float *from, int stride, int mask)
{
	float sum = 0;
	int at = (get_local_id(0) & 63) * stride;
	for (int k = 0; k < 64; k++) {
#pragma unroll
		for (int i = 0; i < 16; i++)
			sum += from[at + i * 64];
		at = (at + 64) & mask;
	}
	to[get_global_id(0)] = sum;
}

// A list for chase: element i leads to the one `leap` further, round and round.
kernel void ring(global uint *next, int leap, int mask)
{
	int i = get_global_id(0);
	next[i] = ((i + leap) & mask) * 4;
}

kernel void chase_local(global int *out, int steps)
{
	local int next[256];
	for (int i = get_local_id(0); i < 256; i += get_local_size(0))
		next[i] = (i + 1) & 255;
	barrier(CLK_LOCAL_MEM_FENCE);
	int at = get_local_id(0);
	for (int k = 0; k < steps; k++)
		at = next[at];
	out[get_local_id(0)] = at;
}
