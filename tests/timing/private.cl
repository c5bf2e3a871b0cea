// Private arrays: lanes at one index or at indices of their own, and wide elements. Loops are not unrolled: LLVM needs
// seconds for one of 256 turns. See tests/consistency.sh.
#define PASTE(a, b) a##b
#define VECTOR(n) PASTE(int, n)
#ifndef WIDTH
#define WIDTH 4
#endif

kernel void spread(global const int *in, global int *out, int apart)
{
	int v[64], id = get_global_id(0), lane = get_local_id(0), sum = 0;
	for (int i = 0; i < 64; i++)
		v[i] = in[(id + i) & 4095];
#pragma unroll 1
	for (int i = 0; i < 256; i++)
		v[(in[i] + lane * apart) & 63] += i;
	for (int i = 0; i < 64; i++)
		sum ^= v[i];
	out[id] = sum;
}

kernel void wide(global const int *in, global int *out)
{
	VECTOR(WIDTH) v[32];
	int id = get_global_id(0), sum = 0;
	for (int i = 0; i < 32; i++)
		v[i] = in[(id + i) & 4095];
#pragma unroll 1
	for (int i = 0; i < 256; i++)
		v[in[i] & 31] += i;
	for (int i = 0; i < 32; i++)
		sum ^= v[i].s0 + v[i].s3;
	out[id] = sum;
}
