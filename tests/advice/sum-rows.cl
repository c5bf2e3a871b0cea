// The loop waits for its own stores: how its lanes lie is looked at when the sum is out of memory.
// not: uncoalesced
// wavesim: --global 2048 --local 256 --arg a=random:1048576 --arg b=random:512 --arg out=zero:2048 --arg n=512
kernel void product(global const float *a, global const float *b, global float *out, int n)
{
	int i = get_global_id(0);
	for (int k = 0; k < n; k++)
		out[i] += a[i * n + k] * b[k];
}
