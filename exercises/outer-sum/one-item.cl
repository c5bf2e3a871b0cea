kernel void outer(global const int *row, global const int *column, global int *out, uint n)
{
	if (get_global_id(1))
		return;
	uint y = get_global_id(0);
	for (uint x = 0; x < n && y < n; x++)
		out[y * n + x] = row[x] + column[y];
}
