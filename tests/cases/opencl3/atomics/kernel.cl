// C11's atomics with every order and scope, in global and local memory, through generic pointers.
//
// wavesim: --global 256 --local 64 --arg c=zero:8 --arg a=zero:256 --arg f=zero:256 --arg wide=zero:2

kernel void count(global atomic_int *c, global int *a, global atomic_flag *f, global atomic_ulong *wide)
{
	local atomic_uint n, most;
	int g = get_global_id(0), l = get_local_id(0);
	if (l == 0) {
		atomic_init(&n, 0u);
		atomic_store_explicit(&most, 0u, memory_order_relaxed, memory_scope_work_group);
	}
	work_group_barrier(CLK_LOCAL_MEM_FENCE);

	atomic_fetch_add(&c[0], 1);
	atomic_fetch_sub_explicit(&c[1], g, memory_order_relaxed, memory_scope_device);
	atomic_fetch_or_explicit(&c[2], 1 << (g & 31), memory_order_acquire, memory_scope_device);
	atomic_fetch_xor_explicit(&c[3], g, memory_order_release, memory_scope_all_svm_devices);
	atomic_fetch_min_explicit(&c[4], -g, memory_order_acq_rel, memory_scope_device);
	atomic_fetch_max_explicit(&c[5], g, memory_order_seq_cst, memory_scope_device);
	atomic_fetch_add_explicit(wide, 1ul << 33, memory_order_relaxed, memory_scope_device);
	atomic_fetch_max(wide + 1, (ulong)g << 40);
	atomic_fetch_add_explicit(&n, 1u, memory_order_relaxed, memory_scope_work_group);
	atomic_fetch_max_explicit(&most, (uint)l, memory_order_relaxed, memory_scope_sub_group);
	work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);

	a[g] = (int)atomic_load_explicit(&n, memory_order_relaxed, memory_scope_work_group) * 1000 + (int)atomic_load(&most);
	int expected = 0;
	while (!atomic_compare_exchange_weak(&c[6], &expected, expected + g))
		;
	expected = -1;
	a[g] += atomic_compare_exchange_strong_explicit(&c[7], &expected, 7, memory_order_acq_rel, memory_order_relaxed,
	                                                memory_scope_device);
	a[g] += expected + 2 * atomic_flag_test_and_set(&f[g]);
	if (g & 1)
		atomic_flag_clear_explicit(&f[g], memory_order_release, memory_scope_device);
	atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
}
