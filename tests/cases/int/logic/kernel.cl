// Truth values: comparisons, short circuits with side effects, negation, comma, ternaries.
//
// wavesim: --global 192 --local 64 --arg out=zero:1536

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

int bump(int *count, int value)
{
	*count += 1;
	return value;
}

kernel void logic(global int *out)
{
	uint gid = get_global_id(0);
	int a = (int)(hash(gid) & 7), b = (int)(hash(gid + 77) & 7), count = 0;
	bool p = bump(&count, a > 3) && bump(&count, b > 3);
	bool q = bump(&count, a == b) || bump(&count, b & 1);
	bool r = !p != q;
	out[gid * 8] = p + 2 * q + 4 * r;
	out[gid * 8 + 1] = count;
	out[gid * 8 + 2] = p ? (q ? a : b) : (r ? -a : -b);
	out[gid * 8 + 3] = (count += 3, a) + b;
	out[gid * 8 + 4] = count;
	out[gid * 8 + 5] = !a + !!b * 10;
	out[gid * 8 + 6] = (a < b) - (a > b);
	out[gid * 8 + 7] = (p & q) | (q ^ r) << 1;
}
