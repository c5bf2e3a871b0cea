// Names of what is live where the kernel needs the most vector registers: the eight sums, the two
// loaded values and what addresses them.
// wavesim: --global 64 --local 64 --arg o=zero:64 --arg a=iota:256 --arg n=8
kernel void sums(global float *o, global const float *a, int n)
{
	uint lid = get_local_id(0);
	float sum[2][4] = {{0}};
	for (int k = 0; k < n; k++) {
		float x = a[lid + k], y = a[lid + 2 * k];
		for (int i = 0; i < 4; i++) {
			sum[0][i] = fma(x, (float)i, sum[0][i]);
			sum[1][i] = fma(y, sum[0][i], sum[1][i]);
		}
	}
	float all = 1;
	for (int i = 0; i < 8; i++)
		all = fma(all, 0.5f, sum[i & 1][i >> 1]);
	o[lid] = all;
}
