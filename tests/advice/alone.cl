// wavesim: --global 16384 --local 256 --arg a=random:1048576 --arg out=zero:64
kernel void sums(global const float *a, global float *out)
{
	int l = get_local_id(0), g = get_group_id(0);
	if (l == 0) { // flaw: split_branch
		float sum = 0;
#pragma unroll 8
		for (int k = 0; k < 16384; k++)
			sum += a[g * 16384 + k];
		out[g] = sum;
	}
}
