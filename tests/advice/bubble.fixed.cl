// wavesim: --global 16384 --local 256 --arg in=random:524288 --arg out=zero:16384
kernel void middle(global const float *in, global float *out)
{
	int id = get_global_id(0), l = get_local_id(0);
	local float v[32][256];
	for (int i = 0; i < 32; i++)
		v[i][l] = in[i * get_global_size(0) + id];
	for (int i = 0; i < 31; i++)
		for (int j = 0; j < 31 - i; j++)
			if (v[j][l] > v[j + 1][l]) {
				float t = v[j][l];
				v[j][l] = v[j + 1][l];
				v[j + 1][l] = t;
			}
	out[id] = v[15][l];
}
