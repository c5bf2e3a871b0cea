// wavesim: --global 65536 --local 256 --arg a=random:65536 --arg out=zero:65536
kernel void own(global const float *a, global float *out)
{
	local float t[256];
	int l = get_local_id(0);
	float s = a[get_global_id(0)];
	for (int k = 0; k < 50; k++) {
		t[l] = s + k;
		s += t[l] * 0.5f;
	}
	out[get_global_id(0)] = s;
}
