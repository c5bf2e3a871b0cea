// wavesim: --global 256 --local 64 --arg out=zero:256
kernel void prints(global int *out)
{
	int i = get_global_id(0);
	out[i] = i;
	if (i % 64 == 0)
		printf("%d of %zd\n", i, (size_t)256);
}
