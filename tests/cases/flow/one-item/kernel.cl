// A single work-item, as many old programs launch their kernels.
//
// wavesim: --global 1 --local 1 --arg n=100 --arg in=random:100 --arg out=zero:3

kernel void one(global const uint *in, global uint *out, uint n)
{
	uint sum = 0, largest = 0, at = 0;
	for (uint i = 0; i < n; i++) {
		sum += in[i];
		if (in[i] > largest) {
			largest = in[i];
			at = i;
		}
	}
	out[0] = sum;
	out[1] = largest;
	out[2] = at;
}
