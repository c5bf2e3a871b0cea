/* Small kernels whose modules fuzz_lower changes: one of each kind of thing that the lowering has to know. The smaller
 * each is, the more of the changes meet what it is about, and the more inputs run: get_global_id, in groups, is larger
 * than any of them. */
typedef struct Node {
	int key;
	float2 at;
	short leaf[3];
} Node;

constant int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

kernel void arith(global float *a, int n) { a[n] = fma(a[n], 3.0f, a[0] / 2.0f); }

kernel void whole(global int *a, int n) { a[0] = a[1] % (n | 1) - (a[2] >> n); }

kernel void narrow(global uchar *a, global short *b) { a[0] = (uchar)(a[1] << 3 ^ b[0]); }

kernel void wide(global short *b, global ulong *c) { c[0] = (ulong)b[0] * c[1] + rotate(c[2], 5ul); }

kernel void doubles(global double *d, global long *c) { d[0] = (double)c[0] - floor(d[1]); }

kernel void loops(global int *a, int n)
{
	for (int i = get_local_id(0); i < n; i++)
		if (a[i] == 7)
			break;
		else
			a[i] += i;
}

kernel void flow(global int *a, int i)
{
	switch (a[i] & 3) {
	case 0: a[i] += i; break;
	case 1: return;
	default: while (a[i] > 9) a[i] -= 5;
	}
}

kernel void groups(global int *a)
{
	local int sum[32];
	int l = get_local_id(0);
	sum[l] = a[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	a[l] = sum[(l + 1) & 31];
}

kernel void atomics(global int *a, local int *b) { a[get_local_id(0)] = atomic_add(a, b[0]) + atomic_cmpxchg(b, 1, 2); }

kernel void copies(global float *a, local float *b)
{
	event_t e = async_work_group_copy(b, a, 16, 0);
	wait_group_events(1, &e);
}

kernel void structs(global Node *a)
{
	Node n = a[1];
	n.leaf[n.key % 3] = 5;
	n.at = n.at.yx * 2.0f;
	a[0] = n;
}

kernel void constants(global int *a, constant int *b) { a[0] = table[a[1] & 7] + b[get_group_id(0)]; }

kernel void vectors(global int4 *a)
{
	int4 v = a[1];
	a[0] = shuffle(v, (uint4)(v.w & 3, 2, 1, 0));
}

kernel void converts(global uchar4 *b, int4 v) { b[0] = convert_uchar4_sat(select(v, -v, v < 3)); }

kernel void prints(global int *a) { printf("%d %s %v4f\n", a[0], "text", (float4)(1.0f)); }
