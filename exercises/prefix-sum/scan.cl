// wavesim: --global 1024 --local 256 --arg in=iota:1024 --arg out=zero:1024
kernel void scan(global const uint *in, global uint *out)
{
	local uint part[256];
	// …
}
