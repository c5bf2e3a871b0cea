// Bytes that hold floats, by what the kernel stores in them: a NaN is one whatever its bits, and exp may round otherwise.
//
// wavesim: --global 1024 --local 64 --arg a=random:1024 --arg o=zero:16384
kernel void bytes(global const float4 *a, global uchar *o, int offset)
{
	int i = get_global_id(0);
	global float4 *to = (global float4 *)(o + offset + i * sizeof(float4));
	*to = i & 1 ? nan((uint4)0) : exp(a[i]);
}
