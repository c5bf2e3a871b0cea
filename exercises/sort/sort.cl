// wavesim: --global 512 --local 64 --arg a=random(0,9999):512
kernel void sort(global int *a)
{
	local int v[64];
	// …
}
