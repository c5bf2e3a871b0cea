// Loops with many exits, and exits of two loops at once.
//
// wavesim: --global 192 --local 64 --arg out=zero:192

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}


kernel void exits(global uint *out)
{
	uint gid = get_global_id(0), x = hash(gid), why = 0, i;
	for (i = 0; i < 64; i++) {
		x = hash(x + i);
		if (x % 31 == 0) {
			why = 1;
			break;
		}
		if (x % 29 == 1) {
			why = 2;
			x += 100;
			break;
		}
		for (uint j = 0; j < (x & 7); j++) {
			if ((x >> j) % 19 == 2) {
				why = 3;
				goto out_of_both;
			}
			x -= j;
		}
		if (x < 1000000 && i > 3)
			goto out_of_both;
	}
	why |= 8;
out_of_both:
	out[gid] = x * 16 + why + (i << 24);
}
