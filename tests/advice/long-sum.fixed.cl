// The parts of the sums; a second kernel adds them up.
// wavesim: --global 8192 --local 64 --arg a=random:256 --arg parts=zero:8192
kernel void sums(global const float *a, global float *parts)
{
	int i = get_global_id(0) % 256, part = get_global_id(0) / 256;
	float x = a[i], sum = 0;
	for (int k = 2000 * part / 32; k < 2000 * (part + 1) / 32; k++)
		sum += sqrt(x + k) * (x - k);
	parts[get_global_id(0)] = sum;
}
