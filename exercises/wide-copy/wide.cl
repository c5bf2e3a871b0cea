// wavesim: --global 64 --local 64 --arg n=203 --arg in=random(0,255):203 --arg out=zero:203
kernel void invert(global const uchar *in, global uchar *out, uint n)
{
	uint i = get_global_id(0);
	// …
}
