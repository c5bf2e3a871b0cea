kernel void transpose(global const float *in, global float *out, uint n)
{
	local float tile[32][33];
	uint x = get_local_id(0), column = get_group_id(0) * 32, row = get_group_id(1) * 32;
	for (uint y = get_local_id(1); y < 32; y += 8)
		tile[y][x] = in[(row + y) * n + column + x];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint y = get_local_id(1); y < 32; y += 8)
		out[(column + y) * n + row + x] = tile[x][y];
}
