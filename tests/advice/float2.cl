// wavesim: --global 65536 --local 256 --arg a=random:65536 --arg out=zero:65536
kernel void pairs(global const float *a, global float *out)
{
	local float t[512];
	int l = get_local_id(0);
	t[2 * l] = a[get_global_id(0)];
	t[2 * l + 1] = a[get_global_id(0)] * 2;
	barrier(CLK_LOCAL_MEM_FENCE);
	float sum = 0;
	for (int k = 0; k < 64; k++)
		sum = sum * 0.5f + t[2 * ((l + k) % 256)]; // flaw: lds_padding
	out[get_global_id(0)] = sum;
}
