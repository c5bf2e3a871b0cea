// wavesim: --global 15616 --local 256 --arg n=32 --arg in=iota:499712 --arg out=zero:499712
// A copy by 61 work-groups, one more than mi50 has compute units: the last round is nearly empty, and DRAM no faster.
kernel void copy(global const float4 *in, global float4 *out, int n)
{
	int base = get_group_id(0) * n * 256;
	for (int i = 0; i < n; i++)
		out[base + i * 256 + get_local_id(0)] = in[base + i * 256 + get_local_id(0)];
}
