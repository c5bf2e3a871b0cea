// A two-dimensional transpose through local memory with a padded row.
//
// wavesim: --global 32,48 --local 16,8 --arg in=random:1536 --arg out=zero:1536

kernel void transpose(global const float *in, global float *out)
{
	local float tile[8][17];
	uint x = get_local_id(0), y = get_local_id(1);
	uint width = get_global_size(0), height = get_global_size(1);
	tile[y][x] = in[get_global_id(1) * width + get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	uint k = y * 16 + x, ty = k % 8, tx = k / 8;
	out[(get_group_id(0) * 16 + tx) * height + get_group_id(1) * 8 + ty] = tile[ty][tx];
}
