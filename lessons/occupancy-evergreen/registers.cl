// LIVE values stay alive at once, so a kernel needs at least LIVE registers per lane. Build it
// with -D LIVE=8, 16, 32 … and watch how many waves still fit.
//
// wavesim: --global 16384 --local 256 --arg rounds=8
// wavesim: --arg in=random:16384 --arg out=zero:16384

#ifndef LIVE
#define LIVE 16
#endif

kernel void live(global const float *in, global float *out, uint rounds)
{
	uint gid = get_global_id(0);
	uint mask = get_global_size(0) - 1;
	float v[LIVE];

#pragma unroll
	for (uint i = 0; i < LIVE; i++)
		v[i] = in[(gid + 64 * i) & mask];

	// Every value meets its neighbour in every round: none can be computed early and dropped.
	for (uint r = 0; r < rounds; r++) {
#pragma unroll
		for (uint i = 0; i < LIVE; i++)
			v[i] = 0.5f * v[i] + 0.25f * v[(i + 1) % LIVE] + 0.125f;
	}

	float sum = 0.0f;
#pragma unroll
	for (uint i = 0; i < LIVE; i++)
		sum += v[i];
	out[gid] = sum;
}
