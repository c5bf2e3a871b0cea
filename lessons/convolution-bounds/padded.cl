// The same result as tests.cl: the zeros around the signal are multiplied like everything else, so
// there is nothing to test and every lane takes the same number of steps.
//
// The signal of n elements starts at in[reach]; `reach` zeros stand before and after it. There are
// 2 * reach + 1 weights, and out[i] sums the neighbours of element i as far as they exist.
//
// wavesim: --global 1024 --local 256 --arg n=1024 --arg reach=128
// wavesim: --arg in=@signal.npy --arg weights=random(-9,9):257 --arg out=zero:1024

kernel void convolve(global const int *in, global const int *weights, global int *out, int n,
                     int reach)
{
	int i = get_global_id(0);
	int m = 2 * reach + 1;
	int sum = 0;

	for (int j = 0; j < m; j++)
		sum += in[i + j] * weights[j];
	out[i] = sum;
}
