// Each turn needs what the last one loaded: unrolled, it waits as long.
// device: mi210
// wavesim: --global 4096 --local 256 --arg next=random:65536 --arg out=zero:4096 --arg n=512
kernel void walk(global const uint *next, global uint *out, int n)
{
	uint at = get_global_id(0);
	for (int k = 0; k < n; k++)
		at = next[at & 65535] + k; // not: waiting_loop
	out[get_global_id(0)] = at;
}
