// wavesim: --global 128 --local 64 --arg n=67 --arg in=random(0,99):67 --arg out=zero:67
kernel void stencil(global const int *in, global int *out, int n)
{
	local int tile[64 + 16];
	// …
}
