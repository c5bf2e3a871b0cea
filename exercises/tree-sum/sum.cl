// wavesim: --global 512 --local 256 --arg n=300 --arg in=random:300 --arg out=zero:2
kernel void sum(global const uint *in, global uint *out, uint n)
{
	local uint part[256];
	// …
}
