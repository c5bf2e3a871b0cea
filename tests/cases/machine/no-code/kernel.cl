// LLVM has no code for a division of 128-bit integers: the report says so, and uses the IR.
//
// wavesim: --global 64 --local 64 --arg a=random(1,1000):64 --arg b=random(1,9):64
kernel void k(global ulong *out, global const ulong *a, global const ulong *b)
{
	uint i = get_global_id(0);
	__int128 x = (__int128)a[i] << 64;
	out[i] = (ulong)(x / b[i]);
}
