// wavesim: --global 24x16 --local 8x8 --arg width=19 --arg height=11 --arg in=random:209 --arg out=zero:209
kernel void map(global const int *in, global int *out, uint width, uint height)
{
	// out = in + 10, for every element
}
