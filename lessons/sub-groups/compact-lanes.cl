// The same as compact-lds.cl: a ballot has one bit for each lane, so that those before a lane are counted in its bits.
//
// wavesim: --global 1048576 --local 256 --arg parts=local:256
// wavesim: --arg in=random:1048576 --arg out=zero:1048576 --arg count=zero:4096

kernel void compact(global const uint *in, global uint *out, global uint *count, local uint *parts)
{
	uint first = get_group_id(0) * get_local_size(0);

	uint x = in[first + get_local_id(0)];
	uint4 odd = sub_group_ballot(x & 1);
	uint n = sub_group_ballot_exclusive_scan(odd);
	if (get_sub_group_local_id() == 0)
		parts[get_sub_group_id()] = sub_group_ballot_bit_count(odd);
	barrier(CLK_LOCAL_MEM_FENCE);

	for (uint i = 0; i < get_sub_group_id(); i++)
		n += parts[i];
	if (x & 1)
		out[first + n] = x;
	if (get_local_id(0) == get_local_size(0) - 1)
		count[get_group_id(0)] = n + (x & 1);
}
