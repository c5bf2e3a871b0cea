// A local array is as aligned as its elements, not as x86-64 has it: what clang 15 prints for
// gfx1030 are 28 VGPRs, where 16-byte alignment gives 24. (clang 18 and 19 print 24 of either.)
// wavesim: --global 32,32 --local 16,16 --arg n=32
// wavesim: --arg a=iota:1024 --arg b=iota:1024 --arg c=zero:1024

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
