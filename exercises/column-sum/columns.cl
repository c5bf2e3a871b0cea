// wavesim: --global 128 --local 64 --arg width=77 --arg height=5 --arg in=random:385 --arg out=zero:77
kernel void columns(global const int *in, global int *out, uint width, uint height)
{
	// out[x] = the sum of in[y * width + x] over all rows y
}
