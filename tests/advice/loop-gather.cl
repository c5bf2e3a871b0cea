// What each turn fetches lies somewhere: memory is as busy with equal loops, and only the rest is gained.
// wavesim: --global 65536 --local 256 --arg n=random:65536 --arg v=random:4194304 --arg out=zero:65536
kernel void rows(global const int *n, global const float *v, global float *out)
{
	uint g = get_global_id(0);
	float s = 0;
	for (int k = 0; k < (n[g] & 63); k++) // not: uneven_loop
		s += v[(g * 2654435761u + k * 2246822519u) >> 10];
	out[g] = s;
}
