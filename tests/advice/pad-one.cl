// wavesim: --global 65536 --local 256 --arg a=random:65536 --arg out=zero:65536
kernel void turn(global const float *a, global float *out)
{
	local float tile[32][32], rows[16][32];
	int l = get_local_id(0), x = l % 32, y = l / 32;
	rows[y][x] = a[get_global_id(0)];
	rows[y + 8][x] = a[get_global_id(0)] + 1;
	for (int k = 0; k < 4; k++)
		tile[y * 4 + k][x] = a[get_global_id(0)] + k;
	barrier(CLK_LOCAL_MEM_FENCE);
	float sum = 0;
	for (int k = 0; k < 32; k++)
		sum = sum * 0.5f + tile[x][(y + k) % 32]; // flaw: lds_padding
	for (int k = 0; k < 16; k++)
		sum += rows[k][x];
	out[get_global_id(0)] = sum;
}
