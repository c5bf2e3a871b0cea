kernel void matmul(global const int *a, global const int *b, global int *c, int n)
{
	int x = get_global_id(0), y = get_global_id(1), sum = 0;
	for (int k = 0; k < n; k++)
		sum += a[y * n + k] * b[k * n + x];
	c[y * n + x] = sum;
}
