// Each 32 elements sorted by a bitonic network in local memory: at each of 15 steps a work-item looks at its partner's
// element and keeps the smaller or the larger one.
//
// wavesim: --global 1048576 --local 256 --arg keys=local:256
// wavesim: --arg in=random:1048576 --arg out=zero:1048576

kernel void sort(global const uint *in, global uint *out, local uint *keys)
{
	uint lid = get_local_id(0);

	uint x = in[get_global_id(0)];
	for (uint size = 2; size <= 32; size *= 2)
		for (uint by = size / 2; by > 0; by /= 2) {
			keys[lid] = x;
			barrier(CLK_LOCAL_MEM_FENCE);
			uint other = keys[lid ^ by];
			barrier(CLK_LOCAL_MEM_FENCE);
			bool larger = !(lid & by) == (size < 32 && (lid & size));
			x = larger ? max(x, other) : min(x, other);
		}
	out[get_global_id(0)] = x;
}
