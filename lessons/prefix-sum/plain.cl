// Running sums: out[i] is the sum of the elements before i in its work-group. Each work-group has
// 512 elements and 256 work-items. The up-sweep builds partial sums in a tree, the down-sweep hands
// them out again. At each level the elements in use lie twice as far apart, so they fall into ever
// fewer banks.
//
// wavesim: --global 4096 --local 256 --arg block=local:512
// wavesim: --arg in=random:8192 --arg out=zero:8192

kernel void scan(global const uint *in, global uint *out, local uint *block)
{
	uint tid = get_local_id(0);
	uint length = 2 * get_local_size(0);
	uint base = get_group_id(0) * length;
	uint odd = 2 * tid + 1;
	uint even = 2 * tid + 2;

	block[2 * tid] = in[base + 2 * tid];
	block[odd] = in[base + odd];

	uint offset = 1;
	for (uint d = length / 2; d > 0; d /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (tid < d) {
			uint left = offset * odd - 1;
			uint right = offset * even - 1;
			block[right] += block[left];
		}
		offset *= 2;
	}

	if (tid == 0)
		block[length - 1] = 0;

	for (uint d = 1; d < length; d *= 2) {
		offset /= 2;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (tid < d) {
			uint left = offset * odd - 1;
			uint right = offset * even - 1;
			uint sum = block[left];
			block[left] = block[right];
			block[right] += sum;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	out[base + 2 * tid] = block[2 * tid];
	out[base + odd] = block[odd];
}
