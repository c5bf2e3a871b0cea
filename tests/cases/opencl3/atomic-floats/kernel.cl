// Atomics of floats and doubles as C11 has them: store, load, exchange, compare and exchange, of each work-item's own.
//
// wavesim: --global 64 --local 64 --arg out=zero:128

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

kernel void atomics(global atomic_double *d, global atomic_float *f, global const float *in, global double *out)
{
	size_t gid = get_global_id(0);
	local atomic_float l[64];
	atomic_init(&l[gid], in[gid]);
	atomic_store(&d[gid], in[gid]);
	atomic_store_explicit(&f[gid], in[gid] / 2, memory_order_relaxed, memory_scope_device);
	double was = atomic_exchange(&d[gid], atomic_load(&d[gid]) * 2);
	float expected = in[gid] / 2;
	int taken = atomic_compare_exchange_strong(&f[gid], &expected, in[gid] + 1);
	taken += 2 * atomic_compare_exchange_strong_explicit(&l[gid], &expected, 0.5f, memory_order_acq_rel,
	                                                     memory_order_relaxed, memory_scope_work_group);
	out[2 * gid] = was + atomic_load_explicit(&l[gid], memory_order_acquire, memory_scope_work_group);
	out[2 * gid + 1] = taken + expected;
}
