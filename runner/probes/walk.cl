// Few work-items with long loops: each turn waits for the one before it, or for a load of its own.

// Down the columns of a matrix: neighbours read neighbours. The sum stays in a register.
kernel void columns(global uint *out, global const uint *in, uint n)
{
	uint gid = get_global_id(0), width = get_global_size(0), sum = 0;
	for (uint k = 0; k < n; k++)
		sum += in[k * width + gid];
	out[gid] = sum;
}

// The sum is kept in memory, and the loads may read what was stored.
kernel void columns_kept(global uint *out, global uint *in, uint n)
{
	uint gid = get_global_id(0), width = get_global_size(0);
	for (uint k = 0; k < n; k++)
		out[gid] += in[k * width + gid];
}

// Along the rows: neighbours read addresses that are a row apart.
kernel void rows(global uint *out, global const uint *in, uint n)
{
	uint gid = get_global_id(0), sum = 0;
	for (uint k = 0; k < n; k++)
		sum += in[gid * n + k];
	out[gid] = sum;
}

kernel void rows_kept(global uint *out, global uint *in, uint n)
{
	uint gid = get_global_id(0);
	for (uint k = 0; k < n; k++)
		out[gid] += in[gid * n + k];
}

// Each turn of a product of matrices: a row's element, which a wavefront shares, and a column's.
kernel void products(global float *out, global const float *a, global const float *b, uint n)
{
	uint x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
	float sum = 0;
	for (uint k = 0; k < n; k++)
		sum += a[y * n + k] * b[k * width + x];
	out[y * width + x] = sum;
}

kernel void products_kept(global float *out, global float *a, global float *b, uint n)
{
	uint x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
	for (uint k = 0; k < n; k++)
		out[y * width + x] += a[y * n + k] * b[k * width + x];
}
