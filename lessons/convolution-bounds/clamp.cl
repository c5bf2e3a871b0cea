// The same result as tests.cl: min and max say where the loop starts and ends. One loop serves all
// elements; near the ends its lanes still leave it at different times.
//
// The signal of n elements starts at in[reach]; `reach` zeros stand before and after it. There are
// 2 * reach + 1 weights, and out[i] sums the neighbours of element i as far as they exist.
//
// wavesim: --global 1024 --local 256 --arg n=1024 --arg reach=128
// wavesim: --arg in=@signal.npy --arg weights=random(-9,9):257 --arg out=zero:1024

kernel void convolve(global const int *in, global const int *weights, global int *out, int n,
                     int reach)
{
	global const int *signal = in + reach;
	int i = get_global_id(0);
	int m = 2 * reach + 1;
	int first = max(reach - i, 0);
	int end = min(reach + n - i, m);
	int sum = 0;

	for (int j = first, k = max(i - reach, 0); j < end; j++, k++)
		sum += signal[k] * weights[j];
	out[i] = sum;
}
