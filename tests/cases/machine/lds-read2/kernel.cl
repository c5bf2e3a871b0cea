// Pairs of accesses that the compiler joins to one instruction. By hand, for 64 lanes on 32 banks,
// where a pair of 4-byte addresses goes in 4 phases of 16 lanes:
//
//   line 20   ds_write2_b32, 64 dwords apart: a bank gets two dwords in each phase (64 is a multiple
//             of 32), so 8 cycles instead of 4
//   line 21   the same again
//   line 23   ds_read2_b32 of neighbours 2l + 1, 2l + 2. Lanes 0-7 and 16-23 of a read go together (lds_pairs
//             of mi50): dwords 1 to 16 and 33 to 48, two to a bank, so 8 cycles instead of 4
//   line 24   ds_read2_b32, 16 dwords apart: dwords 0-7 and 16-23 of lanes 0-7, 16-23 and 32-39 of lanes
//             16-23: 32-39 lie in the banks of 0-7, so 8 cycles
//
// The IR has eight accesses of 4 bytes, 2 cycles each, but for the two of line 23: lanes two dwords
// apart take 4.
// wavesim: --global 64 --local 64 --arg o=zero:64 --arg a=iota:256
kernel void pairs(global float *o, global const float *a)
{
	local float t[256];
	uint l = get_local_id(0);
	float w = a[l], x = a[l + 64], y = a[l + 128], z = a[l + 192];
	t[l] = w, t[l + 64] = x;
	t[l + 128] = y, t[l + 192] = z;
	barrier(CLK_LOCAL_MEM_FENCE);
	float p = t[2 * l + 1] * t[2 * l + 2];
	float q = t[l] - t[l + 16];
	o[l] = p + q;
}
