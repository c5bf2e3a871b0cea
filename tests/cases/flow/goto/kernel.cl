// goto forwards, backwards and out of nested loops.
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


kernel void jumps(global uint *out)
{
	uint gid = get_global_id(0), r = gid, n = 0;
again:
	r = hash(r);
	if (r & 1)
		goto odd;
	r += 2;
	if (++n < 5)
		goto again;
	goto done;
odd:
	for (uint i = 0; i < 10; i++)
		for (uint j = 0; j < 10; j++) {
			r += i * j;
			if (r % 37 == 0)
				goto out_of_both;
		}
	r ^= 0xf0f0;
out_of_both:
	if (n++ < 3)
		goto again;
done:
	out[gid] = r + n;
}
