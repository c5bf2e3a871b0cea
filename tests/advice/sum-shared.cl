// A place that the loop reads elsewhere, too: it cannot stay in a register.
// device: mi210
// wavesim: --global 4096 --local 256 --arg b=random:512 --arg out=zero:4608 --arg n=512
kernel void mixed(global const float *b, global float *out, int n)
{
	int g = get_global_id(0);
	for (int k = 0; k < n; k++)
		out[g] += out[g + k] * b[k]; // not: memory_sum
}
