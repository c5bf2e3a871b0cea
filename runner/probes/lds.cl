// Local memory: what neighbouring work-items on elements `stride` apart cost, per element type.
// One work-group, so that one compute unit's local memory is the limit. Lanes repeat after 64, the
// widest wavefront; the distance between the accesses of a round is a multiple of all bank counts.
// `walk` is 1: compilers that do not know it cannot keep a round's values for the next.
#ifndef T
#define T uint
#endif
#define POOL (22528 / sizeof(T)) // bytes: 64 lanes, 256 apart, and the walk below
#define WALK (128 / sizeof(T))
#ifndef LANES // groups of SAME lanes that are at places of their own; those behind them repeat them
#define LANES 64
#define SAME 1
#endif

kernel void lds_read(global T *out, uint stride, uint rounds, uint walk)
{
	local T pool[POOL];
	uint lid = get_local_id(0);
	for (uint i = lid; i < POOL; i += get_local_size(0))
		pool[i] = (T)(i);
	barrier(CLK_LOCAL_MEM_FENCE);
	uint at = lid / SAME % LANES * stride;
	T sum = (T)(0);
	for (uint r = 0; r < rounds; r++) {
		uint now = at + (r * walk & 31) * WALK;
		for (uint k = 0; k < 8; k++)
			sum += pool[now + k * WALK];
	}
	out[lid] = sum;
}

// An address always gets the same value, because the order of wavefronts is nobody's.
kernel void lds_write(global T *out, uint stride, uint rounds, uint walk)
{
	local T pool[POOL];
	uint lid = get_local_id(0);
	uint at = (lid & 63) * stride;
	for (uint r = 0; r < rounds; r++) {
		uint now = at + (r * walk & 31) * WALK;
		for (uint k = 0; k < 8; k++)
			pool[now + k * WALK] = (T)(now + k * WALK);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[lid] = pool[(lid & 63) * stride];
}

// stride 0: all on one address.
kernel void lds_atomic(global uint *out, uint stride, uint rounds)
{
	local uint pool[4096];
	uint lid = get_local_id(0);
	for (uint i = lid; i < 4096; i += get_local_size(0))
		pool[i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	uint at = (lid & 63) * stride & 4095;
	for (uint r = 0; r < rounds; r++)
		atomic_add(&pool[at], r);
	barrier(CLK_LOCAL_MEM_FENCE);
	out[lid] = pool[lid & 4095];
}

// One lane after another value of its own: latency.
kernel void lds_chase(global uint *out, uint steps)
{
	local uint pool[1024];
	for (uint i = get_local_id(0); i < 1024; i += get_local_size(0))
		pool[i] = (i + 33) & 1023;
	barrier(CLK_LOCAL_MEM_FENCE);
	uint at = get_local_id(0);
	for (uint s = 0; s < steps; s++)
		at = pool[at];
	out[get_local_id(0)] = at;
}
