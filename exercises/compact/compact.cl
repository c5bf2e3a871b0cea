// wavesim: --global 1024 --local 64 --arg in=random(0,3):1024 --arg out=zero:1024 --arg count=zero:16
kernel void compact(global const int *in, global int *out, global int *count)
{
	local int before[64];
	// …
}
