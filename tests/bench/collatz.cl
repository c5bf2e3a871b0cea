// Steps of the 3n + 1 sequence until it reaches 1: neighbouring lanes take very different numbers.
//
// wavesim: --global 65536 --local 256 --arg in=iota:65536 --arg out=zero:65536

kernel void collatz(global const uint *in, global uint *out)
{
	uint gid = get_global_id(0);
	uint n = in[gid] + 1;
	uint steps = 0;

	while (n != 1) {
		if (n & 1)
			n = 3 * n + 1;
		else
			n /= 2;
		steps++;
	}
	out[gid] = steps;
}
