kernel void sort(global int *a)
{
	global int *v = a + 64 * get_group_id(0);
	int l = get_local_id(0);
	for (int size = 2; size <= 64; size *= 2)
		for (int gap = size / 2; gap; gap /= 2) {
			barrier(CLK_GLOBAL_MEM_FENCE);
			int other = l ^ gap;
			if (other > l && (v[l] > v[other]) == ((l & size) == 0)) {
				int x = v[l];
				v[l] = v[other];
				v[other] = x;
			}
		}
}
