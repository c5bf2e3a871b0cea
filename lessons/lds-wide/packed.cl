// The same sums as plain.cl with an unused dword behind each element. Five is odd, so the elements
// of neighbouring work-items start in different banks. `packed` stops the compiler from rounding
// the size up to eight dwords; `aligned(4)` keeps whole-dword accesses.
//
// wavesim: --global 4096 --local 256 --arg in=random:4096 --arg out=zero:16

typedef struct __attribute__((packed, aligned(4))) {
	uint4 sum;
	uint unused;
} Element;

kernel void total(global const uint4 *in, global uint4 *out)
{
	local Element sums[256];
	uint lid = get_local_id(0);

	sums[lid].sum = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);

	for (uint span = get_local_size(0) / 2; span > 0; span /= 2) {
		if (lid < span) {
			uint4 other = sums[lid + span].sum;
			uint4 own = sums[lid].sum;
			sums[lid].sum = own + other;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}

	if (lid == 0)
		out[get_group_id(0)] = sums[0].sum;
}
