// Every work-item computes a little and writes one place that no other writes, far from its
// neighbours' (bits reversed).
//
// wavesim: --global 1048576 --local 256 --arg in=iota:1048576 --arg out=zero:1048576

kernel void scatter(global const uint *in, global uint *out)
{
	uint gid = get_global_id(0), to = gid, value = in[gid];

	to = (to & 0x55555555u) << 1 | (to >> 1 & 0x55555555u);
	to = (to & 0x33333333u) << 2 | (to >> 2 & 0x33333333u);
	to = (to & 0x0f0f0f0fu) << 4 | (to >> 4 & 0x0f0f0f0fu);
	to = (to & 0x00ff00ffu) << 8 | (to >> 8 & 0x00ff00ffu);
	to = to << 16 | to >> 16;
	for (int i = 0; i < 48; i++)
		value = (value ^ value >> 15) * 2246822519u;
	out[to >> 12] = value;
}
