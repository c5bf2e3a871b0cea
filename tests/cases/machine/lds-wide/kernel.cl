// Neighbours that the compiler joins to 8- and 16-byte accesses. By hand, for 64 lanes on 32 banks:
// 8 bytes go in 4 phases of 16 lanes, 16 bytes in 8 phases of 8 lanes (crossed for reads, which
// changes nothing for lanes that lie 4 dwords apart).
//
//   line 19   ds_write_b128 of dwords 4l … 4l + 3: 8 lanes take 32 banks once: 8 cycles
//   line 21   ds_read_b128 of the same: 8
//   line 22   ds_read_b64 of 4l, 4l + 1 of the other half: lanes 0 … 7 of a phase take the banks of
//             lanes 8 … 15: 8 instead of 4
//   line 23   ds_read_b64 of 2l, 2l + 1: 16 lanes take 32 banks once: 4
//
// In the IR all are accesses of 4 bytes in 2 phases of 32 lanes: ten of them 4 dwords apart, which take
// 8 cycles instead of 2, and two of them 2 dwords apart, which take 4.
// wavesim: --global 64 --local 64 --arg o=zero:64 --arg a=iota:256
kernel void wide(global float *o, global const float *a)
{
	local float t[256] __attribute__((aligned(16)));
	uint l = get_local_id(0);
	float w = a[l], x = a[l + 64], y = a[l + 128], z = a[l + 192];
	t[4 * l] = w, t[4 * l + 1] = x, t[4 * l + 2] = y, t[4 * l + 3] = z;
	barrier(CLK_LOCAL_MEM_FENCE);
	float p = t[4 * l] * t[4 * l + 1] - t[4 * l + 2] * t[4 * l + 3];
	float q = t[4 * (63 - l)] - t[4 * (63 - l) + 1];
	float r = t[2 * l] * t[2 * l + 1];
	o[l] = p + q + r;
}
