kernel void sort(global int *a)
{
	local int v[64];
	int l = get_local_id(0);
	v[l] = a[get_global_id(0)];
	for (int size = 2; size <= 64; size *= 2)
		for (int gap = size / 2; gap; gap /= 2) {
			int other = l ^ gap;
			if (other > l && (v[l] > v[other]) == ((l & size) == 0)) {
				int x = v[l];
				v[l] = v[other];
				v[other] = x;
			}
		}
	barrier(CLK_LOCAL_MEM_FENCE);
	a[get_global_id(0)] = v[l];
}
