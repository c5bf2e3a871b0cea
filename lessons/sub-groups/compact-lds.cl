// The odd ones of each 256 elements, side by side: where one goes is how many there are before it, a running sum in local
// memory.
//
// wavesim: --global 1048576 --local 256 --arg rank=local:256
// wavesim: --arg in=random:1048576 --arg out=zero:1048576 --arg count=zero:4096

kernel void compact(global const uint *in, global uint *out, global uint *count, local uint *rank)
{
	uint lid = get_local_id(0);
	uint first = get_group_id(0) * get_local_size(0);

	uint x = in[first + lid];
	uint n = x & 1;
	rank[lid] = n;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint by = 1; by < get_local_size(0); by *= 2) {
		if (lid >= by)
			n += rank[lid - by];
		barrier(CLK_LOCAL_MEM_FENCE);
		rank[lid] = n;
		barrier(CLK_LOCAL_MEM_FENCE);
	}

	if (x & 1)
		out[first + n - 1] = x;
	if (lid == get_local_size(0) - 1)
		count[get_group_id(0)] = n;
}
