// wavesim: --global 16384 --local 256 --arg a=random:1048576 --arg out=zero:64
kernel void sums(global const float *a, global float *out)
{
	local float part[256];
	int l = get_local_id(0), g = get_group_id(0);
	float sum = 0;
#pragma unroll 8
	for (int k = l; k < 16384; k += 256)
		sum += a[g * 16384 + k];
	part[l] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int d = 128; d; d /= 2) {
		if (l < d)
			part[l] += part[l + d];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (l == 0)
		out[g] = part[0];
}
