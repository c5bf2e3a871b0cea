// wavesim: --global 65536 --local 256 --arg a=random:65536 --arg out=zero:1
kernel void total(global const uint *a, global uint *out)
{
	local uint sum;
	if (get_local_id(0) == 0)
		sum = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&sum, a[get_global_id(0)] & 255);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		atomic_add(out, sum);
}
