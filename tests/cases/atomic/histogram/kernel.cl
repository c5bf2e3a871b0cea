// A histogram: counted in local memory, added up in global memory.
//
// wavesim: --global 1024 --local 128 --arg in=random(0,255):1024 --arg bins=zero:16

kernel void histogram(global const uchar *in, global uint *bins)
{
	local uint count[16];
	uint lid = get_local_id(0);
	if (lid < 16)
		count[lid] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&count[in[get_global_id(0)] / 16]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 16 && count[lid])
		atomic_add(&bins[lid], count[lid]);
}
