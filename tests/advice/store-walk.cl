// Each turn stores elsewhere. The compiler unrolls the loop, and each of its stores stays where it is.
// not: memory_sum
// wavesim: --global 1024 --local 256 --arg v=zero:4096 --arg a=random:1024 --arg n=1000
kernel void store_walk(global float *v, global const float *a, int n)
{
	int t = get_global_id(0);
	for (int i = 0; i < n; i++)
		v[t + 1024 * (i & 3)] = a[(t + i) & 1023] / (i + 1);
}
