kernel void triangle(global const int *in, global int *out, int n)
{
	int i = get_global_id(0), other = n - 1 - i, sum[2] = {0, 0};
	int first = i * (i + 1) / 2, second = other * (other + 1) / 2 - i;
	for (int k = 0; k < n; k++) {
		bool mine = k < i;
		int value = in[(mine ? first : second) + k];
		sum[0] += mine ? value : 0;
		sum[1] += mine ? 0 : value;
	}
	out[i] = sum[0];
	out[other] = sum[1];
}
