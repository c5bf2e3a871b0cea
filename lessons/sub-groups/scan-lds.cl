// Running sums of each 256 elements: at each step a work-item adds what stands 1, 2, 4 … elements before it. All have to
// read before any writes, so there are two barriers a step.
//
// wavesim: --global 1048576 --local 256 --arg sums=local:256
// wavesim: --arg in=random:1048576 --arg out=zero:1048576

kernel void scan(global const uint *in, global uint *out, local uint *sums)
{
	uint lid = get_local_id(0);

	uint x = in[get_global_id(0)];
	sums[lid] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint by = 1; by < get_local_size(0); by *= 2) {
		if (lid >= by)
			x += sums[lid - by];
		barrier(CLK_LOCAL_MEM_FENCE);
		sums[lid] = x;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = x;
}
