// wavesim: --global 16384 --local 256 --arg a=random:65536 --arg out=zero:16384
// in HIP by LLVM 16: advice waiting_loop at line 9
kernel void sums(global const float *a, global float *out)
{
	int g = get_global_id(0);
	float s[270];
	for (int i = 0; i < 270; i++)
		s[i] = a[g + i];
	for (int k = 0; k < 20; k++) {
		float v = a[g + k * 64];
#pragma unroll
		for (int i = 0; i < 270; i++)
			s[i] = s[i] * v + s[(i * 7 + 1) % 270]; // note: private_array
	}
	float sum = 0;
	for (int i = 0; i < 270; i++)
		sum += s[i];
	out[g] = sum;
}
