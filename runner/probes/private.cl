// Private arrays of N elements, with indices that only the run knows: registers cannot hold them.
#ifndef N
#define N 64
#endif

// Each pass reads the array from end to end. All lanes are at one index.
kernel void walk(global const float *in, global float *out, int passes)
{
	float row[N];
	int id = get_global_id(0), size = get_global_size(0);
	for (int i = 0; i < N; i++)
		row[i] = in[(i * size + id) & 0xFFFFF];
	float sum = 0;
	for (int p = 0; p < passes; p++)
		for (int i = 0; i < N; i++)
			sum += row[(i + p) % N] * (float)(i + p);
	out[id] = sum;
}

// As `walk`, but each turn reads and writes an element.
kernel void update(global const float *in, global float *out, int passes)
{
	float v[N];
	int id = get_global_id(0), size = get_global_size(0);
	for (int i = 0; i < N; i++)
		v[i] = in[(i * size + id) & 0xFFFFF];
	for (int p = 0; p < passes; p++)
		for (int i = 1; i < N; i++)
			v[i] = 0.5f * (v[i] + v[i - 1]);
	out[id] = v[N - 1];
}

// A histogram in each work-item. Each lane is at an index of its own.
kernel void bins(global const uint *in, global uint *out, int values)
{
	uint count[N];
	int id = get_global_id(0), size = get_global_size(0);
	for (int i = 0; i < N; i++)
		count[i] = 0;
	for (int i = 0; i < values; i++)
		count[in[(i * size + id) & 0xFFFFF] % N]++;
	uint most = 0;
	for (int i = 0; i < N; i++)
		most = max(most, count[i]);
	out[id] = most;
}

// Insertion sort. Lanes start at one index and drift apart.
kernel void insertion(global const uint *in, global uint *out)
{
	uint v[N];
	int id = get_global_id(0), size = get_global_size(0);
	for (int i = 0; i < N; i++) {
		uint x = in[(i * size + id) & 0xFFFFF];
		int k = i;
		for (; k > 0 && v[k - 1] > x; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
	out[id] = v[N / 2];
}

// A stack with pushes and pops in random order, as tree searches have it. Lanes are at nearby indices.
kernel void stack(global const uint *in, global uint *out, int steps)
{
	uint s[N];
	int id = get_global_id(0), top = 0;
	uint x = in[id & 0xFFFFF], sum = 0;
	for (int i = 0; i < steps; i++) {
		x = x * 1664525u + 1013904223u;
		if ((x >> 31) && top < N)
			s[top++] = x;
		else if (top)
			sum += s[--top];
	}
	out[id] = sum;
}

#ifndef T
#define T uint
#endif

// A table of zeros of which a few elements are written and read.
kernel void clear(global const uint *in, global uint *out)
{
	T v[N] = {0};
	int id = get_global_id(0);
	uint x = in[id & 0xFFFFF];
	v[x % N] = 1;
	v[(x >> 8) % N] = 2;
	out[id] = v[(x >> 16) % N];
}
