// The same network as sort-lds.cl: the partner's element comes by a shuffle, and nobody waits.
//
// wavesim: --global 1048576 --local 256
// wavesim: --arg in=random:1048576 --arg out=zero:1048576

kernel void sort(global const uint *in, global uint *out)
{
	uint lid = get_local_id(0);

	uint x = in[get_global_id(0)];
	for (uint size = 2; size <= 32; size *= 2)
		for (uint by = size / 2; by > 0; by /= 2) {
			uint other = sub_group_shuffle_xor(x, by);
			bool larger = !(lid & by) == (size < 32 && (lid & size));
			x = larger ? max(x, other) : min(x, other);
		}
	out[get_global_id(0)] = x;
}
