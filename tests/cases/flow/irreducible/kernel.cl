// Loops that are entered in two places: no block of them comes before all others.
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


kernel void irreducible(global uint *out)
{
	uint gid = get_global_id(0), x = hash(gid), n = 0;
	if (x & 1)
		goto second;
first:
	x = x * 5 + 1;
	n++;
	if (x % 11 == 3)
		goto end;
second:
	x ^= x >> 7;
	n += 10;
	if (x % 13 == 5)
		goto end;
	if (n < 300)
		goto first;
end:
	out[gid] = x ^ n << 20;
}
