// wavesim: --global 65536 --local 256 --arg a=random:65536 --arg out=zero:65536
kernel void turn(global const float *a, global float *out)
{
	local float tile[16][16], wide[32][32];
	int l = get_local_id(0), x = l % 32, y = l / 32;
	tile[l / 16][l % 16] = a[get_global_id(0)];
	for (int k = 0; k < 4; k++)
		wide[y * 4 + k][x] = a[get_global_id(0)] + k;
	barrier(CLK_LOCAL_MEM_FENCE);
	float sum = 0;
	for (int k = 0; k < 16; k++)
		sum += tile[k][l % 16];
	for (int k = 0; k < 32; k++)
		sum = sum * 0.5f + wide[x][(y + k) % 32]; // flaw: lds_padding
	out[get_global_id(0)] = sum;
}
