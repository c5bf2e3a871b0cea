// wavesim: --global 65536 --local 64 --arg a=random:65536 --arg out=zero:65536
kernel void rows(global const float *a, global float *out) // flaw: lds_step
{
	local float t[64 * 35];
	int l = get_local_id(0), g = get_global_id(0);
	float x = 0;
	for (int k = 0; k < 35; k++) {
		x = a[(g + k * 997 + (int)(x * 64)) & 65535];
		t[k * 64 + l] = x;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	float s = 0;
	for (int k = 0; k < 35; k++)
		s += t[k * 64 + (l ^ k & 63)];
	out[g] = s;
}
