// Pointers: casts between element types, arithmetic, differences, pointers to pointers, volatile.
//
// wavesim: --global 64 --local 64 --arg in=random:64 --arg out=zero:512

void step(global const uchar **p, int by)
{
	*p += by;
}

kernel void pointers(global const uint *in, global uint *out)
{
	uint gid = get_global_id(0);
	global const uchar *bytes = (global const uchar *)in;
	global const ushort *words = (global const ushort *)(bytes + gid * 2);
	global const uchar *p = bytes + gid;
	step(&p, 3);
	step(&p, -1);
	out[gid * 8] = *p + 256 * p[-1];
	out[gid * 8 + 1] = words[1];
	out[gid * 8 + 2] = (uint)(p - bytes);
	global const uint *end = in + 64, *q = in + gid;
	uint sum = 0;
	while (q < end) {
		sum += *q;
		q += 7;
	}
	out[gid * 8 + 3] = sum;
	uint a = gid, b = 100, *m = &a, *n = &b, **pick = gid & 1 ? &m : &n;
	**pick += 5;
	*pick = &a;
	*m += 1;
	out[gid * 8 + 4] = a * 1000 + b;
	volatile uint v = gid;
	v += v;
	out[gid * 8 + 5] = v;
	global uint *to = &out[gid * 8 + 6];
	*((global ushort *)to + 1) = (ushort)gid;
	*(global uchar *)to = 9;
	out[gid * 8 + 7] = (in != 0) + 2 * (q == end) + 4 * (p > bytes);
}
