// The eight kernels of the set mi300a_mgpusim, written anew from what they compute and how: which work-item touches
// what in which order, what is kept where, what may alias. Sizes are those of the measured programs.

// One sum a work-item.
kernel void vectoradd(global float *restrict out, global const float *restrict a, global const float *restrict b,
                      int width, int height)
{
	int at = get_global_id(1) * width + get_global_id(0);
	if (at < width * height)
		out[at] = a[at] + b[at];
}

kernel void relu(int count, global float *in, global float *out)
{
	int at = get_global_id(0);
	if (at < count)
		out[at] = in[at] > 0 ? in[at] : 0;
}

// Taps before the first sample come from the history.
kernel void fir(global float *out, global float *taps, global float *in, global float *history, uint ntaps)
{
	uint at = get_global_id(0);
	float sum = 0;
	for (uint i = 0; i < ntaps; i++) {
		if (at >= i)
			sum += taps[i] * in[at - i];
		else
			sum += taps[i] * history[ntaps - (i - at)];
	}
	out[at] = sum;
}

// The nearest centre of each point; the points lie feature after feature.
kernel void kmeans(global float *points, global float *centres, global int *nearest, int npoints, int ncentres,
                   int nfeatures)
{
	uint at = get_global_id(0);
	int best = 0;
	if (at >= (uint)npoints)
		return;
	float least = 3.40282347e+38f;
	for (int i = 0; i < ncentres; i++) {
		float sum = 0;
		for (int f = 0; f < nfeatures; f++) {
			float d = points[f * npoints + at] - centres[i * nfeatures + f];
			sum += d * d;
		}
		if (sum < least) {
			least = sum;
			best = i;
		}
	}
	nearest[at] = best;
}

// y = A' (A x). Two launches were timed together, each with a sum of each work-item in memory: rows, then columns. Here
// a work-item does both, one after the other; what two memsets and another launch take is not in it.
kernel void atax(global float *a, global float *x, global float *y, global float *sums, int rows, int columns)
{
	int at = get_global_id(0);
	if (at < rows)
		for (int j = 0; j < columns; j++)
			sums[at] += a[at * columns + j] * x[j];
	if (at < columns)
		for (int i = 0; i < rows; i++)
			y[at] += a[i * columns + at] * sums[i];
}

// Four by four values a work-item, by way of local memory; rows of work-groups are shifted against each other.
kernel void matrixtranspose(global float4 *restrict out, global float4 *restrict in, uint width, uint height,
                            uint groups)
{
	local float4 tile[16 * 16 * 4];
	uint lx = get_local_id(0), ly = get_local_id(1), size = get_local_size(0);
	uint gy = get_group_id(0), gx = (get_group_id(0) + get_group_id(1)) % groups;
	uint x = gx * size + lx, y = gy * size + ly;
	int from = x + y * width * 4, at = ly * size * 4 + lx;
	for (int i = 0; i < 4; i++)
		tile[at + size * i] = in[from + width * i];
	barrier(CLK_LOCAL_MEM_FENCE);
	x = gy * size + lx;
	y = gx * size + ly;
	int to = x + y * height * 4;
	at = lx * size * 4 + ly;
	float4 v0 = tile[at], v1 = tile[at + size], v2 = tile[at + size * 2], v3 = tile[at + size * 3];
	out[to] = (float4)(v0.x, v1.x, v2.x, v3.x);
	out[to + height] = (float4)(v0.y, v1.y, v2.y, v3.y);
	out[to + height * 2] = (float4)(v0.z, v1.z, v2.z, v3.z);
	out[to + height * 3] = (float4)(v0.w, v1.w, v2.w, v3.w);
}

// Nine points. A work-group is 1 x 64 and does 16 rows; its piece of the grid is read row after row.
#define ROWS 16
#define PITCH (64 + 2)
kernel void stencil2d(global float *in, global float *out, int alignment, float centre, float cardinal, float diagonal)
{
	local float piece[(ROWS + 2) * PITCH];
	int row = get_group_id(0) * ROWS, lane = get_local_id(1), size = get_local_size(1);
	int column = get_group_id(1) * size + lane;
	int columns = get_num_groups(1) * size + 2;
	int pitch = columns + (columns % alignment == 0 ? 0 : alignment - columns % alignment);
	for (int i = 0; i < ROWS + 2; i++)
		piece[i * (size + 2) + lane + 1] = in[(row + i) * pitch + column + 1];
	if (lane == 0) {
		for (int i = 0; i < ROWS + 2; i++)
			piece[i * (size + 2)] = in[(row + i) * pitch + column];
	} else if (lane == size - 1) {
		for (int i = 0; i < ROWS + 2; i++)
			piece[i * (size + 2) + lane + 2] = in[(row + i) * pitch + column + 2];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < ROWS; i++) {
		local float *up = piece + i * (size + 2) + lane, *here = up + size + 2, *down = here + size + 2;
		float sides = up[1] + down[1] + here[2] + here[0];
		float corners = up[2] + down[2] + up[0] + down[0];
		out[(row + i + 1) * pitch + column + 1] = centre * here[1] + cardinal * sides + diagonal * corners;
	}
}

// Four by four values a work-item of 8 x 8. Pieces of A go through a buffer in global memory, the same for all
// work-groups: so it was measured, and its results are wrong.
kernel void matrixmultiplication(global float4 *a, global float4 *b, global float4 *c, int width_a,
                                 global float4 *piece)
{
	int lx = get_local_id(0), ly = get_local_id(1), size = get_local_size(0);
	int gx = get_global_id(0), gy = get_global_id(1), pitch = get_global_size(0), pitch_a = width_a / 4;
	int at = lx + size * ly * 4, to = gx + gy * 4 * pitch;
	float4 sum[4] = {0, 0, 0, 0};
	for (int i = 0; i < pitch_a / size; i++) {
		int from = i * size + lx + ly * 4 * pitch_a;
#pragma unroll
		for (int k = 0; k < 4; k++)
			piece[at + k * size] = a[from + k * pitch_a];
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		int row = gx + i * size * 4 * pitch;
		for (int j = 0; j < size; j++) {
			float4 left[4], right[4];
#pragma unroll
			for (int k = 0; k < 4; k++)
				left[k] = piece[j + (ly * 4 + k) * size];
#pragma unroll
			for (int k = 0; k < 4; k++)
				right[k] = b[row + (j * 4 + k) * pitch];
#pragma unroll
			for (int k = 0; k < 4; k++)
				sum[k] += left[k].x * right[0] + left[k].y * right[1] + left[k].z * right[2] + left[k].w * right[3];
		}
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	}
#pragma unroll
	for (int k = 0; k < 4; k++)
		c[to + k * pitch] = sum[k];
}
