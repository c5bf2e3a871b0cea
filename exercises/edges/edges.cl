// wavesim: --global 128 --local 64 --arg n=70 --arg in=random(0,99):70 --arg weight=iota:9 --arg out=zero:70
kernel void weigh(global const int *in, constant int *weight, global int *out, int n)
{
	int i = get_global_id(0);
	// …
}
