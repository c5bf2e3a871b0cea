// Two sums in one buffer, each read and stored turn after turn.
// wavesim: --global 16384 --local 256 --arg a=random:16384 --arg o=zero:32768 --arg n=64
kernel void two_sums(global const float *a, global float *o, int n)
{
	int i = get_global_id(0);
	for (int k = 0; k < n; k++) {
		o[i] += a[(i + k) & 16383]; // flaw: memory_sum
		o[i + get_global_size(0)] += a[(i * 3 + k) & 16383];
	}
}
