// Kernels whose work-items have very different amounts of work; tests/uneven.sh runs them.

// One row of a sparse matrix a work-item.
kernel void spmv(global float *y, global const float *x, global const float *values, global const int *columns,
                 global const int *starts)
{
	int row = get_global_id(0);
	float sum = 0;
	for (int i = starts[row]; i < starts[row + 1]; i++)
		sum += values[i] * x[columns[i]];
	y[row] = sum;
}

kernel void mandelbrot(global int *out, int most)
{
	int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), n = 0;
	float cx = -2.2f + 3.0f * x / w, cy = -1.5f + 3.0f * y / get_global_size(1), re = 0, im = 0;
	while (n < most && re * re + im * im < 4) {
		float t = re * re - im * im + cx;
		im = 2 * re * im + cy;
		re = t;
		n++;
	}
	out[y * w + x] = n;
}

// Neighbours of the nodes on one level of a breadth-first search.
kernel void frontier(global int *next, global const int *levels, global const int *edges, global const int *starts, int level)
{
	int node = get_global_id(0);
	if (levels[node] % 4 != level)
		return;
	for (int i = starts[node]; i < starts[node + 1]; i++)
		next[edges[i]] = level + 1;
}

kernel void raymarch(global float *out)
{
	int px = get_global_id(0), py = get_global_id(1), w = get_global_size(0);
	float dx = (px - 0.5f * w) / w, dy = (py - 0.5f * w) / w, t = 0;
	for (int i = 0; i < 400 && t < 60; i++) {
		float x = dx * t, y = dy * t + 0.5f, z = t - 4, d = sqrt(x * x + y * y + z * z) - 1.2f;
		float e = y + 1.0f;
		d = min(d, e);
		if (d < 0.0005f)
			break;
		t += 0.6f * d;
	}
	out[py * w + px] = t;
}

// Solutions of n queens behind the first two rows, which the work-item is.
kernel void queens(global int *out, int n)
{
	uint id = get_global_id(0), all = (1u << n) - 1, stack[16][4];
	uint a = id % n, b = id / n % n, found = 0;
	int top = -1;
	bool free = a != b && a != b + 1 && b != a + 1 && id < (uint)(n * n);
	if (free) {
		top = 0;
		stack[0][0] = 1u << a | 1u << b;
		stack[0][1] = ((1u << a) << 1 | 1u << b) << 1;
		stack[0][2] = ((1u << a) >> 1 | 1u << b) >> 1;
		stack[0][3] = all & ~(stack[0][0] | stack[0][1] | stack[0][2]);
	}
	while (top >= 0) {
		uint open = stack[top][3], bit = open & -open;
		if (!open) {
			top--;
			continue;
		}
		stack[top][3] = open & ~bit;
		uint c = stack[top][0] | bit, l = (stack[top][1] | bit) << 1, r = (stack[top][2] | bit) >> 1;
		if (c == all) {
			found++;
			continue;
		}
		top++;
		stack[top][0] = c;
		stack[top][1] = l;
		stack[top][2] = r;
		stack[top][3] = all & ~(c | l | r);
	}
	out[id] = found;
}

// Each particle writes its copies, where the prefix sums of the weights say.
kernel void resample(global float *to, global const float *from, global const int *sums)
{
	int i = get_global_id(0);
	for (int k = i ? sums[i - 1] : 0; k < sums[i]; k++)
		to[k] = from[i];
}

// The longest common part of the text from here on and the pattern.
kernel void match(global int *out, global const char *text, global const char *pattern, int most)
{
	int at = get_global_id(0), n = 0;
	while (n < most && text[at + n] == pattern[n])
		n++;
	out[at] = n;
}

// The rows of one level of a triangular matrix.
kernel void solve(global float *x, global const float *b, global const float *values, global const int *columns,
                  global const int *starts, global const int *rows)
{
	int row = rows[get_global_id(0)], end = starts[row + 1];
	float sum = b[row];
	for (int i = starts[row]; i < end; i++)
		sum -= values[i] * b[columns[i]];
	x[row] = sum / (1 + values[starts[row]]);
}

// Bins that a few values go to; every value as often as its weight says.
kernel void histogram(global int *bins, global const int *keys, global const int *weights)
{
	int i = get_global_id(0);
	for (int k = 0; k < weights[i]; k++)
		atomic_inc(&bins[(keys[i] + k) & 255]);
}

// Numbers in Elias' gamma code, one block a work-item.
kernel void decode(global uint *out, global const uint *bits, global const int *starts)
{
	int block = get_global_id(0);
	uint at = starts[block], end = starts[block + 1], sum = 0;
	while (at < end) {
		uint zeros = 0, value = 0;
		while (at < end && !(bits[at >> 5] >> (at & 31) & 1)) {
			zeros++;
			at++;
		}
		for (uint k = 0; k <= zeros && at < end; k++, at++)
			value = value << 1 | (bits[at >> 5] >> (at & 31) & 1);
		sum += value;
	}
	out[block] = sum;
}

// Rows of a triangle, of which the first is the longest: so long that no record holds all of it.
kernel void triangle(global volatile uint *out, uint rows, uint turns)
{
	uint i = get_global_id(0), sum = i;
	for (uint k = 0; k < (rows - i) * turns; k++) {
		sum = sum * 1664525 + k;
		out[i] = sum;
	}
}
