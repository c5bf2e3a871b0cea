// A two-dimensional convolution of `height` x `width` outputs with a filter of 15 x 15 weights: the
// kernel whose tuning the sets convolution_mi50 and convolution_w7800 measured. A work-group of
// block_size_x x block_size_y computes tiles of tile_size_x x tile_size_y outputs an item from a piece of the input in local
// memory, whose rows can be padded so that neighbouring rows start in different banks.
#ifndef block_size_x
#define block_size_x 16
#define block_size_y 16
#define tile_size_x 1
#define tile_size_y 1
#define use_padding 0
#define divides_exactly 1
#endif
#define FILTER 15
#define BORDER (FILTER - 1)
#define TILE_X (block_size_x * tile_size_x)
#define TILE_Y (block_size_y * tile_size_y)
#if use_padding && block_size_x % 32 != 0
#define ROW (TILE_X + BORDER + ((32 - (TILE_X + BORDER - block_size_x) % 32) & 31))
#else
#define ROW (TILE_X + BORDER)
#endif

kernel void convolution(global float *out, global const float *in, constant float *weights, int width,
                        int height)
{
	local float piece[TILE_Y + BORDER][ROW];
	int x0 = get_group_id(0) * TILE_X, y0 = get_group_id(1) * TILE_Y;
	int lx = get_local_id(0), ly = get_local_id(1);
	int in_width = width + BORDER, in_height = height + BORDER;

#pragma unroll
	for (int y = ly; y < TILE_Y + BORDER; y += block_size_y)
#pragma unroll
		for (int x = lx; x < TILE_X + BORDER; x += block_size_x) {
			float value = 0.0f;
#if !divides_exactly
			if (y0 + y < in_height && x0 + x < in_width)
#endif
				value = in[(y0 + y) * in_width + x0 + x];
			piece[y][x] = value;
		}
	barrier(CLK_LOCAL_MEM_FENCE);

	float sum[tile_size_y][tile_size_x];
#pragma unroll
	for (int ty = 0; ty < tile_size_y; ty++)
#pragma unroll
		for (int tx = 0; tx < tile_size_x; tx++)
			sum[ty][tx] = 0.0f;
#pragma unroll
	for (int fy = 0; fy < FILTER; fy++)
#pragma unroll
		for (int fx = 0; fx < FILTER; fx++)
#pragma unroll
			for (int ty = 0; ty < tile_size_y; ty++)
#pragma unroll
				for (int tx = 0; tx < tile_size_x; tx++)
					sum[ty][tx] += piece[ly + ty * block_size_y + fy][lx + tx * block_size_x + fx] *
					               weights[fy * FILTER + fx];

#pragma unroll
	for (int ty = 0; ty < tile_size_y; ty++)
#pragma unroll
		for (int tx = 0; tx < tile_size_x; tx++) {
			int x = x0 + lx + tx * block_size_x, y = y0 + ly + ty * block_size_y;
#if !divides_exactly
			if (x < width && y < height)
#endif
				out[y * width + x] = sum[ty][tx];
		}
}
