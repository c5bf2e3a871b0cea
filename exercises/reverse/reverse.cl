// wavesim: --global 2048 --local 256 --arg data=iota:2048
kernel void reverse(global int *data)
{
	local int tile[256];
	// …
}
