// The atomics of C11 (OpenCL C 3.0): orders, scopes, compare-exchange, fetch operations.
//
// wavesim: --global 256 --local 64 --build-options -cl-std=CL3.0
// wavesim: --arg in=random:256 --arg cells=zero:16 --arg out=zero:8

kernel void c11(global const int *in, global int *cells, global int *out)
{
	volatile global atomic_int *cell = (volatile global atomic_int *)cells;
	local atomic_int shared;
	uint gid = get_global_id(0), lid = get_local_id(0);
	int x = in[gid];
	if (lid == 0)
		atomic_store_explicit(&shared, 3, memory_order_relaxed, memory_scope_work_group);
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_fetch_add_explicit(&cell[0], x, memory_order_relaxed, memory_scope_device);
	atomic_fetch_sub_explicit(&cell[1], x, memory_order_acq_rel, memory_scope_device);
	atomic_fetch_or_explicit(&cell[2], x, memory_order_release, memory_scope_device);
	atomic_fetch_xor_explicit(&cell[3], x, memory_order_acquire, memory_scope_device);
	atomic_fetch_and_explicit(&cell[4], x, memory_order_seq_cst, memory_scope_device);
	atomic_fetch_min_explicit(&cell[5], -x, memory_order_relaxed, memory_scope_device);
	atomic_fetch_max_explicit(&cell[6], x, memory_order_relaxed, memory_scope_device);
	atomic_exchange_explicit(&cell[7], 8, memory_order_relaxed, memory_scope_device);
	int expected = 0;
	if (!atomic_compare_exchange_strong_explicit(&cell[8], &expected, 6, memory_order_relaxed,
	                                             memory_order_relaxed, memory_scope_device))
		atomic_fetch_add_explicit(&cell[9], expected == 6, memory_order_relaxed,
		                          memory_scope_device);
	atomic_fetch_add_explicit(&shared, 1, memory_order_relaxed, memory_scope_work_group);
	atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid == 0)
		out[get_group_id(0)] =
			atomic_load_explicit(&shared, memory_order_relaxed, memory_scope_work_group);
}
