// Double to every integer type with each rounding, saturated; plain conversions of values that fit.
//
// wavesim: --global 256 --local 64 --arg out=zero:16384
#pragma OPENCL EXTENSION cl_khr_fp64 : enable


uint hash(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

kernel void convert(global ulong *out)
{
	uint gid = get_global_id(0);
	global ulong *o = out + gid * 64;
	int e = (int)(gid % 70) - 3;
	double x = ldexp((double)((int)hash(gid) >> 8), e - 24);
	if (gid < 8)
		x = (double)gid - 3.5;
	o[0] = (ulong)convert_char_sat(x);
	o[1] = (ulong)convert_char_sat_rte(x);
	o[2] = (ulong)convert_char_sat_rtz(x);
	o[3] = (ulong)convert_char_sat_rtp(x);
	o[4] = (ulong)convert_char_sat_rtn(x);
	o[5] = (ulong)convert_uchar_sat(x);
	o[6] = (ulong)convert_uchar_sat_rte(x);
	o[7] = (ulong)convert_uchar_sat_rtz(x);
	o[8] = (ulong)convert_uchar_sat_rtp(x);
	o[9] = (ulong)convert_uchar_sat_rtn(x);
	o[10] = (ulong)convert_short_sat(x);
	o[11] = (ulong)convert_short_sat_rte(x);
	o[12] = (ulong)convert_short_sat_rtz(x);
	o[13] = (ulong)convert_short_sat_rtp(x);
	o[14] = (ulong)convert_short_sat_rtn(x);
	o[15] = (ulong)convert_ushort_sat(x);
	o[16] = (ulong)convert_ushort_sat_rte(x);
	o[17] = (ulong)convert_ushort_sat_rtz(x);
	o[18] = (ulong)convert_ushort_sat_rtp(x);
	o[19] = (ulong)convert_ushort_sat_rtn(x);
	o[20] = (ulong)convert_int_sat(x);
	o[21] = (ulong)convert_int_sat_rte(x);
	o[22] = (ulong)convert_int_sat_rtz(x);
	o[23] = (ulong)convert_int_sat_rtp(x);
	o[24] = (ulong)convert_int_sat_rtn(x);
	o[25] = (ulong)convert_uint_sat(x);
	o[26] = (ulong)convert_uint_sat_rte(x);
	o[27] = (ulong)convert_uint_sat_rtz(x);
	o[28] = (ulong)convert_uint_sat_rtp(x);
	o[29] = (ulong)convert_uint_sat_rtn(x);
	o[30] = (ulong)convert_long_sat(x);
	o[31] = (ulong)convert_long_sat_rte(x);
	o[32] = (ulong)convert_long_sat_rtz(x);
	o[33] = (ulong)convert_long_sat_rtp(x);
	o[34] = (ulong)convert_long_sat_rtn(x);
	o[35] = (ulong)convert_ulong_sat(x);
	o[36] = (ulong)convert_ulong_sat_rte(x);
	o[37] = (ulong)convert_ulong_sat_rtz(x);
	o[38] = (ulong)convert_ulong_sat_rtp(x);
	o[39] = (ulong)convert_ulong_sat_rtn(x);
	double y = fmod(x, (double)100);
	o[40] = (ulong)(long)convert_int(y);
	o[41] = (ulong)(long)convert_int_rte(y);
	o[42] = (ulong)(long)convert_char_rtp(y);
	o[43] = convert_uint(fabs(y));
	o[44] = (ulong)convert_long_rtn(y);
	o[45] = convert_ushort_rtp(fabs(y));
	o[46] = (ulong)(long)(short)y;
	o[47] = (ulong)(uchar)fabs(y);
	double4 v = (double4)(y, -y, y / 3, y * 2);
	o[48] = as_ulong(convert_short4_rte(v));
	o[49] = as_uint(convert_char4_sat_rtn(v));
	o[50] = as_ulong2(convert_int4_rtp(v)).y;
}
