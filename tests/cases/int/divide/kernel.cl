// Division and remainder by variables and by constants, signed and unsigned, all widths.
//
// wavesim: --global 256 --local 64 --arg out=zero:8192

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

kernel void divide(global long *out)
{
	uint gid = get_global_id(0);
	global long *o = out + gid * 32;
	int a = (int)hash(gid) >> (gid & 15);
	int b = ((int)hash(gid + 1) >> (gid & 31)) | 1;
	if (b == -1)
		b = -2;
	o[0] = a / b;
	o[1] = a % b;
	o[2] = (uint)a / (uint)b;
	o[3] = (uint)a % (uint)b;
	o[4] = a / 3;
	o[5] = a % 10;
	o[6] = a / -7;
	o[7] = a / 16;
	o[8] = a % 16;
	o[9] = (uint)a / 10;
	o[10] = (uint)a / 641;
	char c = (char)a, d = (char)(b | 1);
	o[11] = c / d;
	o[12] = c % d;
	o[13] = (uchar)c / (uchar)d;
	short s = (short)a, t = (short)(b | 1);
	o[14] = s / t;
	o[15] = s % t;
	o[16] = (ushort)s % (ushort)t;
	long l = (long)hash64(gid) >> (gid & 31), m = ((long)hash64(gid + 1) >> (gid & 63)) | 1;
	if (m == -1)
		m = 3;
	o[17] = l / m;
	o[18] = l % m;
	o[19] = (ulong)l / (ulong)m;
	o[20] = (ulong)l % (ulong)m;
	o[21] = l / 1000000007;
	o[22] = l % 10;
	o[23] = (ulong)l / 10;
	int4 v = (int4)(a, b, a ^ b, a + 5) / (int4)(3, -5, 7, 100);
	o[24] = v.x + v.y;
	o[25] = v.z - v.w;
	/* A divisor of zero is kept away from the lanes that have one. */
	int z = (int)(gid & 3);
	o[26] = z ? a / z : -1;
	if (z != 0)
		o[27] = (uint)a % (uint)z;
}
