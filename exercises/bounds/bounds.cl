// wavesim: --global 128 --local 64 --arg n=100 --arg in=random(0,16):100 --arg bounds=iota:16 --arg out=zero:100
kernel void classify(global const int *in, constant int *bounds, global int *out, int n)
{
	int i = get_global_id(0);
	// …
}
