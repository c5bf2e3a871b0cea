// Executed machine code of a VLIW chip, counted by hand. Per wavefront, in bundles: 11 before the loops,
// 2 at the start and 3 at the end of each of 11 outer turns, 7 in each of 66 inner ones, 3 after them:
// 531. A fetch each inner turn. 8 wavefronts run.
//
// wavesim: --global 512 --local 64 --arg a=iota:512 --arg out=zero:512 --arg n=11 --arg m=6

kernel void nest(global const int *a, global int *out, int n, int m)
{
	int i = get_global_id(0), s = 0;
#pragma unroll 1
	for (int k = 0; k < n; k++) {
		s = s * 5 + k;
#pragma unroll 1
		for (int j = 0; j < m; j++)
			s += a[(i + s + j) & 511];
		s ^= s >> 7;
	}
	out[i] = s;
}
