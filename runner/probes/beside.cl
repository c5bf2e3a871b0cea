// Reads of local memory beside loads of `in` that hit L1: do they share a way? A load's lanes are `step` elements apart.
#define POOL 2048

kernel void beside(global const uint *in, global uint *out, uint step, uint rounds, uint walk)
{
	local uint pool[POOL];
	uint lid = get_local_id(0), sum = 0;
	for (uint i = lid; i < POOL; i += get_local_size(0))
		pool[i] = i;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint r = 0; r < rounds; r++) {
		uint now = (r * walk & 31) * 32;
		local const uint *near = pool + (lid + now);
		global const uint *far = in + (lid % 32 * step + now);
		for (uint k = 0; k < READS; k++)
			sum += near[k * 32];
		for (uint k = 0; k < LOADS; k++)
			sum += far[k * 32];
	}
	out[get_global_id(0)] = sum;
}
