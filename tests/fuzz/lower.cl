/* Small kernels whose modules fuzz_lower changes: one of each kind of thing that the lowering has to know. */
typedef struct Node {
	int key;
	float2 at;
	short leaf[3];
} Node;

constant int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

kernel void arith(global float *a, int n)
{
	int i = get_global_id(0);
	a[i] = fma(a[i], 3.0f, (float)(i % (n | 1))) / (a[i] + 2.0f);
}

kernel void narrow(global uchar *a, global short *b, global ulong *c, global double *d)
{
	int i = get_global_id(0);
	a[i] = (uchar)(a[i] << 3 ^ b[i]);
	c[i] = (ulong)b[i] * c[i] + rotate(c[i], 5ul);
	d[i] = (double)c[i] - floor(d[i]);
}

kernel void flow(global int *a, int n)
{
	for (int i = get_local_id(0); i < n; i++) {
		if (a[i] == 7)
			break;
		switch (a[i] & 3) {
		case 0: a[i] += i; break;
		case 1: continue;
		default: while (a[i] > 9) a[i] -= 5;
		}
	}
}

kernel void groups(global int *a, local int *b)
{
	local int sum[32];
	int l = get_local_id(0);
	sum[l & 31] = b[l] = a[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = sum[(l + 1) & 31] + atomic_add(a, b[0]);
}

kernel void copies(global float *a, local float *b)
{
	event_t e = async_work_group_copy(b, a, 16, 0);
	wait_group_events(1, &e);
	a[get_global_id(0)] = b[get_local_id(0) & 15];
}

kernel void structs(global Node *a, constant int *b)
{
	Node n = a[get_global_id(0)];
	n.leaf[b[0] % 3] += table[n.key & 7];
	n.at = n.at.yx * 2.0f;
	a[get_global_id(0)] = n;
}

kernel void vectors(global int4 *a, global uchar4 *b)
{
	int4 v = a[get_global_id(0)];
	v = shuffle(v, (uint4)(v.w & 3, 2, 1, 0));
	b[get_global_id(0)] = convert_uchar4_sat(select(v, -v, v < 3));
}

kernel void prints(global int *a) { printf("%d %s %v4f\n", a[0], "text", (float4)(1.0f)); }
