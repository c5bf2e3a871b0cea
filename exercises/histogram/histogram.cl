// wavesim: --global 512 --local 256 --arg n=8192 --arg in=random(0,255):8192 --arg bins=zero:256
kernel void histogram(global const uchar *in, global uint *bins, uint n)
{
	local uint count[256];
	// …
}
