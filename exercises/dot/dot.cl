// wavesim: --global 128 --local 64 --arg n=999 --arg a=random(0,99):999 --arg b=random(0,99):999 --arg out=zero:2
kernel void dot(global const uint *a, global const uint *b, global uint *out, uint n)
{
	local uint part[64];
	// …
}
