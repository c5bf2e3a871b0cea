// Vector comparisons give 0 and -1 in a signed type of the same width; && || ! and ?: by lane.
//
// wavesim: --global 128 --local 64 --arg a=random(-9,9):512 --arg b=random(-9,9):512
// wavesim: --arg out=zero:2048

kernel void compare(global const int4 *a, global const int4 *b, global int4 *out)
{
	uint gid = get_global_id(0);
	int4 x = a[gid], y = b[gid];
	int4 lt = x < y, eq = x == y;
	float4 f = convert_float4(x) * 0.5f, g = convert_float4(y);
	short4 s = convert_short4(x) >= convert_short4(y);
	char4 c = convert_char4(x) != (char4)(1);
	long2 l = convert_long2(x.lo) <= convert_long2(y.hi);
	out[gid * 4] = lt + 2 * eq + (x && y) * 4 + (x || y) * 8 + !x * 16;
	out[gid * 4 + 1] = lt ? x : y;
	out[gid * 4 + 2] = (f > g) + 2 * (f == g) + 4 * convert_int4(s) + 8 * convert_int4(c);
	out[gid * 4 + 3] = (f <= g ? x * 3 : (int4)(7)) + (int4)((int2)(l.x, l.y), 0, 1);
}
