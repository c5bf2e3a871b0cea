// wavesim: --global 1024 --local 256 --arg n=1000 --arg in=random(-999,999):1000 --arg out=fill:-5000:1
kernel void maximum(global const int *in, global int *out, int n)
{
	local int best;
	// …
}
