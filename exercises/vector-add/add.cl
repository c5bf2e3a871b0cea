// wavesim: --global 128 --local 64 --arg n=100 --arg a=random:100 --arg b=random:100 --arg out=zero:100
kernel void add(global const float *a, global const float *b, global float *out, uint n)
{
	// out[i] = a[i] + b[i], for every i below n
}
