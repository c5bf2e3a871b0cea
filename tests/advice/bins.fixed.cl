// wavesim: --global 16384 --local 256 --arg n=262144 --arg data=random(0,256):262144 --arg bins=zero:64
kernel void hist(global const uint *data, global uint *bins, uint n)
{
	local uint own[64];
	uint l = get_local_id(0);
	if (l < 64)
		own[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = get_global_id(0); i < n; i += get_global_size(0))
		atomic_add(&own[data[i] & 63], 1);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 64)
		atomic_add(&bins[l], own[l]);
}
