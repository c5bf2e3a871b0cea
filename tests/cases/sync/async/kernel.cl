// Asynchronous copies in both directions, strided, several events, vectors; prefetch.
//
// wavesim: --global 128 --local 32 --arg in=random:1024 --arg pairs=random:256 --arg out=zero:1024

kernel void async(global const uint *in, global const float4 *pairs, global uint *out)
{
	local uint tile[64], strided[32], result[64];
	local float4 wide[16];
	uint lid = get_local_id(0), group = get_group_id(0);
	prefetch(in + group * 256, 64);
	event_t events[3];
	events[0] = async_work_group_copy(tile, in + group * 256, 64, 0);
	events[1] = async_work_group_strided_copy(strided, in + group * 256 + 64, 32, 5, 0);
	events[2] = async_work_group_copy(wide, pairs + group * 16, 16, 0);
	wait_group_events(3, events);
	float4 w = wide[lid & 15];
	result[lid] = tile[63 - lid] + strided[lid];
	result[lid + 32] = tile[lid] ^ convert_uint_rte((w.x + w.w) * 100.0f);
	barrier(CLK_LOCAL_MEM_FENCE);
	event_t back = async_work_group_copy(out + group * 256, result, 64, 0);
	back = async_work_group_strided_copy(out + group * 256 + 64, result, 64, 3, back);
	wait_group_events(1, &back);
}
