kernel void matmul(global const int *a, global const int *b, global int *c, int n)
{
	local int ta[16][16], tb[16][16];
	int lx = get_local_id(0), ly = get_local_id(1), sum = 0;
	int x = get_group_id(0) * 16 + lx, y = get_group_id(1) * 16 + ly;
	for (int t = 0; t < n; t += 16) {
		ta[ly][lx] = a[y * n + t + lx];
		tb[ly][lx] = b[(t + ly) * n + x];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < 16; k++)
			sum += ta[ly][k] * tb[k][lx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[y * n + x] = sum;
}
