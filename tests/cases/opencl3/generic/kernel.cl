// One pointer for global, local and private memory: passed to functions, stored in structs, asked where it points.
// PoCL 3.1 has none.
//
// wavesim: --global 256 --local 64 --arg a=random:256

typedef struct {
	int *at;
	int step;
} Walk;

int next(Walk *w)
{
	int x = *w->at;
	w->at += w->step;
	return x;
}

void add(int *to, const int *from, int n)
{
	for (int i = 0; i < n; i++)
		to[i] += from[i];
}

int where(int *p)
{
	return to_global(p) ? 1 : to_local(p) ? 2 : to_private(p) ? 3 : 4;
}

kernel void walk(global int *a)
{
	local int tile[64];
	int g = get_global_id(0), l = get_local_id(0), own[4] = {1, 2, 3, 4};
	tile[l] = a[g];
	work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);

	int *p = l & 1 ? (int *)&tile[l & ~3] : (int *)own;
	Walk w = {p, 1};
	int sum = next(&w) + 10 * next(&w) + 100 * next(&w);
	add(own, l % 3 ? (int *)&tile[l & ~3] : (int *)&own[0], 4);
	sum += own[l & 3] + where(p) + 10 * where(&a[g]) + 100 * where(own);
	sum += get_fence(&tile[0]) == CLK_LOCAL_MEM_FENCE ? 1000 : 0;
	a[g] = sum;
}
