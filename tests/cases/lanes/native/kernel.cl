// What PoCL has no sub-groups for: copies, mathematics, atomics and text beside them, in the native run of the device
// code. Work-groups of 100 work-items, the last of 28: neither is a whole number of sub-groups.
//
// wavesim: --global 328 --local 100 --arg tile=local:100 --arg in=random:328 --arg out=zero:328 --arg seen=zero:3
// wavesim: --build-options -cl-std=CL2.0

kernel void mixed(global const float *in, global float *out, local float *tile, global int *seen)
{
	int g = get_global_id(0), l = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * 100;
	event_t e = async_work_group_copy(tile, in + first, n, 0);
	wait_group_events(1, &e);

	float x = sin(tile[n - 1 - l]) + pow(fabs(tile[l]), 1.5f) / 3.0f;
	x += sub_group_shuffle_xor(x, 5) * native_exp(x) + cbrt(x);
	float before = sub_group_scan_exclusive_add(x), greatest = work_group_reduce_max(x);
	if (l & 1)
		before += sub_group_non_uniform_reduce_min(x) + sub_group_clustered_reduce_max(x, 4);
	for (int i = 0; i < l % 7; i++)
		before += sub_group_broadcast_first(before) - sub_group_rotate(x, i);
	barrier(CLK_LOCAL_MEM_FENCE);
	tile[l] = before + greatest;
	barrier(CLK_LOCAL_MEM_FENCE);
	e = async_work_group_strided_copy(tile, out + first, 0, 1, 0);
	wait_group_events(1, &e);
	e = async_work_group_copy(out + first, tile, n, 0);
	wait_group_events(1, &e);

	atomic_add(&seen[0], 1);
	atomic_max(&seen[1], (int)sub_group_broadcast(g, 3));
	atomic_or(&seen[2], (int)sub_group_ballot_bit_count(sub_group_ballot(x > 1)));
	if (g % 77 == 0)
		printf("%d %d\n", g, (int)get_max_sub_group_size());
}
