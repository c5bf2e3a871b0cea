// wavesim: --global 128 --local 64 --arg n=256 --arg in=random(0,9):32896 --arg out=zero:256
kernel void triangle(global const int *in, global int *out, int n)
{
	int i = get_global_id(0);
	// …
}
