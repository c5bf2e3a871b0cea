// wavesim: --global 65536 --local 256 --arg a=random:65536 --arg out=zero:65536
kernel void pairs(global const float *a, global float *out)
{
	local float t[512];
	int l = get_local_id(0);
	t[l] = a[get_global_id(0)];
	t[256 + l] = a[get_global_id(0)] * 2;
	barrier(CLK_LOCAL_MEM_FENCE);
	float sum = 0;
	for (int k = 0; k < 64; k++)
		sum = sum * 0.5f + t[(l + k) % 256];
	out[get_global_id(0)] = sum;
}
