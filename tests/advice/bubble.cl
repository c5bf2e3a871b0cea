// wavesim: --global 16384 --local 256 --arg in=random:524288 --arg out=zero:16384
// The compiler does not unroll these loops so far that registers could hold v, even when it is told to.
kernel void middle(global const float *in, global float *out)
{
	int id = get_global_id(0);
	float v[32];
	for (int i = 0; i < 32; i++)
		v[i] = in[i * get_global_size(0) + id];
	for (int i = 0; i < 31; i++)
		for (int j = 0; j < 31 - i; j++)
			if (v[j] > v[j + 1]) { // flaw: private_array
				float t = v[j];
				v[j] = v[j + 1];
				v[j + 1] = t;
			}
	out[id] = v[15];
}
