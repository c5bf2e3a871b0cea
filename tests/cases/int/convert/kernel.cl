// Conversions between integer types, plain and saturated.
//
// wavesim: --global 128 --local 64 --arg out=zero:8192

uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

ulong hash64(uint x)
{
	return (ulong)hash(x) << 32 | hash(x ^ 0x9e3779b9u);
}

kernel void convert(global ulong *out)
{
	uint gid = get_global_id(0);
	global ulong *o = out + gid * 64;
	int by = (int)(gid & 31);
	int i = (int)hash(gid) >> by;
	uint ui = hash(gid + 1) >> by;
	long l = (long)hash64(gid + 2) >> 2 * by;
	ulong ul = hash64(gid + 3) >> 2 * by;
	short s = (short)(i ^ (int)ui);
	o[0] = (ulong)convert_char(i) + 3 * (ulong)convert_char_sat(i);
	o[1] = (ulong)convert_char(ui) + 3 * (ulong)convert_char_sat(ui);
	o[2] = (ulong)convert_char(l) + 3 * (ulong)convert_char_sat(l);
	o[3] = (ulong)convert_char(ul) + 3 * (ulong)convert_char_sat(ul);
	o[4] = (ulong)convert_char(s) + 3 * (ulong)convert_char_sat(s);
	o[5] = (ulong)convert_uchar(i) + 3 * (ulong)convert_uchar_sat(i);
	o[6] = (ulong)convert_uchar(ui) + 3 * (ulong)convert_uchar_sat(ui);
	o[7] = (ulong)convert_uchar(l) + 3 * (ulong)convert_uchar_sat(l);
	o[8] = (ulong)convert_uchar(ul) + 3 * (ulong)convert_uchar_sat(ul);
	o[9] = (ulong)convert_uchar(s) + 3 * (ulong)convert_uchar_sat(s);
	o[10] = (ulong)convert_short(i) + 3 * (ulong)convert_short_sat(i);
	o[11] = (ulong)convert_short(ui) + 3 * (ulong)convert_short_sat(ui);
	o[12] = (ulong)convert_short(l) + 3 * (ulong)convert_short_sat(l);
	o[13] = (ulong)convert_short(ul) + 3 * (ulong)convert_short_sat(ul);
	o[14] = (ulong)convert_short(s) + 3 * (ulong)convert_short_sat(s);
	o[15] = (ulong)convert_ushort(i) + 3 * (ulong)convert_ushort_sat(i);
	o[16] = (ulong)convert_ushort(ui) + 3 * (ulong)convert_ushort_sat(ui);
	o[17] = (ulong)convert_ushort(l) + 3 * (ulong)convert_ushort_sat(l);
	o[18] = (ulong)convert_ushort(ul) + 3 * (ulong)convert_ushort_sat(ul);
	o[19] = (ulong)convert_ushort(s) + 3 * (ulong)convert_ushort_sat(s);
	o[20] = (ulong)convert_int(i) + 3 * (ulong)convert_int_sat(i);
	o[21] = (ulong)convert_int(ui) + 3 * (ulong)convert_int_sat(ui);
	o[22] = (ulong)convert_int(l) + 3 * (ulong)convert_int_sat(l);
	o[23] = (ulong)convert_int(ul) + 3 * (ulong)convert_int_sat(ul);
	o[24] = (ulong)convert_int(s) + 3 * (ulong)convert_int_sat(s);
	o[25] = (ulong)convert_uint(i) + 3 * (ulong)convert_uint_sat(i);
	o[26] = (ulong)convert_uint(ui) + 3 * (ulong)convert_uint_sat(ui);
	o[27] = (ulong)convert_uint(l) + 3 * (ulong)convert_uint_sat(l);
	o[28] = (ulong)convert_uint(ul) + 3 * (ulong)convert_uint_sat(ul);
	o[29] = (ulong)convert_uint(s) + 3 * (ulong)convert_uint_sat(s);
	o[30] = (ulong)convert_long(i) + 3 * (ulong)convert_long_sat(i);
	o[31] = (ulong)convert_long(ui) + 3 * (ulong)convert_long_sat(ui);
	o[32] = (ulong)convert_long(l) + 3 * (ulong)convert_long_sat(l);
	o[33] = (ulong)convert_long(ul) + 3 * (ulong)convert_long_sat(ul);
	o[34] = (ulong)convert_long(s) + 3 * (ulong)convert_long_sat(s);
	o[35] = (ulong)convert_ulong(i) + 3 * (ulong)convert_ulong_sat(i);
	o[36] = (ulong)convert_ulong(ui) + 3 * (ulong)convert_ulong_sat(ui);
	o[37] = (ulong)convert_ulong(l) + 3 * (ulong)convert_ulong_sat(l);
	o[38] = (ulong)convert_ulong(ul) + 3 * (ulong)convert_ulong_sat(ul);
	o[39] = (ulong)convert_ulong(s) + 3 * (ulong)convert_ulong_sat(s);
	short8 v = (short8)((short)i, s, -300, 300, 127, 128, -129, 5);
	uchar8 c = convert_uchar8_sat(v);
	o[40] = as_ulong(c);
	o[41] = as_ulong(convert_char8_sat(v));
	o[42] = as_ulong(convert_uchar8(v));
	o[43] = as_ulong2(convert_ushort8_sat(v)).x;
	o[44] = as_ulong(convert_int2_sat((long2)(l, (long)ul)));
	o[45] = as_ulong(convert_uint2_sat((long2)(l, (long)ul)));
	o[46] = (ulong)(bool)i + 2 * (ulong)(bool)(ui >> 20);
}
