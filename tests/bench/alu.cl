// Arithmetic in registers: floats and integers mixed, the same number of steps for every lane.
//
// wavesim: --global 16384 --local 256 --arg steps=250 --arg in=iota:16384 --arg out=zero:16384

kernel void alu(global const float *in, global float *out, int steps)
{
	uint gid = get_global_id(0);
	float x = in[gid] * 0x1p-14f, y = 1.0f - x;
	uint h = gid * 2654435761u + 1u;

	for (int i = 0; i < steps; i++) {
		x = fma(x, 0.75f, y * 0.125f);
		h ^= h << 13;
		y = fma(y, 0.5f, x * 0.25f);
		h ^= h >> 17;
		x = max(x, y) - 0.0625f;
		h ^= h << 5;
		y += (float)(h >> 24) * 0x1p-10f;
		h += (uint)i;
	}
	out[gid] = x + y + (float)(h & 255);
}
