// The same sum in two orders: floats differ in the last place.
// wavesim: --global 1024 --local 64 --arg in=random:1024 --arg out=zero:1024 --arg n=3
kernel void first(global const float *in, global float *out, int n)
{
	int i = get_global_id(0);
	float s = 0;
	for (int k = 0; k < n; k++)
		s += in[(i + k) & 1023];
	out[i] = s;
}

kernel void second(global const float *in, global float *out, int n)
{
	int i = get_global_id(0);
	float s = 0;
	for (int k = n; k-- > 0;)
		s += in[(i + k) & 1023];
	out[i] = s;
}
