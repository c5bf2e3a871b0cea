// Matrix product c = a * b of n x n floats, in tiles of 16 x 16 kept in local memory.
//
// wavesim: --global 192,192 --local 16,16 --arg n=192
// wavesim: --arg a=iota:36864 --arg b=iota:36864 --arg c=zero:36864

#define TILE 16

kernel void matmul(global const float *a, global const float *b, global float *c, int n)
{
	local float tile_a[TILE][TILE], tile_b[TILE][TILE];
	int x = get_local_id(0), y = get_local_id(1);
	int col = get_global_id(0), row = get_global_id(1);
	float sum = 0.0f;

	for (int t = 0; t < n; t += TILE) {
		tile_a[y][x] = a[row * n + t + x];
		tile_b[y][x] = b[(t + y) * n + col];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < TILE; k++)
			sum += tile_a[y][k] * tile_b[k][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * n + col] = sum;
}
