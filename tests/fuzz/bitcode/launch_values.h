/* What PoCL's library reads of a launch, for kernels that are built without that library. */
extern constant ulong _local_id_x, _local_id_y, _group_id_x, _group_id_y, _local_size_x,
	_local_size_y, _global_offset_x;
extern constant uint _work_dim;
void barrier_(uint flags) __asm("pocl.barrier") __attribute__((convergent));
