// Each iteration goes on from where the last one ended, and the sum decides when the loop ends.
// not: few_waves
// wavesim: --global 256 --local 64 --arg next=random(0,4095):4096 --arg out=zero:512
kernel void follow(global const int *next, global float *out)
{
	int i = get_global_id(0), at = i;
	float x = 0.1f * i, sum = 0;
	for (int k = 0; k < 256; k++)
		at = next[at];
	while (sum < 100) {
		x = x * 0.5f + 0.25f;
		sum += x;
	}
	out[i] = sum;
	out[256 + i] = at;
}
