kernel void outer(global const int *row, global const int *column, global int *out, uint n)
{
	uint x = get_global_id(0), y = get_global_id(1);
	out[y * n + x] = row[x] + column[y];
}
