// The same sums as plain.cl with padded indices: x becomes x + x / 32.
//
// wavesim: --global 4096 --local 256 --arg block=local:528
// wavesim: --arg in=random:8192 --arg out=zero:8192

// One unused element after every 32 moves the elements of a level to different banks.
#define PAD(x) ((x) + (x) / 32)

kernel void scan(global const uint *in, global uint *out, local uint *block)
{
	uint tid = get_local_id(0);
	uint length = 2 * get_local_size(0);
	uint base = get_group_id(0) * length;
	uint odd = 2 * tid + 1;
	uint even = 2 * tid + 2;

	block[PAD(2 * tid)] = in[base + 2 * tid];
	block[PAD(odd)] = in[base + odd];

	uint offset = 1;
	for (uint d = length / 2; d > 0; d /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (tid < d) {
			uint left = offset * odd - 1;
			uint right = offset * even - 1;
			block[PAD(right)] += block[PAD(left)];
		}
		offset *= 2;
	}

	if (tid == 0)
		block[PAD(length - 1)] = 0;

	for (uint d = 1; d < length; d *= 2) {
		offset /= 2;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (tid < d) {
			uint left = offset * odd - 1;
			uint right = offset * even - 1;
			uint sum = block[PAD(left)];
			block[PAD(left)] = block[PAD(right)];
			block[PAD(right)] += sum;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	out[base + 2 * tid] = block[PAD(2 * tid)];
	out[base + odd] = block[PAD(odd)];
}
