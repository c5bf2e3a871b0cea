// Executed machine code of a VLIW chip where lanes go different ways, counted by hand: a wavefront runs
// both loops, one 20 turns of 3 bundles, the other 7 as the lane with the most, and 20 bundles beside
// them: 101. 8 wavefronts run.
//
// wavesim: --global 512 --local 64 --arg a=iota:512 --arg out=zero:512 --arg n=20

kernel void branch(global const int *a, global int *out, int n)
{
	int i = get_global_id(0), s = a[i];
	if ((i & 63) < n) {
#pragma unroll 1
		for (int k = 0; k < (i & 7); k++)
			s = (s * 5) ^ (s >> 3);
	} else {
#pragma unroll 1
		for (int k = 0; k < n; k++)
			s = (s * 7) ^ (s >> 2);
	}
	out[i] = s;
}
