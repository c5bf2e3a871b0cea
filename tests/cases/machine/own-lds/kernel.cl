// A chip of one's own has more local memory than LLVM knows of the one that it stands for: the machine
// code is that one's all the same.
// wavesim: --global 256 --local 64 --arg a=iota:256 --arg out=zero:256

kernel void large(global const int *a, global int *out)
{
	local int t[20000];
	int l = get_local_id(0);

	for (int i = l; i < 20000; i += 64)
		t[i] = a[i & 255] + i;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = t[l * 311 + 7];
}
