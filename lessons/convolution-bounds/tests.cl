// A convolution that tests where it is: near the ends, only the weights that meet an element of the
// signal are used. Only the first and the last work-group have such ends.
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
	int group = get_group_id(0);
	int last = get_num_groups(0) - 1;
	int m = 2 * reach + 1;
	int sum = 0;

	if (group == 0 || group == last) {
		if (i < reach) {
			for (int j = reach - i, k = 0; j < m; j++, k++)
				sum += signal[k] * weights[j];
		} else if (i + reach >= n) {
			for (int j = 0, k = i - reach; j < reach + n - i; j++, k++)
				sum += signal[k] * weights[j];
		} else {
			for (int j = 0, k = i - reach; j < m; j++, k++)
				sum += signal[k] * weights[j];
		}
	} else {
		for (int j = 0, k = i - reach; j < m; j++, k++)
			sum += signal[k] * weights[j];
	}
	out[i] = sum;
}
